import { nearest } from '#kernel';
import manifest from '../../package.json' with { type: 'json' };
import { CommandError, type CommandSpec, type Input, type Run } from './command.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { parseWords } from './parse.ts';
import * as specs from './specs.ts';
import { createTerminal } from './terminal.ts';

const HELP: readonly string[] = ['help', '--help', '-h'];
const JSON_OPTION = '--json';

/** Runs what was typed behind `parley`. `--json` may stand before a command as well as behind it. */
export async function runCommand(typed: readonly string[]): Promise<void> {
  const isEarly = typed[0] === JSON_OPTION;
  const [first = 'start', ...rest] = isEarly ? typed.slice(1) : typed;
  if (isEarly && !HELP.includes(first)) rest.push(...(rest.includes(JSON_OPTION) ? [] : [JSON_OPTION]));
  if (first === '--version') return printVersion(rest.includes(JSON_OPTION));
  if (HELP.includes(first)) return explain(rest.filter((word) => !HELP.includes(word)));
  const found = findCommand([first, ...rest]);
  if (!found) return explain([first, ...rest].filter((word) => !HELP.includes(word)));
  const parsed = parseWords(found.command.spec, found.words);
  if (parsed.help) return void process.stdout.write(commandHelp(found.command.spec));
  const { args, options, connection, json } = parsed;
  if (found.command.spec.talksTo !== undefined) process.stdout.on('error', exitOnBrokenPipe);
  const input: Input = { args, options, connection, terminal: createTerminal(json) };
  await found.command.run(input).catch(async (error: unknown) => {
    if (found.command.spec.talksTo === undefined) throw error;
    throw (await import('./client/connect.ts')).advised(error);
  });
}

function printVersion(asJson: boolean): void {
  const { version } = manifest;
  process.stdout.write(`${asJson ? JSON.stringify({ version }) : version}\n`);
}

/** The command whose name the words begin with, the longest of several, and the words behind it. */
function findCommand(words: readonly string[]): { command: Command; words: readonly string[] } | undefined {
  const [command] = COMMANDS.filter(({ spec }) =>
    spec.name.split(' ').every((word, at) => words[at] === word),
  ).toSorted((a, b) => b.spec.name.length - a.spec.name.length);
  return command && { command, words: words.slice(command.spec.name.split(' ').length) };
}

function explain(words: readonly string[]): void {
  const all = COMMANDS.map(({ spec }) => spec);
  const [first, second] = words;
  if (first === undefined) return void process.stdout.write(overview(all));
  const command = findCommand(words);
  if (command) return void process.stdout.write(commandHelp(command.command.spec));
  const group = all.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) {
    const firsts = [...new Set(all.map(({ name }) => name.split(' ')[0] ?? ''))];
    throw new CommandError(`parley has no command "${first}"; ${advice(first, firsts, '', 'parley help')}`);
  }
  if (second !== undefined) {
    const seconds = group.map(({ name }) => name.slice(first.length + 1));
    const said = advice(second, seconds, `${first} `, `parley ${first} --help`);
    throw new CommandError(`parley ${first} has no command "${second}"; ${said}`);
  }
  process.stdout.write(groupHelp(first, group));
}

function advice(word: string, known: readonly string[], before: string, help: string): string {
  const meant = nearest(word, known);
  return meant === undefined ? `try ${help}` : `did you mean parley ${before}${meant}?`;
}

