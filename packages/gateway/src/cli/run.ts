import manifest from '../../package.json' with { type: 'json' };
import { CommandError, type Input } from './command.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { parseWords } from './parse.ts';
import { COMMANDS, type Command } from './table.ts';
import { createTerminal } from './terminal.ts';

const HELP: readonly string[] = ['help', '--help', '-h'];

/** Runs what was typed behind `parley`. */
export async function runCommand(words: readonly string[]): Promise<void> {
  const [first = 'start', ...rest] = words;
  if (first === '--version') return void process.stdout.write(`${manifest.version}\n`);
  if (HELP.includes(first)) return explain(rest);
  const found = findCommand([first, ...rest]);
  if (!found) return explain([first, ...rest].filter((word) => !HELP.includes(word)));
  const parsed = parseWords(found.command.spec, found.words);
  if (parsed.help) return void process.stdout.write(commandHelp(found.command.spec));
  const { args, options, connection, json } = parsed;
  if (found.command.spec.talksTo !== undefined) process.stdout.on('error', leaveWithTheReader);
  const input: Input = { args, options, connection, terminal: createTerminal(json) };
  await found.command.run(input).catch(async (error: unknown) => {
    if (found.command.spec.talksTo === undefined) throw error;
    throw (await import('./client/connect.ts')).advised(error);
  });
}

/** The command whose name the words begin with, and the words behind it. */
function findCommand(words: readonly string[]): { command: Command; words: readonly string[] } | undefined {
  const command = COMMANDS.find(({ spec }) => {
    const name = spec.name.split(' ');
    return name.every((word, at) => words[at] === word);
  });
  return command && { command, words: words.slice(command.spec.name.split(' ').length) };
}

function explain(words: readonly string[]): void {
  const specs = COMMANDS.map(({ spec }) => spec);
  const [first, second] = words;
  if (first === undefined) return void process.stdout.write(overview(specs));
  const command = findCommand(words);
  if (command) return void process.stdout.write(commandHelp(command.command.spec));
  const group = specs.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw new CommandError(`parley has no command "${first}"; try parley help`);
  if (second !== undefined)
    throw new CommandError(`parley ${first} has no command "${second}"; try parley ${first} --help`);
  process.stdout.write(groupHelp(first, group));
}

/** `parley listen | head -n 1`: whoever read has enough. */
function leaveWithTheReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}
