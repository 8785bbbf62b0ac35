import { parseArgs } from 'node:util';

export const HELP = `npm run mutate -- <room>    makes small mutations in a room, one at a time, and says which ones no test notices

<room>               a folder of packages/gateway/src (sessions/hosting), or a path
--count <N>          so many mutations (30), chosen by
--seed <S>           a number (1): the same ones for the same number
--line <file:line>   all mutations of one line instead
--to <text>          what stands in this line instead, by hand
--tests <path>       these tests first, whatever they import; may be given more than once
--seconds <N>        test time that is spent on one mutation until it counts as unnoticed (180)
--measure <N>        seconds in which tests are run once, to find out which lines each of them runs (1800)
--out <file>         where the result is written, as Markdown`;

export interface Options {
  readonly room: string;
  readonly count: number;
  readonly seed: number;
  readonly line: { readonly file: string; readonly number: number } | undefined;
  readonly to: string | undefined;
  readonly tests: readonly string[];
  readonly seconds: number;
  readonly measure: number;
  readonly out: string | undefined;
}

export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      line: { type: 'string' },
      to: { type: 'string' },
      tests: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '180' },
      measure: { type: 'string', default: '1800' },
      out: { type: 'string' },
    },
  });
  const line = values.line === undefined ? undefined : readLine(values.line);
  const [room = line?.file] = positionals;
  if (room === undefined || positionals.length > 1) throw new Error(`Name one room.\n\n${HELP}`);
  if (values.to !== undefined && !line)
    throw new Error('--to says what stands in a line: name it with --line.');
  const { tests, to, out } = values;
  const [count, seed, seconds, measure] = (['count', 'seed', 'seconds', 'measure'] as const).map((name) =>
    readNumber(name, values[name]),
  ) as [number, number, number, number];
  return { room, count, seed, seconds, measure, line, tests, to, out };
}

function readNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number, not “${text}”.`);
}

function readLine(text: string): { file: string; number: number } {
  const [, file, number] = /^(.+\.tsx?):(\d+)$/.exec(text) ?? [];
  if (file && number) return { file, number: Number(number) };
  throw new Error(`--line takes a file and its line, like sessions/hosting/lease.ts:88, not “${text}”.`);
}
