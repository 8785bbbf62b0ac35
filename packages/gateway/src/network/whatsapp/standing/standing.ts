import type { BinaryNode, WASocket } from 'baileys';
import type { Timer } from '#kernel';
import type { OpenRequest, StandingNews } from '../../port.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { toNetworkError } from '../errors.ts';
import { runQuery, STANDING_QUERIES } from '../link/queries.ts';
import { ask, type SessionContext } from '../session-context.ts';
import { readCap, readLock, readNotification } from './read.ts';

/** How the number stands with the network: heard when the network says so, and asked for. */
export interface StandingWatch {
  attach(sock: WASocket): void;
  /** The connection is open. */
  resume(): void;
  /** The network did not let the number write to somebody. */
  refused(): void;
  /** A message could not be read. */
  unreadable(messageId: string): void;
  tell(news: StandingNews): void;
  stop(): void;
}

const DAY_MS = 86_400_000;
/** Numbers that connected together do not ask together for ever. */
const SPREAD = 0.1;
const AFTER_REFUSAL_MS = 60_000;
const MOST_UNREADABLE = 1_000;
/** Families of official clients ask by different words. */
const CAP_WORDS = ['INDIVIDUAL_NEW_CHAT_MSG', 'INDIVIDUAL_NEW_CHAT_THREAD'] as const;

export function createStandingWatch(
  context: SessionContext,
  onStanding: OpenRequest['onStanding'],
): StandingWatch {
  const { clock, random, log, linkId } = context;
  const unreadable = createBoundedCache<true>({ limit: MOST_UNREADABLE });
  let daily: Timer | undefined;
  let mayAskAfterRefusalAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function tell(news: StandingNews): void {
    if (!stopped) onStanding(news);
  }

  async function askLock(sock: WASocket): Promise<void> {
    const lock = readLock(await runQuery(sock, STANDING_QUERIES.lock, {}), clock.now());
    if (lock) tell(lock);
  }

  async function askCap(sock: WASocket): Promise<void> {
    for (const type of CAP_WORDS) {
      try {
        const cap = readCap(await runQuery(sock, STANDING_QUERIES.cap, { input: { type } }));
        if (cap) tell(cap);
        return;
      } catch (error) {
        // The network does not know the word, so perhaps it knows the other.
        if (toNetworkError(error).kind !== 'malformed') throw error;
      }
    }
  }

  /** Nobody waits for it: what fails today is asked again tomorrow, or with the next connection. */
  function askAll(): void {
    if (stopped) return;
    daily?.cancel();
    daily = clock.after(DAY_MS * (1 + SPREAD * random.fraction()), askAll);
    for (const question of [askLock, askCap]) {
      ask(context, question).catch((error: unknown) =>
        log.debug({ linkId, error: String(error) }, 'the network did not say how a number stands'),
      );
    }
  }

  return {
    attach(sock) {
      sock.ws.on('CB:notification,type:mex', (node: BinaryNode) => {
        const news = readNotification(node, clock.now());
        if (news) tell(news);
      });
    },
    resume: askAll,
    refused() {
      if (clock.monotonic() < mayAskAfterRefusalAt) return;
      mayAskAfterRefusalAt = clock.monotonic() + AFTER_REFUSAL_MS;
      askAll();
    },
    unreadable(messageId) {
      if (unreadable.get(messageId)) return;
      unreadable.set(messageId, true);
      tell({ kind: 'undecryptable' });
    },
    tell,
    stop() {
      stopped = true;
      daily?.cancel();
    },
  };
}
