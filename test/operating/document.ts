import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blocksOf, ROOT, read } from '../docs/markdown.ts';

const markdown = read('docs/operating.md');
const PROGRAM = join(ROOT, 'packages/gateway/bin/parley.cjs');
const MOST_WORDS = 16 * 1024 ** 2;

/** The block of the document that contains `words`. */
export function printed(words: string): string {
  const block = blocksOf(markdown).find(({ code }) => code.includes(words));
  if (!block) throw new Error(`docs/operating.md has no block that says ${words}`);
  return block.code;
}

/** A command inside a sentence of the document. */
export function printedInline(words: string): string {
  const found = [...markdown.matchAll(/`([^`\n]+)`/g)].find(([, code]) => code?.includes(words));
  if (!found?.[1]) throw new Error(`docs/operating.md says nothing of ${words}`);
  return found[1];
}

/** Settings of a block of the document, without its last step, which starts what the test starts differently. */
export async function settingsIn(block: string): Promise<Record<string, string>> {
  const lines = block.split('\n').filter((line) => /^(export )?[A-Z_]+=/.test(line));
  const script = `set -a; ${lines.join('\n')}\nenv -0`;
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { env: { PATH: process.env.PATH } });
  const pairs = stdout.split('\0').map((pair) => pair.split(/=(.*)/s, 2) as [string, string]);
  return Object.fromEntries(pairs.filter(([name]) => name.startsWith('PARLEY_')));
}

/** Runs a block of the document, in which `parley` is this release. `names`: replacements for the reader's own names in it. */
export async function type(
  block: string,
  env: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>> = {},
): Promise<string> {
  const commands = Object.entries(names).reduce((text, [theirs, ours]) => {
    if (!text.includes(theirs)) throw new Error(`the block does not say ${theirs}:\n${text}`);
    return text.replaceAll(theirs, ours);
  }, block);
  const script = `parley() { '${process.execPath}' '${PROGRAM}' "$@"; }\n${commands}`;
  const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    maxBuffer: MOST_WORDS,
  });
  return stdout;
}
