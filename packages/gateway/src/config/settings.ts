import path from 'node:path';
import { NEW_CHATS_PER_DAY_MAX } from '@parley/contract/plain';
import {
  type Above,
  autoOrNumber,
  busUrls,
  clientVersion,
  databaseUrl,
  file,
  mailAddress,
  mailUrl,
  masterKeys,
  matching,
  mediaUrl,
  mistakeInS3Url,
  namesWithHosts,
  networks,
  oneOf,
  originOf,
  portNumber,
  proxiesByPhone,
  proxyUrl,
  type Setting,
  setOf,
  wholeNumber,
} from './values.ts';

export const ROLES = ['api', 'worker', 'webhooks', 'portal'] as const;
export type Role = (typeof ROLES)[number];

/** Interfaces of other programs that can be served beside our own. */
export const COMPAT_SURFACES = ['evolution', 'cloud'] as const;
export type CompatSurface = (typeof COMPAT_SURFACES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const nothing = (): undefined => undefined;

/**
 * All settings, in the order of the documentation. The type of the configuration, its loader, `parley help`, `parley doctor` and the
 * table in the docs are made from it.
 */
export const SETTINGS = {
  mode: {
    name: 'PARLEY_MODE',
    meaning:
      'production turns on https-only webhooks, private-address refusal, secure cookies, and requires both secrets below',
    takes: 'development or production',
    standard: 'development',
    parse: oneOf(['development', 'production']),
  },
  host: {
    name: 'PARLEY_HOST',
    meaning: 'listen address',
    takes: 'a host name or address',
    standard: '127.0.0.1',
    parse: matching(/^\S+$/),
  },
  port: {
    name: 'PARLEY_PORT',
    meaning: 'listen port',
    takes: 'a number from 0 to 65535 (0 picks a free one)',
    standard: '8080',
    parse: portNumber,
  },
  publicUrl: {
    name: 'PARLEY_PUBLIC_URL',
    meaning:
      'public address of the gateway, for links, documents and cookies; required behind a proxy with another name, and for links to files in events in production',
    takes: 'http://host:port or https://host',
    standard: 'as each request was addressed',
    parse: originOf,
    unset: nothing,
  },
  trustedProxies: {
    name: 'PARLEY_TRUSTED_PROXIES',
    meaning: 'the proxies before the gateway: X-Forwarded-For is trusted from them alone',
    takes: 'addresses and ranges with commas, like 127.0.0.1,10.0.0.0/8,::1',
    standard: 'none',
    parse: networks,
    unset: () => [] as readonly string[],
  },
  maxBodiesMb: {
    name: 'PARLEY_MAX_BODIES_MB',
    meaning:
      'memory for request bodies; beyond it requests are refused for a moment, and one account before it has used all of it',
    takes: 'a number of megabytes from 8 to 100000',
    standard: '64',
    parse: wholeNumber(100_000, 8),
  },
  dataDir: {
    name: 'PARLEY_DATA_DIR',
    meaning: 'embedded database, media spool, development master key',
    takes: 'a folder',
    standard: './data',
    parse: file,
  },
  databaseUrl: {
    name: 'PARLEY_DATABASE_URL',
    meaning: 'the database',
    takes:
      'sqlite:<file> or postgres://user:password@host/database, with several hosts with commas where a standby may take over, and ?pooler=transaction behind PgBouncer',
    standard: 'sqlite: in the data dir',
    secret: true,
    parse: databaseUrl,
    unset: ({ dataDir }: Above) => `sqlite:${path.join(dataDir, 'parley.db')}`,
  },
  mediaUrl: {
    name: 'PARLEY_MEDIA_URL',
    meaning: 'where uploaded files are stored; several processes need a shared place',
    takes:
      'file:<folder>, or s3://key:secret@host/bucket with ?region=, ?endpoint= and ?prefix= where needed',
    standard: 'file: in the data dir',
    secret: true,
    parse: mediaUrl,
    mistakeIn: mistakeInS3Url,
    unset: ({ dataDir }: Above) => `file:${path.join(dataDir, 'media', 'kept')}`,
  },
  busUrls: {
    name: 'PARLEY_BUS_URL',
    meaning: 'connection between several processes',
    takes:
      'nats://host:port or tls://host:port, with user:password@ or token@ where needed, several with commas',
    standard: 'in-process',
    secret: true,
    parse: busUrls,
    unset: () => [],
  },
  busSubject: {
    name: 'PARLEY_BUS_SUBJECT',
    meaning: 'prefix of all subjects on the bus; every gateway that shares a bus with others needs its own',
    takes: 'characters A-Z a-z 0-9 - _, in parts separated by dots',
    standard: 'parley',
    parse: matching(/^[\w-]+(\.[\w-]+)*$/),
  },
  busCredentialsFile: {
    name: 'PARLEY_BUS_CREDENTIALS',
    meaning: 'credentials of this process on the bus, in place of a user or token',
    takes: 'a file with NATS credentials (.creds) or the seed of an nkey',
    standard: 'none',
    parse: file,
    unset: nothing,
  },
  busCaFile: {
    name: 'PARLEY_BUS_CA',
    meaning: 'certificate authority of the bus servers; turns TLS on',
    takes: 'a file with certificates in PEM',
    standard: 'those of Node.js',
    parse: file,
    unset: nothing,
  },
  busCertFile: {
    name: 'PARLEY_BUS_CERT',
    meaning: 'client certificate for the bus; needs PARLEY_BUS_KEY',
    takes: 'a file in PEM',
    standard: 'none',
    parse: file,
    unset: nothing,
  },
  busKeyFile: {
    name: 'PARLEY_BUS_KEY',
    meaning: 'key of that certificate',
    takes: 'a file in PEM',
    standard: 'none',
    parse: file,
    unset: nothing,
  },
  network: {
    name: 'PARLEY_NETWORK',
    meaning: 'the network that the numbers connect to',
    takes: 'sandbox or whatsapp',
    standard: 'sandbox',
    parse: oneOf(['sandbox', 'whatsapp']),
  },
  sandboxUrl: {
    name: 'PARLEY_SANDBOX_URL',
    meaning: 'a standalone sandbox (parley sandbox) or inside another gateway, to share it among several',
    takes: 'http://host:port',
    standard: 'inside this process',
    parse: originOf,
    unset: nothing,
  },
  whatsappVersion: {
    name: 'PARLEY_WHATSAPP_VERSION',
    meaning:
      'version of the web client to present; auto learns the one that official clients are served, at the start, daily, and when the network refuses it',
    takes: 'auto, built-in, or three numbers like 2.3000.1043857760',
    standard: 'auto with PARLEY_NETWORK=whatsapp, else built-in',
    parse: clientVersion,
    unset: ({ network }: Above) => (network === 'whatsapp' ? 'auto' : 'built-in'),
  },
  whatsappDeviceName: {
    name: 'PARLEY_WHATSAPP_DEVICE_NAME',
    meaning: 'name of this gateway in the list of linked devices on the phone',
    takes: 'up to 50 characters',
    standard: 'Parley',
    parse: matching(/^.{1,50}$/s),
  },
  whatsappHistory: {
    name: 'PARLEY_WHATSAPP_HISTORY',
    meaning: 'what is used of the history that the phone offers; past messages never become events',
    takes: 'contacts (names for the contact list, and the conversations of numbers that keep them) or none',
    standard: 'contacts',
    parse: oneOf(['contacts', 'none']),
  },
  whatsappPulse: {
    name: 'PARLEY_WHATSAPP_PULSE',
    meaning:
      'whether a number that never appears online does so for five seconds once a day, when its owner uses the phone; without it the network drops its link after about two weeks',
    takes: 'on or off',
    standard: 'on',
    parse: oneOf(['on', 'off']),
  },
  ffmpeg: {
    name: 'PARLEY_FFMPEG',
    meaning:
      'program that takes the thumbnail of a sent video, in a process of its own; without one, a video without a cover shows a neutral picture',
    takes: 'its path, its name on the PATH, or off',
    standard: 'ffmpeg',
    parse: matching(/^.{1,1000}$/),
  },
  whatsappProxy: {
    name: 'PARLEY_WHATSAPP_PROXY',
    meaning: 'proxy to the WhatsApp network, media included, for numbers without one of their own',
    takes: 'socks5://host:port, http://host:port or https://host:port, with user:password@ where needed',
    standard: 'none',
    secret: true,
    parse: proxyUrl,
    unset: nothing,
  },
  whatsappProxies: {
    name: 'PARLEY_WHATSAPP_PROXIES',
    meaning: 'proxies of single numbers',
    takes: 'a comma-separated list of <phone>=<proxy>, like 15550001001=socks5://host:port',
    standard: 'none',
    secret: true,
    parse: proxiesByPhone,
    unset: () => new Map<string, string>(),
  },
  roles: {
    name: 'PARLEY_ROLES',
    meaning: 'which parts this process runs',
    takes: `a comma-separated list of ${ROLES.join(', ')}`,
    standard: ROLES.join(','),
    parse: setOf(ROLES),
  },
  hostThreads: {
    name: 'PARLEY_HOST_THREADS',
    meaning:
      'number of threads that host numbers, so that encryption delays no request and more cores are used; 0 hosts them in the thread that answers requests; auto decides at the start: on the embedded database one for every 50 linked numbers, up to one less than there are cores, but at least one from 50 on',
    takes: 'auto or a number from 0 to 64',
    standard: 'auto',
    parse: autoOrNumber(64),
  },
  hostThreadMb: {
    name: 'PARLEY_HOST_THREAD_MB',
    meaning:
      'heap limit of each hosting thread in megabytes; a thread that exceeds it ends and is restarted, without affecting others; auto: the threads share half of the memory of the machine or container, each has 256 to 4096',
    takes: 'auto or a number from 64 to 65536',
    standard: 'auto',
    parse: autoOrNumber(65_536, 64),
  },
  operatorToken: {
    name: 'PARLEY_OPERATOR_TOKEN',
    meaning: 'opens the operator API; without it that surface does not exist',
    takes: 'at least 16 characters without spaces',
    standard: 'none',
    secret: true,
    parse: matching(/^\S{16,}$/),
    unset: nothing,
  },
  mailUrl: {
    name: 'PARLEY_MAIL_URL',
    meaning:
      'mail server for recovering passwords, verifying addresses and inviting; without it the gateway sends no mail',
    takes: 'smtp://host:port or smtps://host:port, with user:password@ where needed',
    standard: 'none',
    secret: true,
    parse: mailUrl,
    unset: nothing,
  },
  mailFrom: {
    name: 'PARLEY_MAIL_FROM',
    meaning: 'sender of those mails; needed with PARLEY_MAIL_URL',
    takes: 'an address like parley@example.com, or Parley <parley@example.com>',
    standard: 'none',
    parse: mailAddress,
    unset: nothing,
  },
  compat: {
    name: 'PARLEY_COMPAT',
    meaning:
      'interfaces of other programs to serve beside our own, each under its name, so that their clients only need a new address and key; those with a host are also served there, without their name',
    takes: `a comma-separated list of ${COMPAT_SURFACES.join(', ')}, each with or without a host of its own like ${COMPAT_SURFACES[0]}=wa.example.com`,
    standard: 'none',
    parse: namesWithHosts(COMPAT_SURFACES),
    unset: () => new Map<CompatSurface, string>() as ReadonlyMap<CompatSurface, string>,
  },
  compatBase64MaxMb: {
    name: 'PARLEY_COMPAT_BASE64_MAX_MB',
    meaning:
      'maximum size of a file that the interface for Evolution returns in base64; larger ones are refused with the address to stream them from',
    takes: 'a number of megabytes from 1 to 2048',
    standard: '32',
    parse: wholeNumber(2_048, 1),
  },
  metricsToken: {
    name: 'PARLEY_METRICS_TOKEN',
    meaning: 'bearer token of /metrics; open makes them public',
    takes: 'at least 16 characters without spaces, or open',
    standard: 'open in development, the operator token in production',
    secret: true,
    parse: matching(/^(\S{16,}|open)$/),
    unset: nothing,
  },
  newChatsPerDay: {
    name: 'PARLEY_NEW_CHATS_PER_DAY',
    meaning:
      'new chats that a number may begin within 24 hours, unless it has a setting of its own; grows to that over its first days',
    takes: 'a number from 0 to 100000 (0: no limit)',
    standard: '0',
    parse: wholeNumber(NEW_CHATS_PER_DAY_MAX),
  },
  historyMbPerNumber: {
    name: 'PARLEY_HISTORY_MB_PER_NUMBER',
    meaning:
      'limit of the stored conversations of a number, where history is on; the oldest messages are deleted first',
    takes: 'a number of megabytes from 1 to 1000000',
    standard: '1024',
    parse: wholeNumber(1_000_000, 1),
  },
  signUp: {
    name: 'PARLEY_SIGN_UP',
    meaning: 'whether anyone may open an account in the portal, or only the operator creates accounts',
    takes: 'open or closed',
    standard: 'open in development, closed in production',
    parse: oneOf(['open', 'closed']),
    unset: ({ mode }: Above) => (mode === 'production' ? 'closed' : 'open'),
  },
  demo: {
    name: 'PARLEY_DEMO',
    meaning:
      'whether the first start creates a demo account with a number linked to a virtual phone, where the sandbox runs in the same process',
    takes: 'on or off',
    standard: 'on in development, off in production',
    parse: oneOf(['on', 'off']),
    unset: ({ mode }: Above) => (mode === 'production' ? 'off' : 'on'),
  },
  masterKeys: {
    name: 'PARLEY_MASTER_KEY',
    meaning: 'encrypts device credentials, webhook secrets and queued payloads at rest',
    takes:
      '32 bytes in base64 (for example from: openssl rand -base64 32); while it is changed, the new one, a comma and the old one',
    standard: 'generated into the data dir in development',
    secret: true,
    parse: masterKeys,
    unset: nothing,
  },
  traces: {
    name: 'PARLEY_TRACES',
    meaning:
      'whether traces of requests, sends and webhooks are recorded and exported by OTLP over HTTP, configured by the standard OTEL_ variables (OTEL_EXPORTER_OTLP_ENDPOINT and others)',
    takes: 'on or off',
    standard: 'off',
    parse: oneOf(['on', 'off']),
  },
  logLevel: {
    name: 'PARLEY_LOG_LEVEL',
    meaning: 'log level',
    takes: LOG_LEVELS.join(', '),
    standard: 'info',
    parse: oneOf(LOG_LEVELS),
  },
} as const satisfies Record<string, Setting>;

type SetValue<S> = S extends { parse: (text: string) => infer T } ? Exclude<T, undefined> : never;
type UnsetValue<S> = S extends { unset: (above: Above) => infer T } ? T : never;
/** Parsed settings, read once at the start. */
export type Config = {
  readonly [K in keyof typeof SETTINGS]: SetValue<(typeof SETTINGS)[K]> | UnsetValue<(typeof SETTINGS)[K]>;
};
