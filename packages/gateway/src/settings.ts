/** Everything that can be set from outside, read once at the start. */
export interface Config {
  readonly mode: 'development' | 'production';
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `sqlite:<absolute path>` or `postgres://…` */
  readonly databaseUrl: string;
  /** Of the servers of one NATS cluster; empty: calls stay inside this process. */
  readonly busUrls: readonly string[];
  /** What all subjects on the bus begin with. */
  readonly busSubject: string;
  readonly busCredentialsFile: string | undefined;
  readonly busCaFile: string | undefined;
  readonly busCertFile: string | undefined;
  readonly busKeyFile: string | undefined;
  readonly network: 'sandbox' | 'whatsapp';
  /** Undefined: the sandbox runs inside this process. */
  readonly sandboxUrl: string | undefined;
  /** Undefined: the library's own. */
  readonly whatsappVersion: [number, number, number] | undefined;
  readonly whatsappDeviceName: string;
  readonly whatsappHistory: 'contacts' | 'none';
  /** For numbers without one of their own. */
  readonly whatsappProxy: string | undefined;
  /** By phone number, digits only. */
  readonly whatsappProxies: ReadonlyMap<string, string>;
  readonly roles: ReadonlySet<Role>;
  readonly operatorToken: string | undefined;
  readonly signUp: 'open' | 'closed';
  /** Undefined only in development, where one is kept in the data dir. */
  readonly masterKey: Uint8Array | undefined;
  readonly logLevel: LogLevel;
}

export const ROLES = ['api', 'worker', 'webhooks', 'portal'] as const;
export type Role = (typeof ROLES)[number];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting {
  readonly name: string;
  readonly meaning: string;
  readonly takes: string;
  readonly standard: string;
  readonly secret?: true;
}

