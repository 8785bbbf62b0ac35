import { EVENT_KINDS, EXTENSION_NAMES, PRESENCE_POLICIES } from '@parley/contract/plain';
import type { CommandSpec } from '../command.ts';

/** Commands of an account's owner. */

const from = {
  help: 'the number to act as, or its session id; not needed when the key sees only one',
  takes: 'number',
} as const;
const webhook = { help: 'id of the webhook; not needed when there is only one', takes: 'id' } as const;

const WEBHOOK_CATEGORIES = ['messages', 'status', 'connection', 'events'] as const;
const DELIVERY_STATUS_CHOICES = ['pending', 'delivered', 'dead'] as const;

export const SESSION_LIST = {
  name: 'session list',
  help: 'list linked numbers and their state',
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
    { name: 'policy', help: 'the new policy', choices: PRESENCE_POLICIES },
  ],
  examples: ['parley session presence 15550001001 unavailable'],
} as const satisfies CommandSpec;

export const VERIFY = {
  name: 'verify',
  help: 'go through the checklist for real numbers with two linked numbers, and write a report without numbers, names and texts',
  talksTo: 'account',
  options: {
    a: { help: 'the first number; both are reached by the API key', takes: 'number' },
    b: { help: 'the second number', takes: 'number' },
    yes: { help: 'ask nothing: lines that need hands count as skipped' },
    anew: { help: 'begin anew; without it an interrupted run goes on' },
    out: { help: 'file of the report; by default verify-report.json in the data directory', takes: 'file' },
  },
  examples: ['parley verify --a 15550001001 --b 15550002001'],
} as const satisfies CommandSpec;

export const HEALTH = {
  name: 'health',
  help: 'show the health of a number with the network, and advice',
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
  help: 'show or change the pacing of a number',
  talksTo: 'account',
  arguments: [{ name: 'session', help: 'the number, or its session id' }],
  options: {
    set: { help: 'what to change, as the API takes it', takes: 'json' },
  },
  examples: [`parley pacing 15550001001 --set '{"daily_new_chats": 40, "gap_max_seconds": 8}'`],
} as const satisfies CommandSpec;

export const PAIR = {
  name: 'pair',
  help: 'link a number: shows a QR code to scan, or a code to type, until it is linked',
  talksTo: 'account',
  arguments: [
    { name: 'device', help: 'id of the device (slot_…), or its number when the operator token is set' },
  ],
  options: { code: { help: 'show a code to type on the phone instead of a QR code' } },
  examples: ['parley pair slot_01j9z6m4k2', 'parley pair 15550001001 --code'],
} as const satisfies CommandSpec;

export const SEND = {
  name: 'send',
  help: 'send a message',
  talksTo: 'account',
  arguments: [
    { name: 'to', help: 'number or JID of a person or group' },
    { name: 'text', help: 'the text; - reads it from standard input', optional: true },
  ],
  options: {
    from,
    image: { help: 'send an image from this URL, with the text as its caption', takes: 'url' },
    video: { help: 'the same with a video', takes: 'url' },
    audio: { help: 'the same with audio, which has no caption', takes: 'url' },
    document: { help: 'the same with a document', takes: 'url' },
    data: { help: 'fields of any other kind of message, as the API takes them', takes: 'json' },
    id: { help: 'idempotency key: repeating a send with the same key sends it once', takes: 'key' },
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
  help: 'upload a file, to use its id in sends and pictures',
  talksTo: 'account',
  arguments: [{ name: 'file', help: 'its path; - reads it from standard input' }],
  options: { type: { help: 'its media type; detected by default', takes: 'type' } },
  examples: [
    'parley media upload harbour.png',
    'cat tides.pdf | parley media upload - --type application/pdf',
  ],
} as const satisfies CommandSpec;

export const MEDIA_GET = {
  name: 'media get',
  help: 'download an uploaded or received file',
  talksTo: 'account',
  arguments: [{ name: 'media', help: 'id of the file (med_…)' }],
  options: { out: { help: 'where to write it; standard output by default', takes: 'file' } },
  examples: ['parley media get med_01jb2x9q4m --out harbour.png'],
} as const satisfies CommandSpec;

export const LISTEN = {
  name: 'listen',
  help: 'print events as they happen, and forward them like webhooks',
  talksTo: 'account',
  options: {
    from: { ...from, help: 'only events of this number' },
    kind: { help: 'only events of this kind', takes: 'kind', choices: EVENT_KINDS },
    after: { help: 'begin behind this cursor instead of now', takes: 'cursor' },
    forward: { help: 'POST each event there, signed as a webhook would be', takes: 'url' },
    secret: { help: 'sign with this secret; by default a new one is made and shown', takes: 'secret' },
  },
  examples: ['parley listen --kind message', 'parley listen --forward http://localhost:3000/hooks'],
} as const satisfies CommandSpec;

export const WEBHOOK_LIST = {
  name: 'webhook list',
  help: 'list webhooks and their addresses',
  talksTo: 'account',
} as const satisfies CommandSpec;

export const WEBHOOK_CREATE = {
  name: 'webhook create',
  help: 'send the events of a number to an address; its secret is shown only now',
  talksTo: 'account',
  arguments: [{ name: 'url', help: 'the address' }],
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
  help: 'delete a webhook',
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
      help: 'category of the address; messages by default',
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
  help: 'list the deliveries of a webhook with their results, newest first',
  talksTo: 'account',
  options: {
    webhook,
    status: { help: 'only these', takes: 'status', choices: DELIVERY_STATUS_CHOICES },
    kind: { help: 'only events of this kind', takes: 'kind', choices: EVENT_KINDS },
    limit: { help: 'maximum number; 20 by default', takes: 'count' },
  },
} as const satisfies CommandSpec;

export const DELIVERIES_REDELIVER = {
  name: 'deliveries redeliver',
  help: 'deliver dead letters again: one, or all',
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
