import { PLANS } from '@parley/contract/plain';
import type { CommandSpec } from '../command.ts';

/** Commands on the machine of a gateway. */

export const START = { name: 'start', help: 'run the gateway (the default)' } as const satisfies CommandSpec;

export const DOCTOR = {
  name: 'doctor',
  help: 'print the configuration and check everything that the gateway depends on',
} as const satisfies CommandSpec;

export const SANDBOX = {
  name: 'sandbox',
  help: 'run the network of virtual phones as a process of its own, shared by several gateways',
} as const satisfies CommandSpec;

export const MIGRATE = {
  name: 'migrate',
  help: 'bring the database to the schema of this release, as every start does',
  options: {
    status: { help: 'only show applied and pending migrations' },
    'dry-run': { help: 'only print the statements that it would run' },
  },
} as const satisfies CommandSpec;

export const MIGRATE_STORE = {
  name: 'migrate-store',
  help: 'move a stopped gateway from its embedded database to PostgreSQL; numbers stay linked',
  options: {
    from: { help: 'the embedded database; by default the one in the data dir', takes: 'sqlite:<file>' },
    to: { help: 'an empty database; PARLEY_DATABASE_URL by default', takes: 'postgres://…' },
    'give-up': { help: 'undo an unfinished move, so that the gateway starts on its old database again' },
  },
  examples: ['parley migrate-store --to postgres://parley:secret@db.internal/parley'],
} as const satisfies CommandSpec;

export const BACKUP = {
  name: 'backup',
  help: 'write everything into one sealed file, while the gateway runs',
  arguments: [{ name: 'file', help: 'to write; in a folder it gets a name with the time' }],
  options: {
    dump: { help: 'with PostgreSQL: what pg_dump --format=custom has written', takes: 'file' },
  },
  examples: ['parley backup /var/backups/parley', 'parley backup today.backup --dump parley.dump'],
} as const satisfies CommandSpec;

export const RESTORE = {
  name: 'restore',
  help: 'put a backup into the empty data dir; numbers stay linked',
  arguments: [{ name: 'file', help: 'the backup', optional: true }],
  options: {
    check: { help: 'only check the backup, and change nothing' },
    original: {
      help: 'the database that the backup was made of: no gateway starts on it any more',
      takes: 'address',
    },
    'original-is-gone': { help: 'it cannot be reached, and will never start again' },
    'give-up': { help: 'unlock the database of PARLEY_DATABASE_URL, which a restore elsewhere has locked' },
  },
  examples: [
    'parley restore parley-2026-11-17T03-00-00Z.backup --original-is-gone',
    'parley restore today.backup --check',
  ],
} as const satisfies CommandSpec;

export const ROTATE_MASTER_KEY = {
  name: 'rotate-master-key',
  help: 're-encrypt everything under the first key of PARLEY_MASTER_KEY, while the gateway runs; resumes where it was stopped',
  examples: ['PARLEY_MASTER_KEY=<new>,<old> parley rotate-master-key'],
} as const satisfies CommandSpec;

export const COMPLETION = {
  name: 'completion',
  help: 'print a script that completes these commands in a shell',
  arguments: [{ name: 'shell', help: 'which one', choices: ['bash', 'zsh', 'fish'] }],
  examples: ['source <(parley completion bash)', 'parley completion fish | source'],
} as const satisfies CommandSpec;

export const IMPORT_EVOLUTION = {
  name: 'import evolution',
  help: 'bring instances of Evolution API 2.3, their webhooks and their links to a stopped gateway; numbers stay linked',
  options: {
    from: { help: 'the database of Evolution API, which should be stopped too', takes: 'postgres://…' },
    keys: {
      help: 'its folder “instances”, where it has no Redis: chats keep their keys',
      takes: 'folder',
    },
    account: { help: 'the account that gets the numbers', takes: 'id' },
    plan: { help: 'plan of newly registered numbers; max by default', takes: 'plan', choices: PLANS },
    'dry-run': { help: 'show the outcome for each instance, and change nothing' },
  },
  examples: [
    'parley import evolution --from postgres://evolution:secret@db.internal/evolution --account acc_01hzy3v7k9 --dry-run',
  ],
} as const satisfies CommandSpec;

/** Commands on virtual phones. */

export const SANDBOX_PHONES = {
  name: 'sandbox phones',
  help: 'list the virtual phones',
  talksTo: 'operator',
} as const satisfies CommandSpec;

export const SANDBOX_PHONE = {
  name: 'sandbox phone',
  help: 'make a virtual phone',
  talksTo: 'operator',
  arguments: [
    { name: 'phone', help: 'its number' },
    { name: 'name', help: 'name of its owner', optional: true },
  ],
  options: { 'auto-read': { help: 'read every message at once' } },
  examples: ['parley sandbox phone 15550003001 Nina'],
} as const satisfies CommandSpec;

export const SANDBOX_SCAN = {
  name: 'sandbox scan',
  help: 'link a number: scan a QR code with a virtual phone, or type a code into it',
  talksTo: 'operator',
  arguments: [
    { name: 'phone', help: 'number of the phone' },
    {
      name: 'qr',
      help: 'what parley pair --json shows as qr or code; - or nothing reads it from standard input',
      optional: true,
    },
  ],
} as const satisfies CommandSpec;

export const SANDBOX_REPLY = {
  name: 'sandbox reply',
  help: 'write a message with a virtual phone',
  talksTo: 'operator',
  arguments: [
    { name: 'phone', help: 'number of the phone' },
    { name: 'to', help: 'number or JID of a person or group' },
    { name: 'text', help: 'the text; - reads it from standard input' },
  ],
  examples: ['parley sandbox reply 15550002001 15550001001 "Is it ready?"'],
} as const satisfies CommandSpec;

export const SANDBOX_MESSAGES = {
  name: 'sandbox messages',
  help: 'show the messages of a virtual phone',
  talksTo: 'operator',
  arguments: [{ name: 'phone', help: 'number of the phone' }],
} as const satisfies CommandSpec;
