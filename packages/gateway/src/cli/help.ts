import { CLIENT_VARIABLES, SETTINGS } from '../config/config.ts';
import type { CommandSpec, Option } from './command.ts';
import { COMMON_OPTIONS, connectionOptions } from './parse.ts';

/** All commands and settings. */
export function overview(specs: readonly CommandSpec[]): string {
  const settings = [...Object.values(SETTINGS), ...Object.values(CLIENT_VARIABLES)].map(
    ({ name, meaning, takes, standard }) =>
      `  ${name}\n      ${meaning}; takes ${takes} (default: ${standard})`,
  );
  return [
    'Usage: parley [command]',
    '',
    'Commands',
    ...listed(
      specs,
      ['help', 'show this text; parley <command> --help shows more about one'],
      ['--version', 'show which release this is'],
    ),
    '',
    'Environment',
    ...settings,
    '',
  ].join('\n');
}

/** The commands that begin with the same word. */
export function groupHelp(word: string, specs: readonly CommandSpec[]): string {
  return [`Usage: parley ${word} <command>`, '', 'Commands', ...listed(specs), ''].join('\n');
}

export function commandHelp(spec: CommandSpec): string {
  const { name, help, arguments: args = [], options = {}, examples = [] } = spec;
  const usage = args.map((each) => (each.optional ? ` [${each.name}]` : ` <${each.name}>`)).join('');
  const rows = args.map((each): Row => [`<${each.name}>`, withChoices(each.help, each.choices)]);
  return [
    `Usage: parley ${name}${usage} [options]`,
    '',
    `${help.charAt(0).toUpperCase()}${help.slice(1)}.`,
    ...section('Arguments', rows),
    ...section('Options', Object.entries(options).map(optionRow)),
    ...section('Connection', Object.entries(connectionOptions(spec)).map(optionRow)),
    ...section('Always', Object.entries(COMMON_OPTIONS).map(optionRow)),
    ...(examples.length === 0 ? [] : ['', 'Examples', ...examples.map((line) => `  ${line}`)]),
    '',
  ].join('\n');
}

type Row = readonly [left: string, right: string];

function optionRow([name, option]: [string, Option]): Row {
  const value = option.takes === undefined ? '' : ` <${option.takes}>`;
  return [`--${name}${value}`, withChoices(option.help, option.choices)];
}

function withChoices(help: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? help : `${help}: ${choices.join(', ')}`;
}

function section(title: string, rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...aligned(rows)];
}

function listed(specs: readonly CommandSpec[], ...others: readonly Row[]): string[] {
  return aligned([...specs.map(({ name, help }): Row => [name, help]), ...others]);
}

function aligned(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
