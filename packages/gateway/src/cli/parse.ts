import { parseArgs } from 'node:util';
import { nearest } from '#kernel';
import { CommandError, type CommandSpec, type ConnectionOptions, type Option } from './command.ts';

/** Options that every command has. */
export const COMMON_OPTIONS = {
  json: { help: 'print results as JSON' },
  help: { help: 'show this text' },
} as const satisfies Record<string, Option>;

const URL_OPTION = { url: { help: 'where the gateway is', takes: 'address' } } as const;
const KEY_OPTION = { key: { help: 'API key of the account', takes: 'key' } } as const;
const TOKEN_OPTION = { token: { help: "the gateway's operator token", takes: 'token' } } as const;

export function connectionOptions({ talksTo }: CommandSpec): Readonly<Record<string, Option>> {
  if (talksTo === undefined) return {};
  return talksTo === 'account' ? { ...URL_OPTION, ...KEY_OPTION } : { ...URL_OPTION, ...TOKEN_OPTION };
}

/** Everything that may follow a command and begins with two dashes. */
export function optionsOf(spec: CommandSpec): Readonly<Record<string, Option>> {
  return { ...spec.options, ...connectionOptions(spec), ...COMMON_OPTIONS };
}

interface Words {
  readonly args: Readonly<Record<string, string | undefined>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly connection: ConnectionOptions;
  readonly json: boolean;
  readonly help: boolean;
}

/** Takes the words behind a command apart, or says in one sentence what is wrong with them. */
export function parseWords(spec: CommandSpec, words: readonly string[]): Words {
  const { values, positionals } = taken(spec, words);
  const { json, help, url, key, token, ...options } = values;
  const connection = Object.fromEntries(
    Object.entries({ url, key, token }).filter(([, value]) => value !== undefined),
  );
  const common = { json: json === true, help: help === true, connection };
  if (common.help) return { ...common, args: {}, options: {} };
  for (const [name, value] of Object.entries(options))
    refuseOther(`--${name}`, optionsOf(spec)[name]?.choices, value);
  return { ...common, options, args: argumentsOf(spec, positionals) };
}

function taken(spec: CommandSpec, words: readonly string[]) {
  const known = Object.entries(optionsOf(spec)).map(([name, { takes, multiple }]) => {
    const type = takes === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: multiple ?? false, ...(name === 'help' ? { short: 'h' } : {}) }] as const;
  });
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries(known), allowPositionals: true });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.(?: |$)|\n/);
    const said = sentence.charAt(0).toLowerCase() + sentence.slice(1);
    const [, unknown] = /^unknown option '--([^']+)'/.exec(said) ?? [];
    const meant = unknown && nearest(unknown, Object.keys(optionsOf(spec)));
    throw new CommandError(
      `${said}; ${meant ? `did you mean --${meant}?` : `try parley ${spec.name} --help`}`,
    );
  }
}

function argumentsOf(spec: CommandSpec, given: readonly string[]): Record<string, string | undefined> {
  const expected = spec.arguments ?? [];
  const missing = expected.find(({ optional }, at) => !optional && given[at] === undefined);
  if (missing) throw new CommandError(`${missing.name} is missing; try parley ${spec.name} --help`);
  const tooMany = given[expected.length];
  if (tooMany !== undefined)
    throw new CommandError(`"${tooMany}" is one word too many; try parley ${spec.name} --help`);
  return Object.fromEntries(
    expected.map(({ name, choices }, at) => {
      refuseOther(name, choices, given[at]);
      return [name, given[at]];
    }),
  );
}

function refuseOther(name: string, choices: readonly string[] | undefined, value: unknown): void {
  if (choices === undefined || value === undefined) return;
  const wrong = [value].flat().find((each) => !choices.includes(String(each)));
  if (wrong !== undefined) throw new CommandError(`${name} must be one of ${choices.join(', ')}`);
}

/** Fields that were typed as JSON; anything else is answered with the complaint. */
export function jsonObject(json: string, complaint: string): object {
  try {
    const fields: unknown = JSON.parse(json);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(complaint);
}
