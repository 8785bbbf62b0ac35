import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { createSlugger } from '../../packages/gateway/src/surfaces/reference/guides/markdown.ts';
import { documents, ROOT, read, withoutBlocks } from './markdown.ts';

/** Broken links inside the repository: to a missing file, or to a missing heading. */
export function brokenLinks(): string[] {
  return documents().flatMap((file) =>
    linksIn(file)
      .filter((link) => !leadsSomewhere(file, link))
      .map((link) => `${file} → ${link}`),
  );
}

/** Guides that are missing in the contents. */
export function unlistedGuides(): string[] {
  const contents = read('docs/README.md');
  return documents()
    .filter((file) => /^docs\/[^/]+\.md$/.test(file) && file !== 'docs/README.md')
    .filter((file) => !contents.includes(`](${posix.basename(file)})`));
}

function linksIn(file: string): string[] {
  const links = withoutBlocks(read(file)).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].map(([, link = '']) => link).filter((link) => !/^https?:/.test(link));
}

function leadsSomewhere(file: string, link: string): boolean {
  const [name = '', anchor] = link.split('#');
  const target = name === '' ? file : posix.join(posix.dirname(file), name);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(target).has(anchor);
}

function anchorsOf(file: string): Set<string> {
  const slug = createSlugger();
  const headings = withoutBlocks(read(file)).matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, heading = '']) => slug(heading.replaceAll(/[`*]/g, ''))));
}
