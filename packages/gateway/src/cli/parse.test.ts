import { describe, expect, test } from 'vitest';
import { nearest } from '#kernel';
import type { CommandSpec } from './command.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { parseWords } from './parse.ts';
import { COMMANDS, runCommand } from './run.ts';

const FERRY: CommandSpec = {
  name: 'ferry book',
  help: 'book a ferry',
  talksTo: 'account',
  arguments: [
    { name: 'harbour', help: 'where to' },
    { name: 'day', help: 'when', optional: true, choices: ['tue', 'thu'] },
  ],
  options: {
    seat: { help: 'which one', takes: 'number', multiple: true },
    class: { help: 'how', takes: 'name', choices: ['first', 'second'] },
    quick: { help: 'soon' },
  },
};
const parse = (...words: string[]) => parseWords(FERRY, words);

describe('words', () => {
  test('become arguments, options and a connection', () => {
    expect(parse('north', 'tue', '--seat', '1', '--seat=2', '--quick', '--key', 'pk_1', '--json')).toEqual({
      args: { harbour: 'north', day: 'tue' },
      options: { seat: ['1', '2'], quick: true },
      connection: { key: 'pk_1' },
      json: true,
      help: false,
    });
  });

  test('behind two dashes are arguments, whatever they begin with', () => {
    expect(parse('--', '-north').args).toEqual({ harbour: '-north', day: undefined });
  });

  test('that ask for help need nothing else', () => {
    expect(parse('--help').help).toBe(true);
    expect(parse('-h').help).toBe(true);
  });

  test.each([
    [[], 'harbour is missing; try parley ferry book --help'],
    [['north', 'tue', 'more'], '"more" is one word too many; try parley ferry book --help'],
    [['north', 'mon'], 'day must be one of tue, thu'],
    [['north', '--class', 'third'], '--class must be one of first, second'],
    [['north', '--sea', '1'], "unknown option '--sea'; did you mean --seat?"],
    [['north', '--seat'], "option '--seat <value>' argument missing; try parley ferry book --help"],
    [['north', '--quick=yes'], "option '--quick' does not take an argument; try parley ferry book --help"],
    [['north', '--token', 'x'], "unknown option '--token'; try parley ferry book --help"],
  ])('%j are refused in one sentence', (words, sentence) => {
    expect(() => parse(...words)).toThrow(sentence);
  });
});

describe('help', () => {
  test('of a command names everything that it takes', () => {
    const text = commandHelp(FERRY);
    expect(text).toMatch(/^Usage: parley ferry book <harbour> \[day\] \[options\]\n\nBook a ferry\.\n/);
    for (const word of ['--seat <number>', 'how: first, second', '--url', '--key', '--json', '--help'])
      expect(text).toContain(word);
    expect(text).not.toContain('--token');
  });

  test('of all lists each command once, on one line', () => {
    const lines = overview(COMMANDS.map(({ spec }) => spec)).split('\n');
    for (const { spec } of COMMANDS)
      expect(lines.filter((line) => line.startsWith(`  ${spec.name.padEnd(22)}`))).toHaveLength(1);
    expect(groupHelp('ferry', [FERRY])).toContain('ferry book');
  });
});

describe('an unknown word', () => {
  test('is taken for the one that was probably meant', () => {
    const known = ['start', 'sandbox', 'session', 'send', 'deliveries'];
    for (const [typed, meant] of [
      ['strat', 'start'],
      ['sned', 'send'],
      ['sesion', 'session'],
      ['delivery', 'deliveries'],
      ['delivereis', 'deliveries'],
      ['constructor', undefined],
      ['', undefined],
    ] as const)
      expect(nearest(typed, known), typed).toBe(meant);
  });

  test('is suggested, as a command and as an option', async () => {
    expect(() => parse('north', '--qiuck')).toThrow("unknown option '--qiuck'; did you mean --quick?");
    expect(() => parse('north', '--anchor')).toThrow('try parley ferry book --help');
    await expect(runCommand(['help', 'webhok'])).rejects.toThrow('did you mean parley webhook?');
    await expect(runCommand(['webhok', 'list'])).rejects.toThrow('did you mean parley webhook?');
    await expect(runCommand(['webhook', 'craete'])).rejects.toThrow('did you mean parley webhook create?');
  });
});