/** In the order of the documentation; the loader below reads each of them exactly once. */
export const SETTINGS = {
  mode: {
    name: 'PARLEY_MODE',
    meaning:
      'production turns on https-only webhooks, private-address refusal, secure cookies, and requires both secrets below',
    takes: 'development or production',
    standard: 'development',
  },
  host: {
    name: 'PARLEY_HOST',
    meaning: 'listen address',
    takes: 'a host name or address',
    standard: '127.0.0.1',
  },
  port: {
    name: 'PARLEY_PORT',
    meaning: 'listen port',
    takes: 'a number from 0 to 65535 (0 picks a free one)',
    standard: '8080',
  },
  dataDir: {
    name: 'PARLEY_DATA_DIR',
    meaning: 'embedded database, media spool, development master key',
    takes: 'a folder',
    standard: './data',
  },
  databaseUrl: {
    name: 'PARLEY_DATABASE_URL',
    meaning: 'where everything is kept',
    takes: 'sqlite:<file> or postgres://user:password@host/database',
    standard: 'sqlite: in the data dir',
    secret: true,
  },
  busUrls: {
    name: 'PARLEY_BUS_URL',
    meaning: 'how several processes talk to each other',
    takes:
      'nats://host:port or tls://host:port, with user:password@ or token@ where needed, several with commas',
    standard: 'in-process',
    secret: true,
  },
  busSubject: {
    name: 'PARLEY_BUS_SUBJECT',
    meaning:
      'what all subjects on the bus begin with; every gateway that shares a bus with others needs its own',
    takes: 'letters, digits, - and _, in parts with dots between them',
    standard: 'parley',
  },
  busCredentialsFile: {
    name: 'PARLEY_BUS_CREDENTIALS',
    meaning: 'who this process is on the bus, in place of a user or token',
    takes: 'a file with NATS credentials (.creds) or the seed of an nkey',
    standard: 'none',
  },
  busCaFile: {
    name: 'PARLEY_BUS_CA',
    meaning: 'authority that vouches for the servers of the bus; turns TLS on',
    takes: 'a file with certificates in PEM',
    standard: 'those of Node.js',
  },
  busCertFile: {
    name: 'PARLEY_BUS_CERT',
    meaning: 'certificate that this process shows to the bus; needs PARLEY_BUS_KEY',
    takes: 'a file in PEM',
    standard: 'none',
  },
  busKeyFile: {
    name: 'PARLEY_BUS_KEY',
    meaning: 'key of that certificate',
    takes: 'a file in PEM',
    standard: 'none',
  },
  network: {
    name: 'PARLEY_NETWORK',
    meaning: 'whom the numbers talk to',
    takes: 'sandbox or whatsapp',
    standard: 'sandbox',
  },
  sandboxUrl: {
    name: 'PARLEY_SANDBOX_URL',
    meaning:
      'a sandbox that runs by itself (parley sandbox) or inside another gateway, to share it among several',
    takes: 'http://host:port',
    standard: 'inside this process',
  },
  whatsappVersion: {
    name: 'PARLEY_WHATSAPP_VERSION',
    meaning: 'version of the web client to appear as, when the network refuses the built-in one',
    takes: 'three numbers like 2.3000.1043857760',
    standard: 'built in',
  },
  whatsappDeviceName: {
    name: 'PARLEY_WHATSAPP_DEVICE_NAME',
    meaning: 'what the list of linked devices on the phone calls this gateway',
    takes: 'up to 50 characters',
    standard: 'Parley',
  },
  whatsappHistory: {
    name: 'PARLEY_WHATSAPP_HISTORY',
    meaning: 'what is taken from the history that the phone offers; messages of the past never become events',
    takes: 'contacts (names for the contact list) or none',
    standard: 'contacts',
  },
  whatsappProxy: {
    name: 'PARLEY_WHATSAPP_PROXY',
    meaning: 'way out to the WhatsApp network, media included, for numbers without one of their own',
    takes: 'socks5://host:port, http://host:port or https://host:port, with user:password@ where needed',
    standard: 'none',
    secret: true,
  },
  whatsappProxies: {
    name: 'PARLEY_WHATSAPP_PROXIES',
    meaning: 'ways out of single numbers',
    takes: 'a comma-separated list of <phone>=<proxy>, like 15550001001=socks5://host:port',
    standard: 'none',
    secret: true,
  },
  roles: {
    name: 'PARLEY_ROLES',
    meaning: 'which parts this process runs',
    takes: `a comma-separated list of ${ROLES.join(', ')}`,
    standard: ROLES.join(','),
  },
  operatorToken: {
    name: 'PARLEY_OPERATOR_TOKEN',
    meaning: 'opens the operator API; without it that surface does not exist',
    takes: 'at least 16 characters without spaces',
    standard: 'none',
    secret: true,
  },
  signUp: {
    name: 'PARLEY_SIGN_UP',
    meaning: 'whether anybody may open an account in the portal, or only the operator makes accounts',
    takes: 'open or closed',
    standard: 'open in development, closed in production',
  },
  masterKey: {
    name: 'PARLEY_MASTER_KEY',
    meaning: 'encrypts device credentials, webhook secrets and queued payloads at rest',
    takes: '32 bytes in base64 (for example from: openssl rand -base64 32)',
    standard: 'generated into the data dir in development',
    secret: true,
  },
  logLevel: {
    name: 'PARLEY_LOG_LEVEL',
    meaning: 'how much is logged',
    takes: LOG_LEVELS.join(', '),
    standard: 'info',
  },
} as const satisfies Record<keyof Config, Setting>;

/** What the commands that talk to a running gateway are told by the environment; the gateway itself does not read them. */
export const CLIENT_VARIABLES = {
  url: {
    name: 'PARLEY_URL',
    meaning: 'for commands: where the gateway is',
    takes: 'http://host:port',
    standard: 'this machine, at PARLEY_PORT',
  },
  apiKey: {
    name: 'PARLEY_API_KEY',
    meaning: 'for commands: API key of an account',
    takes: 'pk_…',
    standard: 'none',
    secret: true,
  },
} as const satisfies Record<string, Setting>;