/** `parley listen | head -n 1`: the reader has closed the pipe. */
function exitOnBrokenPipe(error: NodeJS.ErrnoException): void {
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
  command(specs.SANDBOX_PHONES, async () => (await import('./client/phones.ts')).listPhones),
  command(specs.SANDBOX_PHONE, async () => (await import('./client/phones.ts')).addPhone),
  command(specs.SANDBOX_SCAN, async () => (await import('./client/phones.ts')).scan),
  command(specs.SANDBOX_REPLY, async () => (await import('./client/phones.ts')).reply),
  command(specs.SANDBOX_MESSAGES, async () => (await import('./client/phones.ts')).showMessages),
  command(specs.MIGRATE, async () => (await import('./migrate.ts')).migrate),
  command(specs.MIGRATE_STORE, async () => (await import('./migrate.ts')).migrateStore),
  command(specs.BACKUP, async () => (await import('./backup/backup.ts')).backup),
  command(specs.RESTORE, async () => (await import('./backup/backup.ts')).restoreBackup),
  command(specs.ROTATE_MASTER_KEY, async () => (await import('./backup/rotate.ts')).rotateMasterKey),
  command(specs.IMPORT_EVOLUTION, async () => (await import('./import/evolution.ts')).importEvolution),
  command(specs.ACCOUNT_CREATE, async () => (await import('./client/operator.ts')).createAccount),
  command(specs.ACCOUNT_LIST, async () => (await import('./client/operator.ts')).listAccounts),
  command(specs.ACCOUNT_DELETE, async () => (await import('./client/operator.ts')).deleteAccount),
  command(specs.ACCOUNT_KEEP, async () => (await import('./client/operator.ts')).keepAccount),
  command(specs.ACCOUNT_SUSPEND, async () => (await import('./client/operator.ts')).suspendAccount),
  command(specs.ACCOUNT_ACTIVATE, async () => (await import('./client/operator.ts')).activateAccount),
  command(specs.ACCOUNT_MEMBERS, async () => (await import('./client/operator.ts')).listMembers),
  command(specs.ACCOUNT_RESET_PASSWORD, async () => (await import('./client/operator.ts')).resetPassword),
  command(specs.ACCOUNT_RESET_TWO_FACTOR, async () => (await import('./client/operator.ts')).resetTwoFactor),
  command(specs.TERMS_PUBLISH, async () => (await import('./client/operator.ts')).publishTerms),
  command(specs.TERMS_LIST, async () => (await import('./client/operator.ts')).listTerms),
  command(specs.KEY_CREATE, async () => (await import('./client/operator.ts')).createKey),
  command(specs.KEY_LIST, async () => (await import('./client/operator.ts')).listKeys),
  command(specs.KEY_ROLL, async () => (await import('./client/operator.ts')).rollKey),
  command(specs.KEY_REVOKE, async () => (await import('./client/operator.ts')).revokeKey),
  command(specs.DEVICE_ADD, async () => (await import('./client/operator.ts')).addDevice),
  command(specs.DEVICE_LIST, async () => (await import('./client/operator.ts')).listDevices),
  command(specs.DEVICE_SET, async () => (await import('./client/operator.ts')).setDevice),
  command(specs.BILLING_SHOW, async () => (await import('./client/billing.ts')).showBilling),
  command(specs.BILLING_SET, async () => (await import('./client/billing.ts')).setBilling),
  command(specs.INVOICE_LIST, async () => (await import('./client/billing.ts')).listInvoices),
  command(specs.INVOICE_RUN, async () => (await import('./client/billing.ts')).runInvoices),
  command(specs.INVOICE_PAID, async () => (await import('./client/billing.ts')).markPaid),
  command(specs.INVOICE_PDF, async () => (await import('./client/billing.ts')).savePdf),
  command(specs.SESSION_LIST, async () => (await import('./client/session.ts')).listSessions),
  command(specs.SESSION_DELETE, async () => (await import('./client/session.ts')).deleteSession),
  command(specs.SESSION_PRESENCE, async () => (await import('./client/session.ts')).setPresence),
  command(specs.VERIFY, async () => (await import('./verify/verify.ts')).verify),
  command(specs.HEALTH, async () => (await import('./client/session.ts')).showHealth),
  command(specs.PACING, async () => (await import('./client/session.ts')).pacing),
  command(specs.PAIR, async () => (await import('./client/session.ts')).pair),
  command(specs.SEND, async () => (await import('./client/send.ts')).send),
  command(specs.MEDIA_UPLOAD, async () => (await import('./client/media.ts')).uploadMedia),
  command(specs.MEDIA_GET, async () => (await import('./client/media.ts')).getMedia),
  command(specs.LISTEN, async () => (await import('./client/listen.ts')).listen),
  command(specs.WEBHOOK_LIST, async () => (await import('./client/webhook.ts')).listWebhooks),
  command(specs.WEBHOOK_CREATE, async () => (await import('./client/webhook.ts')).createWebhook),
  command(specs.WEBHOOK_DELETE, async () => (await import('./client/webhook.ts')).deleteWebhook),
  command(specs.WEBHOOK_TEST, async () => (await import('./client/webhook.ts')).testWebhook),
  command(specs.WEBHOOK_ROTATE, async () => (await import('./client/webhook.ts')).rotateSecret),
  command(specs.DELIVERIES_LIST, async () => (await import('./client/webhook.ts')).listDeliveries),
  command(specs.DELIVERIES_REDELIVER, async () => (await import('./client/webhook.ts')).redeliver),
  command(specs.MCP, async () => (await import('./mcp/mcp.ts')).mcp),
  command(specs.COMPLETION, async () => {
    const { completion } = await import('./completion.ts');
    return async ({ args, terminal }) => completion(args.shell, COMMANDS, terminal);
  }),
];
