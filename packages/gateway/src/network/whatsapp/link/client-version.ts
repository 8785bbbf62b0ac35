import { DEFAULT_CONNECTION_CONFIG, type WAVersion } from 'baileys';
import { type Clock, growingPause, neverRejects, type Random, type Timer } from '#kernel';
import type { Store } from '#store';
import type { Log } from '../guards/index.ts';
import { findKeptVersion, keepVersion } from './store.ts';

/**
 * The version of the web client to appear as. The network refuses clients that were not updated for months, so it is learned where
 * official ones learn it, at the start, daily, and when the network refuses it; the last good one is kept.
 */
export interface ClientVersions {
  /** Resolves when what was learned before is known. */
  readonly ready: Promise<void>;
  current(): WAVersion;
  figures(): VersionFigures;
  onChange(listener: () => void): () => void;
  /** The network refuses `version`. Resolves to true when there is another one by now. */
  refused(version: WAVersion): Promise<boolean>;
  stop(): void;
}

export interface VersionFigures {
  readonly version: string;
  /** `set` by the operator, `learned` from the network, else `built_in`. */
  readonly source: 'set' | 'learned' | 'built_in';
  /** When the network said so last (epoch ms). */
  readonly learnedAt?: number;
}

export interface ClientVersionsParts {
  /** `auto` learns it; a version is shown whatever the network says; absent, the built-in one. */
  readonly wanted: WAVersion | 'auto' | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Reads the page on which the network names its current version. */
  readonly readPage: () => Promise<string>;
}

const DAILY = { firstMs: 24 * 3_600_000, longestMs: 24 * 3_600_000, jitter: 0.1 };
const AFTER_FAILURE = { firstMs: 60_000, longestMs: 6 * 3_600_000, jitter: 0.3 };
/** However many numbers are refused, the page is read once in so long. */
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

  /** One at a time; never rejects. */
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
            'the current version of the client could not be learned',
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
/** The web client has numbered its releases under this for years; the page tells only the last part. */
const FAMILY = [2, 3_000] as const;
/** It grows by about twelve million a year. */
const FARTHEST_AHEAD = 100_000_000;

/** Quotes on the page may be escaped, for it stands inside of a text there. */
export function versionOnPage(page: string): string {
  const [, revision] = /\\?"client_revision\\?"\s*:\s*(\d{1,15})\b/.exec(page) ?? [];
  const version = parseVersion(`${FAMILY.join('.')}.${revision}`);
  if (!version) throw new Error('the page names no version');
  if (!isPlausible(version)) throw new Error(`the page names an absurd version: ${version.join('.')}`);
  return version.join('.');
}

function parseVersion(text: string): WAVersion | undefined {
  const [, first, second, third] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,15})$/.exec(text) ?? [];
  return third === undefined ? undefined : [Number(first), Number(second), Number(third)];
}

/** Neither older than what this release was built with, nor from another age. */
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
