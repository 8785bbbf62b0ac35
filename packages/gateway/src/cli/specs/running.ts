import { PLANS } from '@parley/contract/plain';
import type { CommandSpec } from '../command.ts';

/** What is done on the machine of a gateway. */

export const START = { name: 'start', help: 'run the gateway (the default)' } as const satisfies CommandSpec;

export const DOCTOR = {
  name: 'doctor',
  help: 'print the configuration and check everything that the gateway depends on',
} as const satisfies CommandSpec;

export const SANDBOX = {
  name: 'sandbox',
  help: 'run the network of virtual phones by itself, for several gateways to share',
} as const satisfies CommandSpec;

export const MIGRATE = {
  name: 'migrate',
  help: 'bring the database to the schema of this release, as every start does',
  options: {
    status: { help: 'only show what the database has and what it would get' },
    'dry-run': { help: 'only print the statements that would be run' },
  },
} as const satisfies CommandSpec;

export const MIGRATE_STORE = {
  name: 'migrate-store',
  help: 'move a stopped gateway from its embedded database to PostgreSQL; numbers stay linked',
  options: {
    from: { help: 'the embedded database; the one in the data dir unless told', takes: 'sqlite:<file>' },
    to: { help: 'an empty database; PARLEY_DATABASE_URL unless told', takes: 'postgres://…' },
    'give-up': { help: 'take an unfinished move back, so that the gateway starts on its old database again' },
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
    check: { help: 'only look through the backup, and change nothing' },
    original: {
      help: 'the database that the backup was made of: no gateway starts on it any more',
      takes: 'address',
    },
    'original-is-gone': { help: 'it cannot be reached, and will never start again' },
    'give-up': { help: 'open the database of PARLEY_DATABASE_URL again, which a restore elsewhere has shut' },
  },
  examples: [
    'parley restore parley-2026-11-17T03-00-00Z.backup --original-is-gone',
    'parley restore today.backup --check',
  ],
} as const satisfies CommandSpec;

export const ROTATE_MASTER_KEY = {
  name: 'rotate-master-key',
  help: 'seal everything anew under the first key of PARLEY_MASTER_KEY, while the gateway runs; goes on where it was stopped',
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
      help: 'its folder “instances”, where it has no Redis: chats go on under the same keys',
      takes: 'folder',
    },
    account: { help: 'whose the numbers are from now on', takes: 'id' },
    plan: { help: 'of numbers that are not registered yet; max unless told', takes: 'plan', choices: PLANS },
    'dry-run': { help: 'say what would become of each instance, and change nothing' },
  },
  examples: [
    'parley import evolution --from postgres://evolution:secret@db.internal/evolution --account acc_01hzy3v7k9 --dry-run',
  ],
} as const satisfies CommandSpec;
