import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { apply, type Edit, editsOf } from './mutators/index.ts';

/** One small change of one file. */
export interface Mutant {
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** Place of the change in the file. */
  readonly place: number;
  readonly mutator: string;
  /** Changed lines, before and after. */
  readonly before: string;
  readonly after: string;
  /** Changed text of the whole file. */
  readonly source: string;
}

const NO_PRODUCT = /\.(?:test|fixture|d)\.tsx?$|(?:^|\/)(?:testing|generated|fixtures)\//;

/** Files of a room: a folder or file, relative to the root or to the gateway's sources. */
export function filesOfRoom(root: string, room: string): string[] {
  const path = [room, `packages/gateway/src/${room}`, `packages/${room}`].find((each) => isThere(root, each));
  if (path === undefined)
    throw new Error(`There is no room ${room}: name a folder of packages/gateway/src, or a path.`);
  if (statSync(join(root, path)).isFile()) return [normalize(path)];
  const files = globSync(`${normalize(path)}/**/*.{ts,tsx}`, { cwd: root }).sort();
  return files.filter((file) => !isNoProduct(file));
}

/** Tests, and what only they use, or what is generated. */
export function isNoProduct(file: string): boolean {
  return NO_PRODUCT.test(file);
}

export function mutantsOf(root: string, file: string): Mutant[] {
  const source = readFileSync(join(root, file), 'utf8');
  return editsOf(file, source).map((edit) => toMutant(file, source, edit));
}

/** Deterministic order for a seed: the place of each mutant does not depend on the others. */
export function inOrderOf(seed: number, mutants: readonly Mutant[]): Mutant[] {
  const place = (mutant: Mutant): string =>
    createHash('sha256')
      .update(JSON.stringify([seed, mutant.file, mutant.mutator, mutant.before, mutant.after]))
      .digest('hex');
  return mutants
    .map((mutant) => ({ mutant, place: place(mutant) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ mutant }) => mutant);
}

/** Mutant that replaces a line by given text. */
export function mutantByHand(root: string, file: string, line: number, text: string): Mutant {
  const source = readFileSync(join(root, file), 'utf8');
  const lines = source.split('\n');
  const old = lines[line - 1];
  if (old === undefined) throw new Error(`${file} has no line ${line}.`);
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return toMutant(file, source, { mutator: 'by hand', start, end: start + old.length, text });
}

function isThere(root: string, path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

function toMutant(file: string, source: string, edit: Edit): Mutant {
  const from = source.lastIndexOf('\n', edit.start - 1) + 1;
  const to = endOfLine(source, edit.end);
  const lines = source.slice(from, to);
  const changed = apply(lines, { ...edit, start: edit.start - from, end: edit.end - from });
  return {
    file,
    line: source.slice(0, edit.start).split('\n').length,
    place: edit.start,
    mutator: edit.mutator,
    before: onOneLine(lines),
    after: onOneLine(changed),
    source: apply(source, edit),
  };
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
