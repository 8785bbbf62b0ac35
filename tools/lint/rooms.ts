/** A folder of `packages/gateway/src` that is entered through its `index.ts`. */
export interface Room {
  /** Its job, shown in ARCHITECTURE.md. */
  readonly job: string;
  /** Rooms that it may import, through their `index.ts`. */
  readonly knows: readonly string[];
  /** Further modules that higher rooms may import: those loaded into the database's threads. */
  readonly modules?: readonly string[];
}

/** The folders of `packages/gateway/src`, from the bottom up, as the README shows them. */
export const doors: Readonly<Record<string, string>> = {
  kernel: 'clock, ids, random source, errors, retry schedules, sealed box; no I/O',
  config: 'settings: their names, values and defaults',
  platform:
    'database, bus, HTTP server, guarded HTTP client (`egress`), mail, logs, metrics, traces, backups',
  network: 'the port to WhatsApp, its conformance suite, the driver that speaks the protocol',
  accounts: 'accounts, members, API keys, devices, plans, terms, audit log',
  events: 'event log: public events and the queue of their deliveries; feeds and streams',
  conversations: 'history that numbers keep: stored, read back, deleted',
  health: 'health of numbers: states, counts, pacing of new chats',
  webhooks: 'endpoints, signatures, delivery, retries, dead letters',
  billing: 'prices, invoices, notices',
  inbound: 'network event to public event, quarantine, retention',
  sessions: 'pairing, ownership, hosting, status and presence of linked numbers',
  media: 'uploaded and received files, in a folder or on S3',
  messages: 'sends: limits, outbox, kinds, receipts',
  operations: 'groups, contacts, chats, channels, calls, presence: answered at once',
  offboarding: 'export and erasure of accounts, removal of numbers',
  surfaces: 'the portal, the Evolution and Cloud APIs, the reference at `/docs`',
  app: 'composition root, hosting threads, the sandbox, first run',
  cli: 'commands of `parley`',
};

/**
 * The rooms inside the doors, from the bottom up; a door without rooms of its own is one. The linter's fences (`fences.json`) and
 * the table in ARCHITECTURE.md are made from this: `npm run gen`. Add a line here for a new room or a new import.
 */
