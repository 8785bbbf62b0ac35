import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** What runs with text from outside. */
const SOURCES = globSync('packages/{contract,gateway,sandbox,sdk,signal}/src/**/*.ts', {
  cwd: new URL('../../', import.meta.url),
}).filter((path) => !/\.(?:test|fixture)\.ts$|\/testing\//.test(path));

/** A literal stands where a value may begin; a division does not. */
const LITERAL =
  /(?:[(,=:[!&|?{};]|\breturn|=>)\s*\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)\/[dgimsuvy]*/g;
/** Where a quantifier has no end, or one so far away that it makes no difference. */
const UNBOUNDED = /^(?:[*+]|\{\d+,\}|\{\d+,\d{3,}\})/;

/** Whether a group that repeats without end repeats something without end in it: `(a+)*`. */
function nestsRepetition(pattern: string): boolean {
  const open: boolean[] = [];
  let repeats = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at];
    let ended = false;
    if (letter === '\\') at += 1;
    else if (letter === '[') {
      while (pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
    } else if (letter === '(') {
      open.push(repeats);
      repeats = false;
    } else if (letter === ')') ended = true;
    const isUnbounded = UNBOUNDED.test(pattern.slice(at + 1));
    if (ended) {
      if (repeats && isUnbounded) return true;
      repeats = (open.pop() ?? false) || repeats;
    }
    if (isUnbounded) repeats = true;
  }
  return false;
}

/** Groups whose repetitions begin with a letter that ends them: there is one way to read a text, and nothing to go back for. */
const READ_ONE_WAY: ReadonlySet<string> = new Set(['^[\\w-]+(\\.[\\w-]+)*$']);

describe('regular expressions', () => {
  const found = SOURCES.flatMap((path) =>
    [...readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').matchAll(LITERAL)].map(
      ([, pattern = '']) => ({ path, pattern }),
    ),
  );

  it('are found', () => {
    expect(found.length).toBeGreaterThan(200);
    expect(found.map(({ pattern }) => pattern)).toContain('^https?:\\/\\/');
  });

  it.each(['(a+)+', '(?:a*b?)*c', '^(?:x|(y+z)*)$', '([ab]{2,})+', '(?:; ?[\\w=]+)*'])(
    'nest in %s',
    (pattern) => {
      expect(nestsRepetition(pattern)).toBe(true);
    },
  );
  it.each(['a+b+', '(?:ab)+c*', '(a+)?', '([(+]+)', '\\(a+\\)+', '(?:a{1,3})+', '(a+){0,3}'])(
    'do not nest in %s',
    (pattern) => {
      expect(nestsRepetition(pattern)).toBe(false);
    },
  );

  it('nest no repetition without end in another', () => {
    const nested = found.filter(({ pattern }) => nestsRepetition(pattern) && !READ_ONE_WAY.has(pattern));
    expect(nested).toEqual([]);
  });
});
