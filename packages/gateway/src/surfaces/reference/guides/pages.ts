import { type Operation, operations } from '@parley/contract';
import type { Page } from '#platform/http';
import type { AssetUrl } from '../shell.ts';
import {
  type Guide,
  INDEX_GUIDE,
  listFiles,
  readContents,
  readDecisions,
  readGuideFile,
} from './contents.ts';
import type { DrawnGuide } from './markdown.ts';

const SEARCH_INDEX = '/docs/assets/search-index.js';

/** Every guide as a page, in the order of the table of contents. The renderer is loaded with the first request. */
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

/** Search entry: the fields that are shown, and `text`, which is searched. */
interface Findable {
  readonly href: string;
  readonly title: string;
  readonly group: string;
  readonly text: string;
}

/**
 * A script module, because the content policy lets pages load nothing else: every section of every guide, and every operation by its name.
 */
function searchIndex(guides: readonly { guide: Guide; drawn: DrawnGuide }[]): string {
  const findable = [
    ...guides.flatMap(partsOf),
    ...Object.values<Operation>(operations).filter(isInReference).map(entryOf),
  ];
  return `export default ${JSON.stringify(findable)};\n`;
}

function partsOf({ guide, drawn }: { guide: Guide; drawn: DrawnGuide }): Findable[] {
  return [
    { href: guide.path, title: drawn.title, group: 'Guide', text: '' },
    ...drawn.sections.map(({ id, title, text }) => ({
      href: `${guide.path}#${id}`,
      title,
      group: drawn.title,
      text: text.toLowerCase(),
    })),
  ];
}

function isInReference({ tag }: Operation): boolean {
  return tag !== 'Portal';
}

function entryOf({ id, method, path, summary }: Operation): Findable {
  return {
    href: `/docs#${id}`,
    title: summary,
    group: 'API reference',
    text: `${method} ${path}`.toLowerCase(),
  };
}
