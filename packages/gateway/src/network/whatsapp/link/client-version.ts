import { type BinaryNode, DEFAULT_CONNECTION_CONFIG, type WASocket, type WAVersion } from 'baileys';
import {
  type Clock,
  DAY_MS,
  growingPause,
  HOUR_MS,
  neverRejects,
  type Random,
  type Timer,
  warnOf,
  within,
} from '#kernel';
import type { Store } from '#platform/store';
import { findKeptVersion, keepVersion } from '../gateway-queries.ts';
import type { Log } from '../guards/index.ts';
import type { MediaTransport } from '../media/request.ts';

/**
 * Version of the web client to announce. The network refuses clients that are months old, so the version is read
 * from the page that official clients use: at the start, daily, and when the network refuses the current one or
 * announces that it will. The last good one is stored, and the announcement.
 */
export interface ClientVersions {
  /** Resolves when the stored version is loaded. */
  readonly ready: Promise<void>;
  current(): WAVersion;
  figures(): VersionFigures;
  onChange(listener: () => void): () => void;
  /** Reports that the network refuses `version`. Resolves to true when there is another one by now. */
  refused(version: WAVersion): Promise<boolean>;
  /** Whether the network has announced that it will refuse `version`. */
  isExpiring(version: WAVersion): boolean;
  /** Reports that the network will refuse `version` from this time on (epoch ms); undefined: no longer. */
  expires(version: WAVersion, at: number | undefined): void;
  stop(): void;
}

export interface VersionFigures {
  readonly version: string;
  /** `set` by the operator, `learned` from the network, else `built_in`. */
  readonly source: 'set' | 'learned' | 'built_in';
  /** When the network last confirmed it (epoch ms). */
  readonly learnedAt?: number;
  /** When the network will refuse it, where it has announced that (epoch ms). */
  readonly expiresAt?: number;
}

interface ClientVersionsParts {
  /** `auto` follows the network; a given version stays fixed; default: the built-in version. */
  readonly wanted: WAVersion | 'auto' | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Reads the page with the network's current version. */
  readonly readPage: () => Promise<string>;
}

const DAILY = { firstMs: DAY_MS, longestMs: DAY_MS, jitter: 0.1 };
const WHILE_EXPIRING = { firstMs: HOUR_MS, longestMs: HOUR_MS, jitter: 0.3 };
const AFTER_FAILURE = { firstMs: 60_000, longestMs: 6 * HOUR_MS, jitter: 0.3 };
/** Minimum interval between reads of the page, for any number of refusals. */
const REFUSALS_APART_MS = HOUR_MS;

export function createClientVersions(parts: ClientVersionsParts): ClientVersions {
  const { wanted, store, clock, random, log } = parts;
  const learns = wanted === 'auto';
  const listeners = new Set<() => void>();
  let version: WAVersion = wanted === undefined || learns ? BUILT_IN : wanted;
  let learnedAt: number | undefined;
  let expiry: { readonly version: WAVersion; readonly at: number } | undefined;
  let next: Timer | undefined;
  let failures = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let isOver = false;

  function take(text: string, at: number): void {
    const taken = parseVersion(text);
    if (!taken || !isPlausible(taken)) return;
    learnedAt = at;
    if (isSame(taken, version)) return;
    version = taken;
    for (const listener of listeners) listener();
  }

  const expiryOfCurrent = () => (expiry && isSame(expiry.version, version) ? expiry.at : undefined);

  async function recallExpiry(): Promise<void> {
    const kept = await findKeptVersion(store, 'expiring');
    const about = kept && parseVersion(kept.version);
    if (about && kept.at > 0) expiry ??= { version: about, at: kept.at };
  }

  async function recall(): Promise<void> {
    const kept = await findKeptVersion(store, 'current');
    // Another process may have learned it meanwhile.
    if (kept && kept.at > (learnedAt ?? 0)) take(kept.version, kept.at);
  }

  async function learn(): Promise<void> {
    const found = versionOnPage(await parts.readPage());
    const at = clock.now();
    take(found, at);
    await keepVersion(store, 'current', { version: found, at });
  }

  /** One read at a time; never rejects. */
  function refresh(): Promise<void> {
    next?.cancel();
    reading ??= learn()
      .then(
        () => {
          failures = 0;
        },
        (error: unknown) => {
          failures += 1;
          log.warn(
            { failures, error: String(error) },
            'the current version of the client could not be fetched',
          );
        },
      )
      .finally(() => {
        reading = undefined;
        if (isOver) return;
        const calm = expiryOfCurrent() === undefined ? DAILY : WHILE_EXPIRING;
        const pause = failures === 0 ? calm : AFTER_FAILURE;
        next = clock.after(growingPause(pause, failures, random), () => neverRejects(refresh()));
      });
    return reading;
  }

  const unknown = (error: unknown): void => log.warn({ error: String(error) }, 'the last version is unknown');
  const ready = Promise.all([recallExpiry(), learns && recall()]).then(() => {}, unknown);
  if (learns) neverRejects(ready.then(() => (isOver ? undefined : refresh())));

  return {
    ready,
    current: () => version,
    figures: () => ({
      version: version.join('.'),
      source: sourceOf(wanted, learnedAt),
      ...(learnedAt === undefined ? {} : { learnedAt }),
      ...present(expiryOfCurrent()),
    }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async refused(shown) {
      if (!learns) return false;
      if (!isSame(shown, version)) return true;
      if (reading || clock.now() - refusedAt >= REFUSALS_APART_MS) {
        refusedAt = clock.now();
        await recall().catch(unknown);
        if (isSame(shown, version)) await refresh();
      }
      return !isSame(shown, version);
    },
    isExpiring: (shown) => expiry !== undefined && isSame(expiry.version, shown),
    expires(shown, at) {
      const known = expiry && isSame(expiry.version, shown) ? expiry.at : undefined;
      // The soonest time counts; connections repeat it.
      if (at === known || (at !== undefined && known !== undefined && at > known)) return;
      expiry = at === undefined ? undefined : { version: shown, at };
      if (at !== undefined)
        log.warn(
          { version: shown.join('.'), until: new Date(at).toISOString() },
          'the network will refuse this version of the client',
        );
      keepVersion(store, 'expiring', { version: shown.join('.'), at: at ?? 0 }).catch(
        warnOf('the end of a client version could not be stored'),
      );
      if (learns && expiryOfCurrent() !== undefined) neverRejects(refresh());
    },
    stop() {
      isOver = true;
      next?.cancel();
    },
  };
}

const BUILT_IN: WAVersion = DEFAULT_CONNECTION_CONFIG.version;
/** Leading parts of the web client's version, constant for years; the page has only the last part. */
const FAMILY = [2, 3_000] as const;
/** The last part grows by about twelve million a year. */
const FARTHEST_AHEAD = 100_000_000;

/** Quotes on the page may be escaped, because the version is inside a string there. */
export function versionOnPage(page: string): string {
  const [, revision] = /\\?"client_revision\\?"\s*:\s*(\d{1,15})\b/.exec(page) ?? [];
  const version = parseVersion(`${FAMILY.join('.')}.${revision}`);
  if (!version) throw new Error('the page has no version');
  if (!isPlausible(version)) throw new Error(`the page has an implausible version: ${version.join('.')}`);
  return version.join('.');
}

function parseVersion(text: string): WAVersion | undefined {
  const [, first, second, third] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,15})$/.exec(text) ?? [];
  return third === undefined ? undefined : [Number(first), Number(second), Number(third)];
}

