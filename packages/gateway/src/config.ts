import path from 'node:path';
import { parseMasterKey } from '#kernel';
import {
  clientVersion,
  databaseUrl,
  oneOf,
  originOf,
  portNumber,
  proxiesByPhone,
  proxyUrl,
  text,
  urlWith,
} from './config-values.ts';

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
    sandboxUrl: read(SETTINGS.sandboxUrl, originOf, undefined),
    whatsappVersion: read(SETTINGS.whatsappVersion, clientVersion, undefined),
    whatsappDeviceName: read(
      SETTINGS.whatsappDeviceName,
      (value) => (value.length <= 50 ? value : undefined),
      SETTINGS.whatsappDeviceName.standard,
    ),
    whatsappHistory: read(SETTINGS.whatsappHistory, oneOf(['contacts', 'none']), 'contacts'),
    whatsappProxy: read(SETTINGS.whatsappProxy, proxyUrl, undefined),
    whatsappProxies: read(SETTINGS.whatsappProxies, proxiesByPhone, new Map()),
    roles: read(SETTINGS.roles, roles, new Set(ROLES)),
    operatorToken: read(
      SETTINGS.operatorToken,
      (value) => (/^\S{16,}$/.test(value) ? value : undefined),
      undefined,
    ),
    signUp: read(SETTINGS.signUp, oneOf(['open', 'closed']), mode === 'production' ? 'closed' : 'open'),
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
  if (value instanceof Map) {
    return (
      [...value].map(([name, url]) => `${name}=${withoutPassword(url)}`).join(',') || `(${setting.standard})`
    );
  }
  if (!setting.secret) return Array.isArray(value) ? value.join('.') : String(value);
  return typeof value === 'string' && value.includes(':') ? withoutPassword(value) : '***';
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//***@');
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

function roles(value: string): ReadonlySet<Role> | undefined {
  const named = value.split(',').map((part) => oneOf(ROLES)(part.trim()));
  return named.includes(undefined) ? undefined : new Set(named.filter((role) => role !== undefined));
}
