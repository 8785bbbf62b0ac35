import type { Page } from '#http';
import type { AssetUrl } from '../shell.ts';
import { INDEX_GUIDE, listFiles, readContents, readDecisions, readGuideFile } from './contents.ts';
import { searchIndex } from './search-index.ts';

const SEARCH_INDEX = '/docs/assets/search-index.js';

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
  const files = listFiles();
  const paths = new Set([...guides, ...files].map(({ path }) => path));

  return [
    ...guides.map((guide) => ({
      path: guide.path,
      type: 'text/html; charset=utf-8',
      headers,
      render: async () => {
        const { drawGuideFile, guidePage } = await import('./guide-page.ts');
        const drawn = drawGuideFile(guide, paths);
        return guidePage({ guide, drawn, contents, version, assetUrl, searchIndex: SEARCH_INDEX });
      },
    })),
    ...files.map(({ path, file, type }) => ({
      path,
      type,
      headers: fileHeaders,
      render: () => readGuideFile(file),
    })),
    {
      path: SEARCH_INDEX,
      type: 'text/javascript; charset=utf-8',
      headers: fileHeaders,
      render: async () => {
        const { drawGuideFile } = await import('./guide-page.ts');
        return searchIndex(guides.map((guide) => ({ guide, drawn: drawGuideFile(guide, paths) })));
      },
    },
  ];
}