export const rooms: Readonly<Record<string, Room>> = {
  kernel: {
    job: 'clock, ids, random source, errors, rate arithmetic, retry schedules, sealed box; no I/O',
    knows: [],
  },
  config: {
    job: 'settings, how their values are read, their defaults',
    knows: ['kernel'],
  },
  'platform/store': {
    job: 'database (SQLite or PostgreSQL), migrations, group commit',
    knows: ['kernel'],
    modules: ['batch'],
  },
  'platform/backup': {
    job: 'backups and their restoring',
    knows: ['kernel', 'platform/store'],
  },
  'platform/bus': {
    job: 'calls to the host of a session, wake-ups; in one process or in many',
    knows: ['kernel'],
  },
  'platform/egress': {
    job: 'the one outgoing HTTP client, which refuses private addresses at connect time (URLs of webhooks also when they are registered: `webhooks/endpoints`); the spool that files pass through',
    knows: ['kernel'],
  },
  'platform/http': {
    job: 'server, checks, error answers; takes routes, knows no feature',
    knows: ['kernel'],
  },
  'platform/mail': {
    job: 'mail outbox: keeps a mail until a mail server has taken it',
    knows: ['kernel', 'platform/store'],
  },
  'platform/observe': {
    job: 'logs, metrics, readiness; throughput by minute and by hour; traces by OpenTelemetry, also across processes',
    knows: ['kernel', 'config', 'platform/store', 'platform/bus', 'platform/http'],
  },
  'platform/request-log': {
    job: 'recent requests of API keys and their answers, written in batches',
    knows: ['kernel', 'platform/store', 'platform/http'],
  },
  network: {
    job: 'port, its conformance suite and a fake driver (`testing/`), `whatsapp/` (Baileys)',
    knows: ['kernel', 'platform/store'],
  },
  accounts: {
    job: 'accounts, their members, keys, devices, the plan and quota of a number, terms, audit',
    knows: ['kernel', 'platform/store', 'platform/http', 'platform/mail'],
    modules: ['write-commands'],
  },
  events: {
    job: 'event log: public events and the queue of their deliveries, written together; read in windows, pages and streams',
    knows: ['kernel', 'platform/store', 'platform/bus'],
    modules: ['write-commands'],
  },
  conversations: {
    job: 'history that numbers keep on request: written with the events, sealed, read back, deleted',
    knows: ['kernel', 'platform/store', 'platform/bus', 'platform/http', 'accounts'],
    modules: ['write-commands'],
  },
  health: {
    job: 'health of numbers with the network: states, counts, known contacts, and the pacing of sends by it',
    knows: ['kernel', 'platform/store', 'platform/http', 'network', 'accounts', 'events', 'conversations'],
    modules: ['write-commands'],
  },
  webhooks: {
    job: '`endpoints` (configuration, signing), `delivery` (lanes, attempts), `history` (dead letters, retention)',
    knows: [
      'kernel',
      'platform/store',
      'platform/bus',
      'platform/egress',
      'platform/http',
      'accounts',
      'events',
    ],
  },
  billing: {
    job: 'prices, periodic invoices and their layout, notices',
    knows: ['kernel', 'platform/store', 'platform/egress', 'platform/http', 'accounts', 'webhooks'],
  },
  inbound: {
    job: 'network event → public event, quarantine, retention, the routes of the feed',
    knows: [
      'kernel',
      'platform/store',
      'platform/http',
      'network',
      'accounts',
      'events',
      'conversations',
      'health',
    ],
  },
  sessions: {
    job: 'pairing, ownership, hosting, status, presence',
    knows: [
      'kernel',
      'platform/store',
      'platform/bus',
      'platform/http',
      'network',
      'accounts',
      'events',
      'health',
    ],
  },
  media: {
    job: 'uploaded and received files (`inbound`), sealed in a folder or an S3-compatible store (`blobs`)',
    knows: [
      'kernel',
      'config',
      'platform/store',
      'platform/egress',
      'platform/http',
      'network',
      'accounts',
      'sessions',
    ],
  },
  messages: {
    job: 'sends: limits, outbox, kinds, receipts',
    knows: [
      'kernel',
      'platform/store',
      'platform/bus',
      'platform/egress',
      'platform/http',
      'network',
      'accounts',
      'events',
      'conversations',
      'health',
      'media',
      'sessions',
    ],
  },
  operations: {
    job: 'groups, contacts, chats, channels, calls, presence: one file each (their side on the wire: `network/whatsapp/operations`); plan, connection and refusals for all of them',
    knows: [
      'kernel',
      'platform/egress',
      'platform/http',
      'network',
      'conversations',
      'media',
      'sessions',
      'messages',
    ],
  },
  offboarding: {
    job: 'catalogue of the data of an account by table, its export, its erasure, removal of numbers',
    knows: [
      'kernel',
      'platform/store',
      'platform/http',
      'accounts',
      'events',
      'conversations',
      'webhooks',
      'billing',
      'sessions',
      'media',
      'messages',
    ],
  },
  'surfaces/compat': {
    job: 'interfaces of other programs (`evolution`, `cloud`), translated to operations of `/v1` and back; names of numbers there',
    knows: [
      'kernel',
      'platform/store',
      'platform/bus',
      'platform/egress',
      'platform/http',
      'accounts',
      'events',
      'webhooks',
      'media',
      'messages',
    ],
  },
  'surfaces/portal': {
    job: 'requests of the portal’s pages: signing in, an owner’s or the operator’s view of the rooms below',
    knows: [
      'kernel',
      'platform/store',
      'platform/http',
      'platform/mail',
      'platform/request-log',
      'accounts',
      'events',
      'webhooks',
      'billing',
      'conversations',
      'health',
      'sessions',
      'messages',
      'offboarding',
    ],
  },
  'surfaces/reference': {
    job: 'the pages at `/docs`: reference, guides, collections of requests',
    knows: ['kernel', 'platform/http'],
  },
  'app/sandbox': {
    job: 'the virtual network inside this process, or the connection to one elsewhere',
    knows: ['kernel', 'config', 'platform/egress', 'platform/http', 'platform/observe'],
  },
};

/** Above the rooms: they may import all of them, and no room imports them. */
export const ABOVE_THE_ROOMS: readonly string[] = ['app', 'cli', 'testing'];
