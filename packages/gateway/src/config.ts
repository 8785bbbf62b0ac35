import path from 'node:path';
import { parseMasterKey } from '#kernel';

/** Everything that can be set from outside, read once at the start. */
export interface Config {
  readonly mode: 'development' | 'production';
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `sqlite:<absolute path>` or `postgres://…` */
  readonly databaseUrl: string;
  /** Undefined: calls stay inside this process. */
  readonly busUrl: string | undefined;
  readonly network: 'sandbox' | 'whatsapp';
  readonly roles: ReadonlySet<Role>;
  readonly operatorToken: string | undefined;
  /** Undefined only in development, where one is kept in the data dir. */
  readonly masterKey: Uint8Array | undefined;
  readonly logLevel: LogLevel;
}

export const ROLES = ['api', 'worker', 'webhooks', 'portal'] as const;
export type Role = (typeof ROLES)[number];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Environment = Readonly<Record<string, string | undefined>>;

/** One line for whoever starts the gateway: which variable, and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

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
  busUrl: {
    name: 'PARLEY_BUS_URL',
    meaning: 'how several processes talk to each other',
    takes: 'nats://host:port',
    standard: 'in-process',
    secret: true,
  },
  network: {
    name: 'PARLEY_NETWORK',
    meaning: 'whom the numbers talk to',
    takes: 'sandbox or whatsapp',
    standard: 'sandbox',
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

export function readEnvironment(): Environment {
  return process.env;
}

export function loadConfig(environment: Environment): Config {
  refuseUnknownNames(environment);
  /** An empty variable counts as absent: compose files and shells set them that way. */
  const read = <T>(setting: Setting, parse: (value: string) => T | undefined, standard: T): T => {
    const value = environment[setting.name]?.trim();
    if (!value) return standard;
    const parsed = parse(value);
    if (parsed === undefined) throw new ConfigError(`${setting.name} must be ${setting.takes}`);
    return parsed;
  };

  const mode = read(SETTINGS.mode, oneOf(['development', 'production']), 'development');
  const dataDir = path.resolve(read(SETTINGS.dataDir, text, SETTINGS.dataDir.standard));
  const config: Config = {
    mode,
    host: read(SETTINGS.host, (value) => (/\s/.test(value) ? undefined : value), SETTINGS.host.standard),
    port: read(SETTINGS.port, portNumber, 8080),
    dataDir,
    databaseUrl: read(SETTINGS.databaseUrl, databaseUrl, `sqlite:${path.join(dataDir, 'parley.db')}`),
    busUrl: read(SETTINGS.busUrl, urlWith('nats:', 'tls:'), undefined),
    network: read(SETTINGS.network, oneOf(['sandbox', 'whatsapp']), 'sandbox'),
    roles: read(SETTINGS.roles, roles, new Set(ROLES)),
    operatorToken: read(
      SETTINGS.operatorToken,
      (value) => (/^\S{16,}$/.test(value) ? value : undefined),
      undefined,
    ),
    masterKey: read(SETTINGS.masterKey, parseMasterKey, undefined),
    logLevel: read(SETTINGS.logLevel, oneOf(LOG_LEVELS), 'info'),
  };
  refuseHalfAProduction(config);
  return config;
}

/** One line per setting, secrets masked, for `parley doctor`. */
export function describeConfig(config: Config): { name: string; value: string; meaning: string }[] {
  return (Object.keys(SETTINGS) as (keyof Config)[]).map((key) => {
    const setting: Setting = SETTINGS[key];
    return { name: setting.name, value: shown(config[key], setting), meaning: setting.meaning };
  });
}

function shown(value: Config[keyof Config], setting: Setting): string {
  if (value === undefined) return `(${setting.standard})`;
  if (value instanceof Set) return [...value].join(',');
  if (!setting.secret) return String(value);
  return typeof value === 'string' && value.includes(':') ? value.replace(/\/\/[^@/]*@/, '//***@') : '***';
}

/** Kubernetes gives every container variables like these about a service that happens to be called `parley`. */
const KUBERNETES_SERVICE_LINK = /^PARLEY_(SERVICE_|PORT_\d)/;

/** A typing mistake in a name must not silently leave the default in force. */
function refuseUnknownNames(environment: Environment): void {
  const known = new Set<string>(Object.values(SETTINGS).map((setting) => setting.name));
  for (const name of Object.keys(environment)) {
    if (/^PARLEY_(?!TEST_)/.test(name) && !known.has(name) && !KUBERNETES_SERVICE_LINK.test(name)) {
      throw new ConfigError(`${name} is not a setting of Parley; it knows ${[...known].join(', ')}`);
    }
  }
}

function refuseHalfAProduction(config: Config): void {
  if (config.mode !== 'production') return;
  for (const key of ['masterKey', 'operatorToken'] as const) {
    if (!config[key])
      throw new ConfigError(`${SETTINGS[key].name} is required in production: ${SETTINGS[key].takes}`);
  }
}

function text(value: string): string {
  return value;
}

function oneOf<const T extends string>(allowed: readonly T[]): (value: string) => T | undefined {
  return (value) => allowed.find((each) => each === value);
}

function portNumber(value: string): number | undefined {
  const port = Number(value);
  return /^\d+$/.test(value) && port <= 65_535 ? port : undefined;
}

function urlWith(...protocols: string[]): (value: string) => string | undefined {
  return (value) => (URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined);
}

function databaseUrl(value: string): string | undefined {
  if (value.startsWith('sqlite:')) {
    const file = value.slice('sqlite:'.length);
    return file ? `sqlite:${path.resolve(file)}` : undefined;
  }
  return urlWith('postgres:', 'postgresql:')(value);
}

function roles(value: string): ReadonlySet<Role> | undefined {
  const named = value.split(',').map((part) => oneOf(ROLES)(part.trim()));
  return named.includes(undefined) ? undefined : new Set(named.filter((role) => role !== undefined));
}