/** Not older than the version of this release, and not more than some years ahead. */
function isPlausible([first, second, third]: WAVersion): boolean {
  const ahead = third - BUILT_IN[2];
  return first === BUILT_IN[0] && second === BUILT_IN[1] && ahead >= 0 && ahead <= FARTHEST_AHEAD;
}

function present(expiresAt: number | undefined): { readonly expiresAt?: number } {
  return expiresAt === undefined ? {} : { expiresAt };
}

export function isSame(one: WAVersion, other: WAVersion): boolean {
  return one.join('.') === other.join('.');
}

function sourceOf(
  wanted: ClientVersionsParts['wanted'],
  learnedAt: number | undefined,
): VersionFigures['source'] {
  if (wanted !== undefined && wanted !== 'auto') return 'set';
  return learnedAt === undefined ? 'built_in' : 'learned';
}

/** Reads the announcement that the network will refuse this version from a time on, or its withdrawal. */
export function followExpiry(sock: Pick<WASocket, 'ws'>, onExpiry: (at: number | undefined) => void): void {
  sock.ws.on('CB:ib,,client_expiration', ({ content }: BinaryNode) => {
    const [child] = Array.isArray(content) ? content : [];
    const { t } = child?.attrs ?? {};
    const seconds = t === undefined ? undefined : Number(t);
    if (seconds === undefined) onExpiry(undefined);
    else if (Number.isSafeInteger(seconds) && seconds > 0) onExpiry(seconds * 1_000);
  });
}

const REAL_ORIGIN = 'https://web.whatsapp.com';
const PATIENCE_MS = 20_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** Minimal browser headers with which the network serves the page. */
const AS_A_BROWSER = {
  'sec-fetch-site': 'none',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
};

/** Fetches the page that gives web clients their current version, over the same route as the numbers' connections. */
export async function fetchVersionPage({
  transport,
  clock,
  url,
}: {
  transport: Pick<MediaTransport, 'get'>;
  clock: Clock;
  /** URL of the client server; absent: the real network. */
  url: string | undefined;
}): Promise<string> {
  const stop = new AbortController();
  try {
    return await within(clock, PATIENCE_MS, read(transport, originOf(url), stop.signal), late);
  } finally {
    stop.abort();
  }
}

const late = (): Error => new Error('the page timed out');

async function read(
  transport: Pick<MediaTransport, 'get'>,
  origin: string,
  signal: AbortSignal,
): Promise<string> {
  const { status, body } = await transport.get(new URL('/sw.js', origin), { signal, headers: AS_A_BROWSER });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new Error('the page is too large');
    chunks.push(chunk);
  }
  if (status !== 200) throw new Error(`the page was answered with ${status}`);
  return Buffer.concat(chunks).toString();
}

/** `ws://host:port/ws/chat` → `http://host:port` */
function originOf(url: string | undefined): string {
  if (url === undefined) return REAL_ORIGIN;
  const { protocol, host } = new URL(url);
  return `${protocol === 'wss:' ? 'https' : 'http'}://${host}`;
}
