import path from 'node:path';
import { parseMasterKey } from '#kernel';
import {
  busSubject,
  busUrls,
  clientVersion,
  databaseUrl,
  oneOf,
  originOf,
  portNumber,
  proxiesByPhone,
  proxyUrl,
  text,
} from './config-values.ts';
import {
  CLIENT_VARIABLES,
  type Config,
  LOG_LEVELS,
  ROLES,
  type Role,
  SETTINGS,
  type Setting,
} from './settings.ts';

export {
  type Config,
  LOG_LEVELS,
  type LogLevel,
  ROLES,
  type Role,
  SETTINGS,
  type Setting,
} from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One line for whoever starts the gateway: which variable, and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

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
    busUrls: read(SETTINGS.busUrls, busUrls, []),
    busSubject: read(SETTINGS.busSubject, busSubject, SETTINGS.busSubject.standard),
    busCredentialsFile: read(SETTINGS.busCredentialsFile, path.resolve, undefined),
    busCaFile: read(SETTINGS.busCaFile, path.resolve, undefined),
    busCertFile: read(SETTINGS.busCertFile, path.resolve, undefined),
    busKeyFile: read(SETTINGS.busKeyFile, path.resolve, undefined),
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
  refuseHalfACluster(config);
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
  if (Array.isArray(value))
    return value.map((url) => withoutPassword(`${url}`)).join(',') || `(${setting.standard})`;
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
  const ofCommands = new Set<string>(Object.values(CLIENT_VARIABLES).map((variable) => variable.name));
  for (const name of Object.keys(environment)) {
    if (!/^PARLEY_(?!TEST_)/.test(name) || ofCommands.has(name)) continue;
    if (!known.has(name) && !KUBERNETES_SERVICE_LINK.test(name)) {
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

/** What would start, and then lose itself: processes that talk to each other share everything else too. */
function refuseHalfACluster(config: Config): void {
  if (config.busUrls.length === 0) return;
  const needs = (key: keyof Config, why: string): never => {
    const { name, takes } = SETTINGS[key];
    throw new ConfigError(`${SETTINGS.busUrls.name} needs ${name} (${takes}): ${why}`);
  };
  if (config.databaseUrl.startsWith('sqlite:')) needs('databaseUrl', 'an embedded database has one process');
  if (!config.masterKey) needs('masterKey', 'each process must open what another has sealed');
  if (config.network === 'sandbox' && !config.sandboxUrl)
    needs('sandboxUrl', 'all processes use one network');
  if (config.busCertFile && !config.busKeyFile)
    needs('busKeyFile', 'a certificate is of no use without its key');
}

function roles(value: string): ReadonlySet<Role> | undefined {
  const named = value.split(',').map((part) => oneOf(ROLES)(part.trim()));
  return named.includes(undefined) ? undefined : new Set(named.filter((role) => role !== undefined));
}
