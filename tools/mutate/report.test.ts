import { expect, it } from 'vitest';
import { readOptions } from './arguments.ts';
import type { Verdict } from './judge.ts';
import { markdown, resultLine } from './report.ts';

function verdict(outcome: Verdict['outcome'], before: string, after: string): Verdict {
  const mutant = { file: 'mail/sender.ts', line: 7, place: 90, mutator: 'logic', before, after, source: '' };
  return { mutant, outcome, asked: 3 };
}
const verdicts: Verdict[] = [
  verdict('noticed', 'a', 'b'),
  verdict('timed out', 'while (a) b();', 'while (true) b();'),
  verdict('survived', 'a || b', 'a && b'),
  { ...verdict('survived', 'c()', ';'), asked: 0 },
];

it('counts detected mutations, and lists survivors and those detected by the time limit only', () => {
  expect(resultLine({ verdicts })).toBe('2 noticed of 4 (50 %)');
  const command = 'npm run mutate -- mail';
  expect(
    markdown({ room: 'mail', command, commit: '0123abcd', date: '2026-01-02', verdicts, uncompiled: 4 }),
  ).toBe(`| Room | Noticed | By a time limit | Did not compile | Date | Commit | Command |
| --- | --- | --- | --- | --- | --- | --- |
| mail | 2 noticed of 4 (50 %) | 1 | 4 | 2026-01-02 | \`0123abcd\` | \`npm run mutate -- mail\` |

Survived:

| Where | Before | After | Why |
| --- | --- | --- | --- |
| mail/sender.ts:7 | \`a \\|\\| b\` | \`a && b\` |  |
| mail/sender.ts:7 | \`c()\` | \`;\` | no test runs it |

Noticed by a time limit only:

| Where | Before | After | Why |
| --- | --- | --- | --- |
| mail/sender.ts:7 | \`while (a) b();\` | \`while (true) b();\` |  |
`);
});

it('accepts a room, or one line of it', () => {
  expect(readOptions(['mail', '--seed', '5'])).toMatchObject({
    room: 'mail',
    seed: 5,
    count: 30,
    seconds: 180,
    measure: 1_800,
  });
  expect(readOptions(['--line', 'mail/sender.ts:7', '--to', ' x'])).toMatchObject({
    room: 'mail/sender.ts',
    line: { file: 'mail/sender.ts', number: 7 },
    to: ' x',
  });
});

it.each([
  [[], 'Name one room.'],
  [['mail', 'history'], 'Name one room.'],
  [['mail', '--count', 'many'], '--count takes a whole number, not “many”.'],
  [['--line', 'mail'], '--line takes a file and its line'],
  [['mail', '--to', 'x'], 'name it with --line'],
])('refuses %j', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
