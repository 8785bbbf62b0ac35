import { DEFAULT_CONNECTION_CONFIG, type WAVersion } from 'baileys';
import { type Clock, growingPause, neverRejects, type Random, type Timer, within } from '#kernel';
import type { Store } from '#platform/store';
import { findKeptVersion, keepVersion } from '../gateway-queries.ts';
import type { Log } from '../guards/index.ts';
import type { MediaTransport } from '../media/request.ts';

/**
 * Version of the web client to announce. The network refuses clients that are months old, so the version is read
 * from the page that official clients use: at the start, daily, and when the network refuses the current one.
 * The last good one is stored.
 */
export interface ClientVersions {
  /** Resolves when the stored version is loaded. */
  readonly ready: Promise<void>;
  current(): WAVersion;
  figures(): VersionFigures;
  onChange(listener: () => void): () => void;
  /** Reports that the network refuses `version`. Resolves to true when there is another one by now. */
  refused(version: WAVersion): Promise<boolean>;
  stop(): void;
}

export interface VersionFigures {
  readonly version: string;
  /** `set` by the operator, `learned` from the network, else `built_in`. */
  readonly source: 'set' | 'learned' | 'built_in';
  /** When the network last confirmed it (epoch ms). */
  readonly learnedAt?: number;
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

const DAILY = { firstMs: 24 * 3_600_000, longestMs: 24 * 3_600_000, jitter: 0.1 };
const AFTER_FAILURE = { firstMs: 60_000, longestMs: 6 * 3_600_000, jitter: 0.3 };
/** Minimum interval between reads of the page, for any number of refusals. */
const REFUSALS_APART_MS = 3_600_000;

export function createClientVersions(parts: ClientVersionsParts): ClientVersions {
  const { wanted, store, clock, random, log } = parts;
  const learns = wanted === 'auto';
  const listeners = new Set<() => void>();
  let version: WAVersion = wanted === undefined || learns ? BUILT_IN : wanted;
  let learnedAt: number | undefined;
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

  async function recall(): Promise<void> {
    const kept = await findKeptVersion(store);
    // Another process may have learned it meanwhile.
    if (kept && kept.learnedAt > (learnedAt ?? 0)) take(kept.version, kept.learnedAt);
  }

  async function learn(): Promise<void> {
    const found = versionOnPage(await parts.readPage());
    const at = clock.now();
    take(found, at);
    await keepVersion(store, { version: found, learnedAt: at });
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
        const pause = failures === 0 ? DAILY : AFTER_FAILURE;
        next = clock.after(growingPause(pause, failures, random), () => neverRejects(refresh()));
      });
    return reading;
  }

  const ready = learns
    ? recall().catch((error: unknown) => log.warn({ error: String(error) }, 'the last version is unknown'))
    : Promise.resolve();
  if (learns) neverRejects(ready.then(() => (isOver ? undefined : refresh())));

  return {
    ready,
    current: () => version,
    figures: () => ({
      version: version.join('.'),
      source: sourceOf(wanted, learnedAt),
      ...(learnedAt === undefined ? {} : { learnedAt }),
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
        await recall().catch((error: unknown) =>
          log.warn({ error: String(error) }, 'the last version is unknown'),
        );
        if (isSame(shown, version)) await refresh();
      }
      return !isSame(shown, version);
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

function isSame(one: WAVersion, other: WAVersion): boolean {
  return one.join('.') === other.join('.');
}

function sourceOf(
  wanted: ClientVersionsParts['wanted'],
  learnedAt: number | undefined,
): VersionFigures['source'] {
  if (wanted !== undefined && wanted !== 'auto') return 'set';
  return learnedAt === undefined ? 'built_in' : 'learned';
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
