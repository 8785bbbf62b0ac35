/** A folder of `packages/gateway/src`. */
export interface Room {
  /** What it is for, as ARCHITECTURE.md says it. */
  readonly job: string;
  /** The rooms that it may import, by their `index.ts`. */
  readonly knows: readonly string[];
  /** What else of it the rooms above may import: modules that are loaded into the database's threads. */
  readonly doors?: readonly string[];
  /** Modules outside the rooms that it may import. */
  readonly outside?: readonly string[];
}

/**
 * The rooms of the gateway, from the bottom up. The linter's fences (`fences.json`) and the table in ARCHITECTURE.md are made from this:
 * `npm run fences`. A new room, or a room that gets to know another, is a line here.
 */
export const rooms: Readonly<Record<string, Room>> = {
  kernel: {
    job: 'clock, ids, chance, faults, rate arithmetic, retry schedules, sealed box; no I/O',
    knows: [],
  },
  store: {
    job: 'database (SQLite or PostgreSQL), migrations, group commit',
    knows: ['kernel'],
    doors: ['batch'],
  },
  safekeeping: {
    job: 'backups and their restoring',
    knows: ['kernel', 'store'],
  },
  bus: {
    job: 'calls to the host of a session, wake-ups; in one process or in many',
    knows: ['kernel'],
  },
  egress: {
    job: 'the one outgoing HTTP client, which refuses private addresses at connect time; the spool that files pass through',
    knows: ['kernel'],
  },
  http: {
    job: 'server, checks, error answers; takes routes, knows no feature',
    knows: ['kernel'],
  },
  network: {
    job: 'port, its conformance suite and a fake driver (`testing/`), `whatsapp/` (Baileys)',
    knows: ['kernel', 'store'],
  },
  ops: {
    job: 'readiness, metrics, logs',
    knows: ['kernel', 'http'],
  },
  mail: {
    job: 'mails that were asked for, kept until a mail server has taken them',
    knows: ['kernel', 'store'],
  },
  tracing: {
    job: 'traces by OpenTelemetry, where they are switched on, and what carries them from one process to another',
    knows: ['kernel', 'store', 'bus'],
    outside: ['config'],
  },
  accounts: {
    job: 'accounts, their members, keys, devices, plans, quota, terms, audit',
    knows: ['kernel', 'store', 'http', 'mail'],
    doors: ['write-commands'],
  },
  'request-log': {
    job: 'what keys have asked for lately and how it was answered: written beside the requests, in batches',
    knows: ['kernel', 'store', 'http'],
  },
  throughput: {
    job: 'how much the whole gateway accepts, sends, receives and delivers, by minute and by hour',
    knows: ['kernel', 'store', 'http'],
  },
  'event-log': {
    job: 'public events and the queue of their deliveries: written together, read in windows, pages and streams',
    knows: ['kernel', 'store', 'bus'],
    doors: ['write-commands'],
  },
  history: {
    job: 'what numbers keep of their conversations, where that is asked for: written with the events, sealed, read back, deleted',
    knows: ['kernel', 'store', 'bus', 'http', 'accounts'],
    doors: ['write-commands'],
  },
  health: {
    job: 'how numbers stand with the network: states, counts, whom they know, and how sends are paced by that',
    knows: ['kernel', 'store', 'http', 'network', 'accounts', 'event-log', 'history'],
    doors: ['write-commands'],
  },
  webhooks: {
    job: '`endpoints` (configuration, signing), `delivery` (lanes, attempts), `history` (dead letters, retention)',
    knows: ['kernel', 'store', 'bus', 'egress', 'http', 'accounts', 'event-log'],
  },
  billing: {
    job: 'prices, invoices that come by themselves, what they look like, and who is told of them',
    knows: ['kernel', 'store', 'egress', 'http', 'accounts', 'webhooks'],
  },
  events: {
    job: 'network event → public event, quarantine, retention, the routes of the feed',
    knows: ['kernel', 'store', 'http', 'network', 'accounts', 'event-log', 'history', 'health'],
  },
  sessions: {
    job: 'pairing, ownership, hosting, status',
    knows: ['kernel', 'store', 'bus', 'http', 'network', 'accounts', 'event-log', 'health'],
  },
  media: {
    job: 'files that were uploaded or came with messages (`inbound`), sealed in a folder or an S3-compatible store (`blobs`)',
    knows: ['kernel', 'store', 'egress', 'http', 'network', 'accounts', 'sessions'],
    outside: ['config'],
  },
  messages: {
    job: 'sends: limits, outbox, kinds, receipts',
    knows: [
      'kernel',
      'store',
      'bus',
      'egress',
      'http',
      'network',
      'accounts',
      'event-log',
      'history',
      'health',
      'media',
      'sessions',
    ],
  },
  actions: {
    job: 'what all synchronous operations share: plan, connection, words for the network’s refusals, lent files',
    knows: ['kernel', 'egress', 'http', 'network', 'media', 'sessions'],
  },
  groups: {
    job: 'groups, answered at once',
    knows: ['kernel', 'http', 'network', 'media', 'sessions', 'actions'],
  },
  contacts: {
    job: 'contacts, answered at once',
    knows: ['kernel', 'http', 'network', 'media', 'sessions', 'actions'],
  },
  chats: {
    job: 'what the owner sees of chats, answered at once',
    knows: ['kernel', 'http', 'history', 'network', 'sessions', 'actions'],
  },
  channels: {
    job: 'channels, answered at once; their posts are messages',
    knows: ['kernel', 'http', 'network', 'media', 'sessions', 'messages', 'actions'],
  },
  calls: { job: 'calls, answered at once', knows: ['kernel', 'http', 'network', 'sessions', 'actions'] },
  presence: {
    job: 'presence, answered at once',
    knows: ['kernel', 'http', 'network', 'sessions', 'actions'],
  },
  compat: {
    job: 'interfaces of other programs (`evolution`, `cloud`), translated to operations of `/v1` and back; the names that numbers have there',
    knows: [
      'kernel',
      'store',
      'bus',
      'egress',
      'http',
      'accounts',
      'event-log',
      'webhooks',
      'media',
      'messages',
    ],
  },
  'account-life': {
    job: 'what belongs to an account, table by table, what an owner takes along of it, and its end: numbers that are removed, accounts that are erased',
    knows: [
      'kernel',
      'store',
      'http',
      'accounts',
      'event-log',
      'history',
      'webhooks',
      'billing',
      'sessions',
      'media',
      'messages',
      'compat',
    ],
  },
  portal: {
    job: 'what the portal’s pages ask for: signing in, and an owner’s or the operator’s view of the rooms below',
    knows: [
      'kernel',
      'store',
      'http',
      'mail',
      'accounts',
      'request-log',
      'event-log',
      'webhooks',
      'billing',
      'history',
      'health',
      'sessions',
      'messages',
      'account-life',
    ],
  },
  reference: {
    job: 'the pages at `/docs`: reference, guides, collections of requests',
    knows: ['kernel', 'http'],
  },
  sandbox: {
    job: 'the virtual network inside this process, or the way to one elsewhere',
    knows: ['kernel', 'egress', 'http', 'ops'],
    outside: ['config'],
  },
};

/** They stand above the rooms, like the app: they may know all of them, and none may know them. */
export const ABOVE_THE_ROOMS: readonly string[] = ['cli', 'hosting', 'testing'];
