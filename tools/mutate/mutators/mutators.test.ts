import { describe, expect, it } from 'vitest';
import { apply, editsOf } from './index.ts';

/** An expression in a template, which cannot be written into a string without a warning. */
const HOLE = /@(\w)/g;
const FILLED = '$${$1}';

/** Mutants of a source, without those that a test does not list. */
function becomes(source: string, ...mutators: string[]): string[] {
  return editsOf('a.ts', source)
    .filter(({ mutator }) => mutators.length === 0 || mutators.includes(mutator))
    .map((edit) => apply(source, edit));
}

describe('mutations', () => {
  it.each<[source: string, ...mutants: string[]]>([
    ['x = a < b', 'x = a <= b', 'x = a >= b', ';'],
    ['f(a === b)', 'f(a !== b)', ';'],
    ['const x = a && !b', 'const x = a || !b', 'const x = a && b'],
    ['const x = (a + 1) * b', 'const x = (a + 1) / b', 'const x = (a - 1) * b', 'const x = (a + 2) * b'],
    ['const MS = 12_000', 'const MS = 12'],
    ['const x = on ? a : b', 'const x = !(on) ? a : b'],
    ['await save(x);', ';', 'void save(x);'],
    ['for (;;) if (a) break;', 'for (;;) if (false) break;'],
    [
      'if (a) { b(); } else c()',
      'if (false) { b(); } else c()',
      'if (true) { b(); } else c()',
      'if (a) { ; } else c()',
      'if (a) { b(); } else ;',
    ],
    ['throw a', ';'],
    ["q.where('at', '<', now)", ';', 'q', "q.where('at', '<=', now)"],
  ])('%s', (source, ...mutants) => {
    expect(becomes(source).sort()).toEqual(mutants.sort());
  });

  it('ends a function before its first statement', () => {
    expect(becomes('function f() { a(); b(); }', 'early return')).toEqual([
      'function f() { return; a(); b(); }',
    ]);
  });

  it.each([
    ['a type', 'type A = 1 | true; let x: 2; const z = f<3>(y as 4)'],
    ['an import', "import { a } from 'b';"],
    ['a key of an object', 'const x = { 1: a };'],
    ['what is logged', 'const x = () => log.warn({ n: 1, ok: a < b }, "late");'],
    ['an example in the documentation', 'const x = { examples: [{ at: 1, ok: true }], sample: { n: 2 } };'],
    ['whether a timer keeps the process', 'function f() { timer.unref() }'],
    ['prose', "const x = 'where and how it is done, and why';"],
  ])('leave %s alone', (_what, source) => {
    expect(becomes(source)).toEqual([]);
  });

  it('leave the magnitude of comparators and the order of equal items alone', () => {
    const source = 'const x = list.sort(([one], [other]) => (one < other ? -1 : 1))';
    expect(becomes(source)).toEqual([
      source.replace('one < other ?', '!(one < other) ?'),
      source.replace('one < other ?', 'one >= other ?'),
    ]);
    const stable = 'const x = list.toSorted((a, b) => a < b ? -1 : a > b ? 1 : 0)';
    expect(becomes(stable, 'constant')).toEqual([stable.replace(': 0)', ': 1)')]);
    expect(becomes(stable, 'boundary')).toEqual([
      stable.replace('<', '<='),
      stable.replace('a > b', 'a >= b'),
    ]);
  });

  it.each([
    'const x = list.sort((a, b) => a.place + 1 - b.place)',
    'const x = list.map((a) => a < 1 ? -1 : 1)',
    'const x = sort(list, (a) => a < 1 ? -1 : 1)',
  ])('change numbers that count elsewhere: %s', (source) => {
    expect(becomes(source, 'constant')).not.toEqual([]);
  });

  it('have correct places in a source with multi-byte characters', () => {
    expect(becomes("const ä = '😀'; const x = a < b", 'boundary')).toEqual([
      "const ä = '😀'; const x = a <= b",
    ]);
  });
});

describe('mutations of SQL', () => {
  it('make each condition always true, and keep the parameters of the statement', () => {
    const source =
      'const q = `DELETE FROM d WHERE seq = ? AND (a = @x OR b = 1) AND status IN (@y) LIMIT 3`;'.replace(
        HOLE,
        FILLED,
      );
    expect(becomes(source, 'SQL condition dropped')).toEqual([
      source.replace('seq = ?', '(seq = ? or 1 = 1)'),
      source.replace(/(\(a.*?b = 1\))/, '($1 or 1 = 1)'),
      source.replace(/(status IN \(.*?\))/, '($1 or 1 = 1)'),
    ]);
  });

  it('shift boundaries, invert null checks and order, and drop locks', () => {
    const source =
      "const q = 'select a from b where c <= 1 and d is null order by e desc for update skip locked';";
    const kinds = ['SQL boundary', 'SQL operator', 'SQL order', 'SQL lock dropped'];
    expect(becomes(source, ...kinds)).toEqual([
      source.replace('<=', '<'),
      source.replace('is null', 'is not null'),
      source.replace(' desc', ''),
      source.replace('for update skip locked', ''),
    ]);
  });

  it('leave “between … and …”, “on conflict” and interpolated conditions alone', () => {
    const source =
      'const q = `select a from b where @c and d between 1 and 2 on conflict (e) do nothing`;'.replace(
        HOLE,
        FILLED,
      );
    expect(becomes(source, 'SQL condition dropped')).toEqual([]);
  });
});
