import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** One guide: a Markdown file in `docs/`, and its page. */
export interface Guide {
  /** Path below `docs/`: `webhooks.md`, `adr/README.md`. */
  readonly file: string;
  readonly title: string;
  readonly path: string;
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

export const GUIDES_PATH = '/docs/guides';
const FOLDER = new URL('../../../../../../docs/', import.meta.url);
const INDEX = 'README.md';

/**
 * The table of contents is itself a page: `docs/README.md`, with a list of links below each heading, so that it serves readers of the
 * repository as well.
 */
export function readContents(): GuideGroup[] {
  if (!hasGuides()) return [];
  const [, ...groups] = readGuide(INDEX).split(/^## /m);
  return groups.map((group) => ({
    title: group.slice(0, group.indexOf('\n')),
    guides: [...group.matchAll(/^- \[([^\]]+)\]\(([\w./-]+\.md)\)/gm)].map(([, title = '', file = '']) => ({
      file,
      title,
      path: pathOf(file),
    })),
  }));
}

/** Pages outside of the contents that other pages link to: each decision has one. */
export function readDecisions(): Guide[] {
  return readdirSync(new URL('adr/', FOLDER))
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .map((name) => ({ file: `adr/${name}`, title: name, path: pathOf(`adr/${name}`) }));
}

/** A file that guides show or offer as a download. */
interface GuideFile {
  readonly file: string;
  readonly path: string;
  readonly type: string;
}

const FILE_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  yml: 'text/plain; charset=utf-8',
};

export function listFiles(): GuideFile[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = name.replaceAll('\\', '/');
    const type = FILE_TYPES[file.split('.').at(-1) ?? ''];
    return type === undefined ? [] : { file, path: `${GUIDES_PATH}/${file}`, type };
  });
}

export function readGuideFile(file: string): Buffer {
  return readFileSync(new URL(file, FOLDER));
}

/** False when the gateway was installed without guides. */
export function hasGuides(): boolean {
  return existsSync(new URL(INDEX, FOLDER));
}

/** The first page. */
export const INDEX_GUIDE: Guide = { file: INDEX, title: 'Guides', path: GUIDES_PATH };

export function readGuide(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}

/** `adr/README.md` → `/docs/guides/adr` */
export function pathOf(file: string): string {
  return `${GUIDES_PATH}/${file.replace(/(?:\/?README)?\.md$/, '')}`.replace(/\/$/, '');
}
