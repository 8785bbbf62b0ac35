import type { Page } from '#http';
import type { AssetUrl } from '../shell.ts';
import { GUIDES_PATH, INDEX_GUIDE, readContents, readDecisions, readGuide } from './contents.ts';

const SEARCH_INDEX = '/docs/assets/search-index.js';
/** Files that a guide offers for taking along. */
const FILES: Readonly<Record<string, string>> = {
  'monitoring/grafana-dashboard.json': 'application/json; charset=utf-8',
  'monitoring/alerts.yml': 'text/plain; charset=utf-8',
};

/** Every guide as a page, in the order of their table of contents. What draws them is loaded with the first one that is asked for. */
export function guidePages({
  version,
  assetUrl,
  headers,
  fileHeaders,
}: {
  version: string;
  assetUrl: AssetUrl;
  headers: Page['headers'];
  fileHeaders: Page['headers'];
}): Page[] {
  const contents = readContents();
  if (contents.length === 0) return [];
  const guides = [INDEX_GUIDE, ...contents.flatMap((group) => group.guides), ...readDecisions()];
  const files = Object.entries(FILES).map(([file, type]) => ({ path: `${GUIDES_PATH}/${file}`, file, type }));
  const paths = new Set([...guides, ...files].map(({ path }) => path));

  return [
    ...guides.map((guide) => ({
      path: guide.path,
      type: 'text/html; charset=utf-8',
      headers,
      render: async () => {
        const { drawGuideFile, guidePage } = await import('./drawing.ts');
        const drawn = drawGuideFile(guide, paths);
        return guidePage({ guide, drawn, contents, version, assetUrl, searchIndex: SEARCH_INDEX });
      },
    })),
    ...files.map(({ path, file, type }) => ({
      path,
      type,
      headers: fileHeaders,
      render: () => readGuide(file),
    })),
    {
      path: SEARCH_INDEX,
      type: 'text/javascript; charset=utf-8',
      headers: fileHeaders,
      render: async () => {
        const { drawGuideFile, searchIndex } = await import('./drawing.ts');
        return searchIndex(guides.map((guide) => ({ guide, drawn: drawGuideFile(guide, paths) })));
      },
    },
  ];
}
