import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** All documents for readers, by path from the root of the repository. */
export function documents(): string[] {
  return globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/README.md'], { cwd: ROOT }).sort();
}

export function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** A fenced block: ` ```sh run ` has the language `sh` and the word `run`. */
export interface Block {
  readonly language: string;
  readonly words: readonly string[];
  readonly code: string;
  /** The line of its opening fence. */
  readonly line: number;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, info = '', code = ''] = match;
    const [language = '', ...words] = info.split(' ');
    return { language, words, code, line: markdown.slice(0, match.index).split('\n').length };
  });
}

/** The prose only. */
export function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
}
