import { expect, it } from 'vitest';
import { instrument, mapSource, pointAt } from './points.ts';

const instrumented = (source: string): string =>
  instrument(source, mapSource('a.ts', source).points, 'hit').replaceAll(/\s+/g, ' ').trim();

it('calls before each statement, branch and value of an arrow function, and keeps the lines', () => {
  expect(instrumented('function f(a: number) { const b = a; return b; }')).toBe(
    'function f(a: number) { hit(0);const b = a; hit(1);return b; }',
  );
  expect(instrumented('const f = (a) => ({ a }), g = async () => { await a; };')).toBe(
    'const f = (a) => ((hit(0),{ a })), g = async () => { hit(1);await a; };',
  );
  expect(instrumented('const f = a ? b && c : d ?? e;')).toBe(
    'const f = a ? (hit(0),b && (hit(1),c)) : (hit(2),d ?? (hit(3),e));',
  );
  const source = 'function f() {\n  if (a)\n    b();\n}\n';
  expect(instrument(source, mapSource('a.ts', source).points, 'hit').split('\n')).toHaveLength(5);
});

it('puts braces around a single statement, also around several that end together', () => {
  expect(instrumented('function f() { for (const a of b) if (a) c(); else if (d) e(); }')).toBe(
    'function f() { hit(0);for (const a of b) {hit(1);if (a) {hit(2);c();} else {hit(3);if (d) {hit(4);e();}}} }',
  );
  expect(instrumented('function f() { switch (a) { case 1: b(); default: interface B {} } }')).toBe(
    'function f() { hit(0);switch (a) { case 1: hit(1);b(); default: interface B {} } }',
  );
});

it('runs as before', () => {
  const source = `
    const seen = [];
    outer: for (const a of [1, 2, 3]) { for (;;) { if (a === 2) continue outer; break; } seen.push(a > 1 ? a : -a); }
    return seen.map((a) => a * 2);`;
  const body = `function f() {${source}}`;
  const hits: number[] = [];
  const text = instrument(body, mapSource('a.ts', body).points, 'hit');
  expect(new Function('hit', `${text}; return f();`)((point: number) => hits.push(point))).toEqual([-2, 6]);
  expect(new Set(hits)).toEqual(new Set(mapSource('a.ts', body).points.keys()));
});

it('finds the innermost point around a place', () => {
  const source = 'const first = 1; function f() { if (a) return b || c; }';
  const map = mapSource('a.ts', source);
  const at = (text: string) => pointAt(map, source.indexOf(text));
  expect(at('first')).toBeUndefined();
  expect([at('if'), at('return'), at('b ||'), at('c;')]).toEqual([0, 1, 1, 2]);
});
