import { isIP } from 'node:net';
import path from 'node:path';
import { decodedComponent, type MasterKeys } from '#kernel';

export interface Variable {
  readonly name: string;
  readonly meaning: string;
  readonly takes: string;
  /** Value when unset: a text that `parse` accepts or, beside `unset`, one for people. */
  readonly standard: string;
  readonly secret?: true;
}

export interface Setting extends Variable {
  /** Parses the text; undefined for an invalid one. */
  readonly parse: (text: string) => unknown;
  /** What is wrong with an invalid text, where the setting takes several parts; never names a secret. */
  readonly mistakeIn?: (text: string) => string | undefined;
  readonly unset?: (above: Above) => unknown;
}

/** Settings that determine the defaults of others, so they come before them. */
export interface Above {
  readonly mode: 'development' | 'production';
  readonly dataDir: string;
  readonly network: 'sandbox' | 'whatsapp';
}

/** Parsers of settings; undefined for an invalid text. */

export function file(value: string): string {
  return path.resolve(value);
}

export function matching(pattern: RegExp): (value: string) => string | undefined {
  return (value) => (pattern.test(value) ? value : undefined);
}

export function oneOf<const T extends string>(allowed: readonly T[]): (value: string) => T | undefined {
  return (value) => allowed.find((each) => each === value);
}

export function setOf<const T extends string>(
  allowed: readonly T[],
): (value: string) => ReadonlySet<T> | undefined {
  return (value) => {
    const named = value.split(',').map((part) => oneOf(allowed)(part.trim()));
    return named.includes(undefined) ? undefined : new Set(named.filter((each) => each !== undefined));
  };
}

/** `name` or `name=host`, with a port unless it is the default one; the host is empty when absent. */
export function namesWithHosts<const T extends string>(
  allowed: readonly T[],
): (value: string) => ReadonlyMap<T, string> | undefined {
  return (value) => {
    const hosts = new Map<T, string>();
    for (const part of value.split(',')) {
      const [, text = '', host] = /^([^=]+)(?:=(.+))?$/.exec(part.trim()) ?? [];
      const name = oneOf(allowed)(text);
      if (name === undefined || (host !== undefined && originOf(`http://${host}`) === undefined))
        return undefined;
      hosts.set(name, host?.toLowerCase() ?? '');
    }
    return hosts;
  };
}

export function portNumber(value: string): number | undefined {
  const port = Number(value);
  return /^\d+$/.test(value) && port <= 65_535 ? port : undefined;
}

export function wholeNumber(most: number, least = 0): (value: string) => number | undefined {
  return (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined;
}

export function autoOrNumber(most: number, least = 0): (value: string) => number | 'auto' | undefined {
  return (value) => (value === 'auto' ? value : wholeNumber(most, least)(value));
}

function urlWith(...protocols: string[]): (value: string) => string | undefined {
  return (value) => (URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined);
}

export function clientVersion(value: string): [number, number, number] | 'auto' | 'built-in' | undefined {
  if (value === 'auto' || value === 'built-in') return value;
  const [, major, minor, patch] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,12})$/.exec(value) ?? [];
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

export function proxyUrl(value: string): string | undefined {
  const url = URL.parse(value);
  const isProxy = url && ['socks5:', 'http:', 'https:'].includes(url.protocol) && url.hostname !== '';
  // The URL standard knows no default port for a SOCKS proxy.
  return isProxy && (url.port !== '' || url.protocol !== 'socks5:') ? value : undefined;
}

export function proxiesByPhone(value: string): ReadonlyMap<string, string> | undefined {
  const proxies = new Map<string, string>();
  for (const part of value.split(',')) {
    const [, phone, proxy = ''] = /^\s*\+?(\d{7,15})=(\S+)\s*$/.exec(part) ?? [];
    if (phone === undefined || proxyUrl(proxy) === undefined || proxies.has(phone)) return undefined;
    proxies.set(phone, proxy);
  }
  return proxies;
}

/** `http://host:port/` → `http://host:port`; undefined for a URL with anything more. */
export function originOf(value: string): string | undefined {
  const url = urlWith('http:', 'https:')(value);
  return url !== undefined && new URL(url).href === `${new URL(url).origin}/`
    ? new URL(url).origin
    : undefined;
}

