import { type Operation, operations } from '@parley/contract';
import type { Guide } from './contents.ts';
import type { DrawnGuide } from './markdown.ts';

/** What the search shows, and in `text` everything by which it is found. */
interface Findable {
  readonly href: string;
  readonly title: string;
  readonly group: string;
  readonly text: string;
}

/** A script module, since the content policy lets pages load nothing else: every part of every guide, and every operation by its name. */
export function searchIndex(guides: readonly { guide: Guide; drawn: DrawnGuide }[]): string {
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
