import { globSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import { describe, expect, it } from 'vitest';

/** Sources that process text from outside. */
const SOURCES = globSync('packages/{contract,gateway,sandbox,sdk,signal}/src/**/*.ts', {
  cwd: new URL('../../', import.meta.url),
}).filter((path) => !/\.(?:test|fixture)\.ts$|\/testing\//.test(path));

/** A regular expression literal stands where an expression may begin; a division does not. */
const LITERAL =
  /(?:[(,=:[!&|?{;]|\breturn|=>)\s*\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)\/([dgimsuvy]*)/g;

/** Backtracking expressions on texts of bounded length. */
const BOUNDED: ReadonlyMap<string, string> = new Map([
  ['^([^/]*\\/\\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$', "the operator's setting of the database, read once"],
  [
    '^(postgres(?:ql)?:\\/\\/(?:[^/?#]*@)?)([^/?#@]+)([^?]*)(\\?.*)?$',
    "the operator's setting of the database, read once",
  ],
  ['\\B(?=(\\d{3})+$)', 'digits of one number'],
]);

/** Whether the time to refuse a text grows faster than linearly. */
function backtracks(source: string, flags = ''): boolean {
  return analyse({ source, flags }).reports.length > 0;
}

describe('regular expressions', () => {
  const found = SOURCES.flatMap((path) =>
    [...readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').matchAll(LITERAL)].map(
      ([, source = '', flags = '']) => ({ path, source, flags }),
    ),
  );

  it('are found', () => {
    expect(found.length).toBeGreaterThan(200);
    expect(found.map(({ source }) => source)).toContain('^https?:\\/\\/');
  });

  it.each(['(a+)+$', '^a*a*b', '^(?:x|(y+z?)*)$', '\\s+$', '^[\\w.]*\\w*$', '^(?:;[\\w;]+)*$'])(
    'backtrack in %s',
    (source) => {
      expect(backtracks(source)).toBe(true);
    },
  );
  it.each(['^a+b+$', '^(?:ab)+c*$', '([(+]+)', '^[\\w-]+(\\.[\\w-]+)*$', '^(?:a{1,3}b)+$'])(
    'do not backtrack in %s',
    (source) => {
      expect(backtracks(source)).toBe(false);
    },
  );

  it('run in linear time', () => {
    expect(found.filter(({ source, flags }) => !BOUNDED.has(source) && backtracks(source, flags))).toEqual(
      [],
    );
  });

  it('have no unnecessary exception', () => {
    const sources = new Set(found.map(({ source }) => source));
    expect([...BOUNDED.keys()].filter((source) => !sources.has(source) || !backtracks(source))).toEqual([]);
  });
});
