import manifest from '../../package.json' with { type: 'json' };
import { CommandError, type CommandSpec, type Input, type Run } from './command.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { parseWords } from './parse.ts';
import * as specs from './specs.ts';
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
  const all = COMMANDS.map(({ spec }) => spec);
  const [first, second] = words;
  if (first === undefined) return void process.stdout.write(overview(all));
  const command = findCommand(words);
  if (command) return void process.stdout.write(commandHelp(command.command.spec));
  const group = all.filter(({ name }) => name.startsWith(`${first} `));
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

/** A command, and how to load what it does: each loads what it needs and nothing else. */
export interface Command {
  readonly spec: CommandSpec;
  run(input: Input): Promise<void>;
}

function command<S extends CommandSpec>(spec: S, load: () => Promise<Run<S>>): Command {
  // The parser has made the input by this very spec.
  return { spec, run: async (input) => (await load())(input as Input<S>) };
}

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  command(specs.START, async () => (await import('./start.ts')).start),
  command(specs.DOCTOR, async () => (await import('./doctor/doctor.ts')).doctor),
  command(specs.SANDBOX, async () => (await import('./sandbox.ts')).sandbox),
  command(specs.MIGRATE, async () => (await import('./migrate.ts')).migrate),
  command(specs.MIGRATE_STORE, async () => (await import('./migrate-store.ts')).migrateStore),
  command(specs.BACKUP, async () => (await import('./safekeeping/backup.ts')).backup),
  command(specs.RESTORE, async () => (await import('./safekeeping/restore.ts')).restoreBackup),
  command(specs.ROTATE_MASTER_KEY, async () => (await import('./safekeeping/rotate.ts')).rotateMasterKey),
  command(specs.ACCOUNT_CREATE, async () => (await import('./client/operator.ts')).createAccount),
  command(specs.ACCOUNT_LIST, async () => (await import('./client/operator.ts')).listAccounts),
  command(specs.ACCOUNT_SUSPEND, async () => (await import('./client/operator.ts')).suspendAccount),
  command(specs.ACCOUNT_ACTIVATE, async () => (await import('./client/operator.ts')).activateAccount),
  command(specs.ACCOUNT_MEMBERS, async () => (await import('./client/operator.ts')).listMembers),
  command(specs.ACCOUNT_RESET_PASSWORD, async () => (await import('./client/operator.ts')).resetPassword),
  command(specs.ACCOUNT_RESET_TWO_FACTOR, async () => (await import('./client/operator.ts')).resetTwoFactor),
  command(specs.KEY_CREATE, async () => (await import('./client/operator.ts')).createKey),
  command(specs.KEY_LIST, async () => (await import('./client/operator.ts')).listKeys),
  command(specs.KEY_REVOKE, async () => (await import('./client/operator.ts')).revokeKey),
  command(specs.DEVICE_ADD, async () => (await import('./client/operator.ts')).addDevice),
  command(specs.DEVICE_LIST, async () => (await import('./client/operator.ts')).listDevices),
  command(specs.DEVICE_SET, async () => (await import('./client/operator.ts')).setDevice),
  command(specs.SESSION_LIST, async () => (await import('./client/session.ts')).listSessions),
  command(specs.SESSION_DELETE, async () => (await import('./client/session.ts')).deleteSession),
  command(specs.SESSION_PRESENCE, async () => (await import('./client/session.ts')).setPresence),
  command(specs.HEALTH, async () => (await import('./client/health.ts')).showHealth),
  command(specs.PACING, async () => (await import('./client/health.ts')).pacing),
  command(specs.PAIR, async () => (await import('./client/session.ts')).pair),
  command(specs.SEND, async () => (await import('./client/send.ts')).send),
  command(specs.MEDIA_UPLOAD, async () => (await import('./client/media.ts')).uploadMedia),
  command(specs.MEDIA_GET, async () => (await import('./client/media.ts')).getMedia),
  command(specs.LISTEN, async () => (await import('./client/listen.ts')).listen),
  command(specs.DELIVERIES_LIST, async () => (await import('./client/deliveries.ts')).listDeliveries),
  command(specs.DELIVERIES_REDELIVER, async () => (await import('./client/deliveries.ts')).redeliver),
  command(specs.MCP, async () => (await import('./mcp/mcp.ts')).mcp),
  command(specs.COMPLETION, async () => {
    const { completion } = await import('./completion.ts');
    return async ({ args, terminal }) => completion(args.shell, COMMANDS, terminal);
  }),
];