/** Addresses, and ranges such as `10.0.0.0/8`. */
export function networks(value: string): readonly string[] | undefined {
  const parts = value.split(',').map((part) => part.trim());
  return parts.every(isNetwork) ? parts : undefined;
}

function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return longest > 0 && Number(bits ?? longest) <= longest;
}

export function databaseUrl(value: string): string | undefined {
  if (value.startsWith('sqlite:')) {
    const file = value.slice('sqlite:'.length);
    return file ? `sqlite:${path.resolve(file)}` : undefined;
  }
  // Several servers of one database are separated by commas; each must be valid on its own.
  const [, before = '', hosts = '', after = ''] =
    /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(value) ?? [];
  const isEach = hosts.split(',').every((host) => urlWith('postgres:', 'postgresql:')(before + host + after));
  return isEach ? value : undefined;
}

/** A folder, or a bucket with its credentials. */
export function mediaUrl(value: string): string | undefined {
  if (value.startsWith('file:')) {
    const folder = value.slice('file:'.length);
    return folder ? `file:${path.resolve(folder)}` : undefined;
  }
  return readS3Url(value) && value;
}

export interface S3Place {
  /** Includes the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Prefix of all names; empty, or with a trailing slash. */
  readonly prefix: string;
}

const S3_BUCKET = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/;
const S3_PREFIX = /^[\w./-]{0,200}$/;
const S3_PARAMETERS = ['region', 'endpoint', 'prefix'];

/** `s3://key:secret@host/bucket?region=…&endpoint=…&prefix=…`; undefined when anything is missing or unknown. */
export function readS3Url(value: string): S3Place | undefined {
  const url = URL.parse(value);
  if (!url || mistakeInS3Url(value) !== undefined) return undefined;
  const { region = 'auto', endpoint, prefix = '' } = Object.fromEntries(url.searchParams);
  return {
    endpoint: `${originOf(endpoint ?? `https://${url.host}`)}/${S3_BUCKET.exec(url.pathname)?.[1]}`,
    region,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
  };
}

/** The first mistake in an S3 address, without its secret. */
export function mistakeInS3Url(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url) return 'it is no URL; percent-encode / ? # and @ in key and secret';
  if (url.protocol !== 's3:') return `it begins with ${url.protocol}`;
  if (url.username === '') return 'the key is missing';
  if (url.password === '') return 'the secret is missing';
  if (url.hostname === '') return 'the host is missing';
  if ([url.username, url.password].some((part) => decodedComponent(part) === undefined))
    return 'write a % in key or secret as %25';
  if (!S3_BUCKET.test(url.pathname)) return 'the path must be one bucket of 3 to 63 characters a-z 0-9 . -';
  const unknown = [...url.searchParams.keys()].find((name) => !S3_PARAMETERS.includes(name));
  if (unknown !== undefined) return `it takes no ${unknown}=`;
  const endpoint = url.searchParams.get('endpoint');
  if (originOf(endpoint ?? `https://${url.host}`) === undefined) return 'endpoint= must be https://host';
  return S3_PREFIX.test(url.searchParams.get('prefix') ?? '')
    ? undefined
    : 'prefix= takes A-Z a-z 0-9 _ . / -';
}

/** A list of servers; the first one carries the credentials. */
export function busUrls(value: string): readonly string[] | undefined {
  const urls = value.split(',').map((part) => urlWith('nats:', 'tls:')(part.trim()));
  return urls.every((url) => url !== undefined && new URL(url).hostname !== '')
    ? urls.filter((url) => url !== undefined)
    : undefined;
}

/** 32 bytes in base64; during a change, the new key and the old one. */
export function masterKeys(value: string): MasterKeys | undefined {
  const [first, ...others] = value.split(',').map((part) => masterKey(part.trim()));
  const known = others.filter((key) => key !== undefined);
  return first && known.length === others.length ? [first, ...known] : undefined;
}

function masterKey(value: string): Uint8Array | undefined {
  const key = Buffer.from(value, 'base64');
  return key.length === 32 && /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? key : undefined;
}

/** No path or query, and a host name. */
export function mailUrl(value: string): string | undefined {
  const url = URL.parse(value);
  const isServer = url && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '';
  return isServer && ['', '/'].includes(url.pathname) && url.search + url.hash === '' ? value : undefined;
}

export function mailAddress(value: string): string | undefined {
  return /^(?:[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value) ? value : undefined;
}
