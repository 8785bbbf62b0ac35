import { expect, it } from 'vitest';
import { mapSource } from './points.ts';
import { LOADED, spotsReaching } from './reach.ts';

function reaching(files: Record<string, string>, file: string, text: string): string[] {
  const maps = new Map(Object.entries(files).map(([path, source]) => [path, mapSource(path, source)]));
  return spotsReaching(file, files[file]?.indexOf(text) ?? -1, maps).map(
    ({ file: path, point }) => `${path} ${point === LOADED ? 'loaded' : excerpt(files, path, point)}`,
  );
}

function excerpt(files: Record<string, string>, path: string, point: number): string {
  const source = files[path] ?? '';
  const { start = 0, end = 0 } = mapSource(path, source).points[point] ?? {};
  return source.slice(start, end);
}

it('reaches a change in a function by its statement', () => {
  expect(reaching({ 'a.ts': 'function f() { g(1); h(2); }' }, 'a.ts', '2')).toEqual(['a.ts h(2);']);
});

it('reaches a constant by its uses, through other constants and in other files', () => {
  const files = {
    'a.ts': 'export const LIMIT = 5; const BOTH = { LIMIT }; export function f() { other(); return BOTH; }',
    'b.ts': "import { LIMIT as MOST } from './a.ts'; const g = () => MOST + 1;",
    'c.ts': "import { LIMIT } from './elsewhere.ts'; const MOST = 3; const h = () => MOST;",
  };
  expect(reaching(files, 'a.ts', '5')).toEqual(['a.ts return BOTH;', 'b.ts MOST + 1']);
});

it('reaches a default value or a field by everything inside of its function or class', () => {
  const source = 'class Box { size = 3; open() { return 1; } close() { return 2; } }';
  expect(reaching({ 'a.ts': source }, 'a.ts', '3')).toEqual(['a.ts return 1;', 'a.ts return 2;']);
});

it('reaches what has no use by the loading of its file', () => {
  expect(reaching({ 'a.ts': 'register(5);' }, 'a.ts', '5')).toEqual(['a.ts loaded']);
});
