import { nearest } from '#kernel';
import { type Config, SETTINGS } from './settings.ts';
import type { Setting, Variable } from './values.ts';

export * from './settings.ts';
export { readS3Url, type S3Place } from './values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Environment of the commands that talk to a running gateway; the gateway itself does not read them. */
export const CLIENT_VARIABLES = {
  url: {
    name: 'PARLEY_URL',
    meaning: 'for commands: address of the gateway',
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
} as const satisfies Record<string, Variable>;

/** An invalid setting, in one line for the operator: which variable, and what it accepts. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function readEnvironment(): Environment {
  return process.env;
}

export function loadConfig(environment: Environment): Config {
  refuseUnknownNames(environment);
  const read: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    // An empty variable counts as absent: compose files and shells set unset ones that way.
    const text = environment[setting.name]?.trim();
    read[key] =
      text || !setting.unset ? parsed(setting, text || setting.standard) : setting.unset(read as Config);
  }
  const config = read as Config;
  refuseHalfAProduction(config);
  refuseHalfACluster(config);
  refuseHalfAMail(config);
  refuseHalfAHost(config);
  return config;
}

function parsed({ name, parse, takes, mistakeIn }: Setting, text: string): unknown {
  const value = parse(text);
  const mistake = value === undefined ? mistakeIn?.(text) : undefined;
  if (value === undefined) throw new ConfigError(`${name} must be ${takes}${mistake ? `; ${mistake}` : ''}`);
  return value;
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
      [...value].map(([name, url]) => (url === '' ? name : `${name}=${withoutPassword(url)}`)).join(',') ||
      `(${setting.standard})`
    );
  }
  if (!setting.secret) return Array.isArray(value) ? listed(value, setting) : String(value);
  if (Array.isArray(value))
    return (
      value.map((each) => (typeof each === 'string' ? withoutPassword(each) : '***')).join(',') ||
      `(${setting.standard})`
    );
  return typeof value === 'string' && value.includes(':') ? withoutPassword(value) : '***';
}

function listed(values: readonly unknown[], { standard }: Setting): string {
  const isVersion = values.every((part) => typeof part === 'number');
  return values.length === 0 ? `(${standard})` : values.join(isVersion ? '.' : ',');
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//***@');
}

/** Kubernetes gives every container variables like these about a service that happens to be called `parley`. */
const KUBERNETES_SERVICE_LINK = /^PARLEY_(SERVICE_|PORT_\d)/;

/** A typing error in a name must not silently leave the default in force. */
function refuseUnknownNames(environment: Environment): void {
  const known = new Set<string>(Object.values(SETTINGS).map((setting) => setting.name));
  const ofCommands = new Set<string>(Object.values(CLIENT_VARIABLES).map((variable) => variable.name));
  for (const name of Object.keys(environment)) {
    if (!/^PARLEY_(?!TEST_)/.test(name) || ofCommands.has(name)) continue;
    if (!known.has(name) && !KUBERNETES_SERVICE_LINK.test(name)) {
      const meant = nearest(name, [...known]);
      const advice = meant ? `did you mean ${meant}?` : `it knows ${[...known].join(', ')}`;
      throw new ConfigError(`${name} is not a setting of Parley; ${advice}`);
    }
  }
}

function refuseHalfAProduction(config: Config): void {
  if (config.mode !== 'production') return;
  for (const key of ['masterKeys', 'operatorToken'] as const) {
    if (!config[key])
      throw new ConfigError(`${SETTINGS[key].name} is required in production: ${SETTINGS[key].takes}`);
  }
  // Cookies travel over https only.
  if (config.publicUrl?.startsWith('http:'))
    throw new ConfigError(`${SETTINGS.publicUrl.name} must begin with https:// in production`);
}

/** Refuses a cluster in which processes share the bus but not the rest of their state. */
function refuseHalfACluster(config: Config): void {
  if (config.busUrls.length === 0) return;
  const needs = (key: keyof Config, why: string): never => {
    const { name, takes } = SETTINGS[key];
    throw new ConfigError(`${SETTINGS.busUrls.name} needs ${name} (${takes}): ${why}`);
  };
  if (config.databaseUrl.startsWith('sqlite:')) needs('databaseUrl', 'an embedded database has one process');
  if (!config.masterKeys) needs('masterKeys', 'each process must open what another has sealed');
  if (config.network === 'sandbox' && !config.sandboxUrl)
    needs('sandboxUrl', 'all processes use one network');
  if (config.mediaUrl === SETTINGS.mediaUrl.unset(config))
    needs('mediaUrl', 'each process must reach the files that another has stored');
  if (config.busCertFile && !config.busKeyFile)
    needs('busKeyFile', 'a certificate is of no use without its key');
}

/** Requires a public address for links in mails: a request's Host header is not trusted for them. */
function refuseHalfAMail({ mailUrl, mailFrom, publicUrl, mode }: Config): void {
  const { name } = SETTINGS.mailUrl;
  if (mailUrl !== undefined && mailFrom === undefined)
    throw new ConfigError(`${name} needs ${SETTINGS.mailFrom.name} (${SETTINGS.mailFrom.takes})`);
  if (mailUrl !== undefined && mode === 'production' && publicUrl === undefined)
    throw new ConfigError(`${name} needs ${SETTINGS.publicUrl.name} in production: where links lead to`);
}

/** An interface on a host of its own has all paths there: other links use the public address. */
function refuseHalfAHost({ compat, publicUrl }: Config): void {
  const { name } = SETTINGS.compat;
  const hosts = [...compat.values()].filter((host) => host !== '');
  if (hosts.length === 0) return;
  if (publicUrl === undefined)
    throw new ConfigError(
      `${name} with a host needs ${SETTINGS.publicUrl.name}: the address of everything else`,
    );
  const taken = [new URL(publicUrl).host, ...hosts];
  if (new Set(taken).size < taken.length)
    throw new ConfigError(
      `${name} needs a host of its own for each, beside that of ${SETTINGS.publicUrl.name}`,
    );
}
