import { EVENT_KINDS, EXTENSION_NAMES, PERMISSIONS, PLANS, PRESENCE_POLICIES } from '@parley/contract/plain';
import type { CommandSpec } from './command.ts';

/** Every command, as data: nothing here is loaded for its own sake. */

const DEVICE_STATUS_CHOICES = ['active', 'inactive', 'suspended'] as const;
const WEBHOOK_CATEGORIES = ['messages', 'status', 'connection', 'events'] as const;
const DELIVERY_STATUS_CHOICES = ['pending', 'delivered', 'dead'] as const;

const account = { name: 'account', help: 'id of the account (acc_…)' } as const;
const from = {
  help: 'the number to act as, or its session id; not needed when the key sees only one',
  takes: 'number',
} as const;
const webhook = { help: 'id of the webhook; not needed when there is only one', takes: 'id' } as const;

export const START = { name: 'start', help: 'run the gateway (the default)' } as const satisfies CommandSpec;
export const DOCTOR = {
  name: 'doctor',
  help: 'print the configuration and check everything that the gateway depends on',
} as const satisfies CommandSpec;
export const SANDBOX = {
  name: 'sandbox',
  help: 'run the network of virtual phones by itself, for several gateways to share',
} as const satisfies CommandSpec;
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
    { name: 'name', help: 'of whoever holds it', optional: true },
  ],
  options: { 'auto-read': { help: 'it reads every message at once' } },
  examples: ['parley sandbox phone 15550003001 Nina'],
} as const satisfies CommandSpec;
export const SANDBOX_SCAN = {
  name: 'sandbox scan',
  help: 'link a number: scan a QR with a virtual phone, or type a code into it',
  talksTo: 'operator',
  arguments: [
    { name: 'phone', help: 'whose phone' },
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
    { name: 'phone', help: 'who writes' },
    { name: 'to', help: 'number or JID of a person or group' },
    { name: 'text', help: 'the words; - reads them from standard input' },
  ],
  examples: ['parley sandbox reply 15550002001 15550001001 "Is it ready?"'],
} as const satisfies CommandSpec;
export const SANDBOX_MESSAGES = {
  name: 'sandbox messages',
  help: 'show what a virtual phone has got and sent',
  talksTo: 'operator',
  arguments: [{ name: 'phone', help: 'whose phone' }],
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

export const IMPORT_EVOLUTION = {
  name: 'import evolution',
  help: 'bring instances of Evolution API 2.3, their webhooks and their links to a stopped gateway; numbers stay linked',
  options: {
    from: { help: 'the database of Evolution API, which should be stopped too', takes: 'postgres://…' },
    account: { help: 'whose the numbers are from now on', takes: 'id' },
    plan: { help: 'of numbers that are not registered yet; max unless told', takes: 'plan', choices: PLANS },
    'dry-run': { help: 'say what would become of each instance, and change nothing' },
  },
  examples: [
    'parley import evolution --from postgres://evolution:secret@db.internal/evolution --account acc_01hzy3v7k9 --dry-run',
  ],
} as const satisfies CommandSpec;

export const ACCOUNT_CREATE = {
  name: 'account create',
  help: 'create an account',
  talksTo: 'operator',
  arguments: [
    { name: 'name', help: 'of its owner' },
    { name: 'email', help: 'for signing in to the portal' },
  ],
  options: { password: { help: 'for signing in; without one see account reset-password', takes: 'words' } },
  examples: ['parley account create "Harbour Books" ada@example.com'],
} as const satisfies CommandSpec;
export const ACCOUNT_LIST = {
  name: 'account list',
  help: 'list accounts',
  talksTo: 'operator',
} as const satisfies CommandSpec;
export const ACCOUNT_SUSPEND = {
  name: 'account suspend',
  help: 'let an account do nothing until it is activated again',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;
export const ACCOUNT_ACTIVATE = {
  name: 'account activate',
  help: 'end the suspension of an account',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;

export const ACCOUNT_MEMBERS = {
  name: 'account members',
  help: 'list those who can sign in for an account',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;
export const ACCOUNT_RESET_PASSWORD = {
  name: 'account reset-password',
  help: 'make a link by which somebody chooses a new password; needs no mail',
  talksTo: 'operator',
  arguments: [account],
  options: { email: { help: 'which member; the first owner unless told', takes: 'email' } },
  examples: ['parley account reset-password acc_01j9z6m4k2'],
} as const satisfies CommandSpec;

export const ACCOUNT_RESET_TWO_FACTOR = {
  name: 'account reset-two-factor',
  help: 'turn two-factor sign-in off for somebody who has lost the app and the recovery codes',
  talksTo: 'operator',
  arguments: [account, { name: 'member', help: 'id of the member (mem_…)' }],
} as const satisfies CommandSpec;

export const KEY_CREATE = {
  name: 'key create',
  help: 'create an API key; it is shown only now',
  talksTo: 'operator',
  arguments: [account, { name: 'name', help: 'what it is for' }],
  options: {
    phone: { help: 'restrict it to this number', takes: 'number' },
    permission: {
      help: 'what it may do; all when none is given',
      takes: 'name',
      choices: PERMISSIONS,
      multiple: true,
    },
    expires: { help: 'when it ends, as 2026-12-31T23:59:59Z', takes: 'time' },
  },
  examples: ['parley key create acc_01j9z6m4k2 shop --phone 15550001001 --permission messages'],
} as const satisfies CommandSpec;
export const KEY_LIST = {
  name: 'key list',
  help: 'list the API keys of an account',
  talksTo: 'operator',
  arguments: [account],
} as const satisfies CommandSpec;
export const KEY_REVOKE = {
  name: 'key revoke',
  help: 'end an API key at once',
  talksTo: 'operator',
  arguments: [
    account,
    { name: 'key', help: 'id of the key, as key list shows it: what follows pk_ in the key itself' },
  ],
} as const satisfies CommandSpec;

export const DEVICE_ADD = {
  name: 'device add',
  help: 'register a number, so that it can be paired',
  talksTo: 'operator',
  arguments: [account, { name: 'phone', help: 'digits only, in international form' }],
  options: { plan: { help: 'what it may do; max unless told', takes: 'plan', choices: PLANS } },
} as const satisfies CommandSpec;
export const DEVICE_LIST = {
  name: 'device list',
  help: 'list numbers, of one account or of all',
  talksTo: 'operator',
  arguments: [{ ...account, optional: true }],
} as const satisfies CommandSpec;
export const DEVICE_SET = {
  name: 'device set',
  help: 'change the plan or the status of a number',
  talksTo: 'operator',
  arguments: [{ name: 'device', help: 'number or id of the device (slot_…)' }],
  options: {
    plan: { help: 'the new plan', takes: 'plan', choices: PLANS },
    status: { help: 'the new status', takes: 'status', choices: DEVICE_STATUS_CHOICES },
  },
} as const satisfies CommandSpec;

export const SESSION_LIST = {
  name: 'session list',
  help: 'list linked numbers and how they are',
  talksTo: 'account',
} as const satisfies CommandSpec;
export const SESSION_DELETE = {
  name: 'session delete',
  help: 'log a number out for good',
  talksTo: 'account',
  arguments: [{ name: 'session', help: 'the number, or its session id' }],
} as const satisfies CommandSpec;

export const SESSION_PRESENCE = {
  name: 'session presence',
  help: 'choose whether a number appears online, which silences its owner’s phone',
  talksTo: 'account',
  arguments: [
    { name: 'session', help: 'the number, or its session id' },
    { name: 'policy', help: 'what it is from now on', choices: PRESENCE_POLICIES },
  ],
  examples: ['parley session presence 15550001001 unavailable'],
} as const satisfies CommandSpec;

export const HEALTH = {
  name: 'health',
  help: 'show how a number stands with the network, and what to do',
  talksTo: 'account',
  arguments: [
    {
      name: 'session',
      help: 'the number, or its session id; not needed when there is one only',
      optional: true,
    },
  ],
} as const satisfies CommandSpec;
export const PACING = {
  name: 'pacing',
  help: 'show or change how a number is protected',
  talksTo: 'account',
  arguments: [{ name: 'session', help: 'the number, or its session id' }],
  options: {
    set: { help: 'what to change, as the API takes it', takes: 'json' },
  },
  examples: [`parley pacing 15550001001 --set '{"daily_new_chats": 40, "gap_max_seconds": 8}'`],
} as const satisfies CommandSpec;

export const PAIR = {
  name: 'pair',
  help: 'link a number: shows a QR to scan, or a code to type, until it is done',
  talksTo: 'account',
  arguments: [
    { name: 'device', help: 'id of the device (slot_…), or its number when the operator token is set' },
  ],
  options: { code: { help: 'show a code to type on the phone instead of a QR' } },
  examples: ['parley pair slot_01j9z6m4k2', 'parley pair 15550001001 --code'],
} as const satisfies CommandSpec;

export const SEND = {
  name: 'send',
  help: 'send a message',
  talksTo: 'account',
  arguments: [
    { name: 'to', help: 'number or JID of a person or group' },
    { name: 'text', help: 'the words; - reads them from standard input', optional: true },
  ],
  options: {
    from,
    image: { help: 'send an image from this address, with the text as its caption', takes: 'url' },
    video: { help: 'the same with a video', takes: 'url' },
    audio: { help: 'the same with a sound, which has no caption', takes: 'url' },
    document: { help: 'the same with a document', takes: 'url' },
    data: { help: 'fields of any other kind of message, as the API takes them', takes: 'json' },
    id: { help: 'idempotency key: what is sent again with the same one is sent once', takes: 'key' },
    wait: { help: 'wait until it is delivered' },
  },
  examples: [
    'parley send 15550002001 "Your order is ready."',
    'parley send 15550002001 "Your invoice" --document https://files.example.com/1042.pdf --wait',
    `parley send 15550002001 --data '{"type": "location", "latitude": 53.5, "longitude": 10}'`,
  ],
} as const satisfies CommandSpec;

export const MEDIA_UPLOAD = {
  name: 'media upload',
  help: 'upload a file, for sends and pictures to use by its id',
  talksTo: 'account',
  arguments: [{ name: 'file', help: 'its path; - reads it from standard input' }],
  options: { type: { help: 'its media type; by default the gateway looks at the bytes', takes: 'type' } },
  examples: [
    'parley media upload harbour.png',
    'cat tides.pdf | parley media upload - --type application/pdf',
  ],
} as const satisfies CommandSpec;
export const MEDIA_GET = {
  name: 'media get',
  help: 'download a file that was uploaded, or that came with a message',
  talksTo: 'account',
  arguments: [{ name: 'media', help: 'id of the file (med_…)' }],
  options: { out: { help: 'where to write it; standard output unless told', takes: 'file' } },
  examples: ['parley media get med_01jb2x9q4m --out harbour.png'],
} as const satisfies CommandSpec;

export const LISTEN = {
  name: 'listen',
  help: 'print events as they happen, and pass them on like webhooks',
  talksTo: 'account',
  options: {
    from: { ...from, help: 'only events of this number' },
    kind: { help: 'only events of this kind', takes: 'kind', choices: EVENT_KINDS },
    after: { help: 'begin behind this cursor instead of now', takes: 'cursor' },
    forward: { help: 'POST each event there, signed as a webhook would be', takes: 'url' },
    secret: { help: 'sign with this secret; without one a new one is made and shown', takes: 'secret' },
  },
  examples: ['parley listen --kind message', 'parley listen --forward http://localhost:3000/hooks'],
} as const satisfies CommandSpec;

export const WEBHOOK_LIST = {
  name: 'webhook list',
  help: 'list webhooks and where they lead',
  talksTo: 'account',
} as const satisfies CommandSpec;
export const WEBHOOK_CREATE = {
  name: 'webhook create',
  help: 'have the events of a number sent to an address; its secret is shown only now',
  talksTo: 'account',
  arguments: [{ name: 'url', help: 'where to' }],
  options: {
    from: { ...from, help: 'the number; not needed when the key sees only one' },
    only: { help: 'only these events', takes: 'category', choices: WEBHOOK_CATEGORIES, multiple: true },
    extension: {
      help: 'also these, beyond the default',
      takes: 'name',
      choices: EXTENSION_NAMES,
      multiple: true,
    },
  },
  examples: [
    'parley webhook create https://app.example.com/hooks',
    'parley webhook create https://app.example.com/hooks --only messages --extension own_messages',
  ],
} as const satisfies CommandSpec;
export const WEBHOOK_DELETE = {
  name: 'webhook delete',
  help: 'send nothing there any more',
  talksTo: 'account',
  arguments: [{ name: 'webhook', help: 'its id (wh_…)' }],
} as const satisfies CommandSpec;
export const WEBHOOK_TEST = {
  name: 'webhook test',
  help: 'send a signed sample event',
  talksTo: 'account',
  options: {
    webhook,
    category: {
      help: 'to which of its addresses; messages unless told',
      takes: 'category',
      choices: WEBHOOK_CATEGORIES,
    },
  },
} as const satisfies CommandSpec;
export const WEBHOOK_ROTATE = {
  name: 'webhook rotate-secret',
  help: 'sign with a new secret; the old one signs beside it for a day',
  talksTo: 'account',
  options: { webhook },
} as const satisfies CommandSpec;

export const DELIVERIES_LIST = {
  name: 'deliveries list',
  help: 'show what became of the events sent to a webhook, newest first',
  talksTo: 'account',
  options: {
    webhook,
    status: { help: 'only these', takes: 'status', choices: DELIVERY_STATUS_CHOICES },
    kind: { help: 'only events of this kind', takes: 'kind', choices: EVENT_KINDS },
    limit: { help: 'at most so many; 20 unless told', takes: 'count' },
  },
} as const satisfies CommandSpec;
export const DELIVERIES_REDELIVER = {
  name: 'deliveries redeliver',
  help: 'deliver what is dead once more: one, or all of it',
  talksTo: 'account',
  arguments: [{ name: 'delivery', help: 'id of the delivery (dl_…)', optional: true }],
  options: { webhook, all: { help: 'every dead delivery of the webhook' } },
} as const satisfies CommandSpec;

export const MCP = {
  name: 'mcp',
  help: 'serve the API of one number to an AI assistant, over standard input and output (Model Context Protocol)',
  talksTo: 'account',
  options: { from, 'read-only': { help: 'only tools that change nothing' } },
  examples: ['parley mcp --key <a key that is restricted to one number>'],
} as const satisfies CommandSpec;

export const COMPLETION = {
  name: 'completion',
  help: 'print a script that completes these commands in a shell',
  arguments: [{ name: 'shell', help: 'which one', choices: ['bash', 'zsh', 'fish'] }],
  examples: ['source <(parley completion bash)', 'parley completion fish | source'],
} as const satisfies CommandSpec;
