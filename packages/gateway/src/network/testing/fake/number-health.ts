import type { LinkedDevice, NewChatCap, News, RateKind, ReachoutLock, World } from '@parley/sandbox/world';
import type { Clock } from '#kernel';
import { NetworkError } from '../../errors.ts';
import type { NumberHealthChange, OpenRequest } from '../../port.ts';

/** The network's reports about the number, as events of the port. */
export interface FakeNumberHealth {
  /** Call when the number has come online. */
  connected(device: LinkedDevice): void;
  /** Handles an item, if it is about the number's health. */
  handle(news: News): void;
  /** Rejects a send that the network would refuse because of the number's health. */
  assertMayWrite(device: LinkedDevice, to: string): void;
  assertMayAsk(device: LinkedDevice, kind: RateKind): void;
  report(news: NumberHealthChange): void;
}

const NO_NEW_CHATS = 463;
const NEW_CHATS_CAPPED = 475;
const RATE_OVERLIMIT = 429;
const AFTER_REFUSAL_MS = 60_000;

const WARNINGS = {
  NONE: 'none',
  FIRST_WARNING: 'first',
  SECOND_WARNING: 'second',
  CAPPED: 'capped',
} as const;

export function createFakeNumberHealth(
  { standing }: Pick<World, 'standing'>,
  clock: Pick<Clock, 'now'>,
  report: OpenRequest['onStanding'],
): FakeNumberHealth {
  let askedAt = Number.NEGATIVE_INFINITY;

  const reportLock = (lock: ReachoutLock | undefined): void =>
    report(
      lock
        ? { kind: 'reachout_lock', active: true, type: lock.type, endsAt: wholeSeconds(lock.endsAt) }
        : { kind: 'reachout_lock', active: false },
    );

  const reportCap = ({ quota, used, cycleEndsAt, status }: NewChatCap): void =>
    report({
      kind: 'new_chat_cap',
      quota,
      used,
      cycleEndsAt: wholeSeconds(cycleEndsAt),
      warning: WARNINGS[status],
    });

  const reportAll = ({ phone }: LinkedDevice): void => {
    reportLock(standing.lockOf(phone));
    const cap = standing.capOf(phone);
    if (cap) reportCap(cap);
  };

  return {
    connected: reportAll,
    report,
    handle(news) {
      if (news.kind === 'reachout_lock') reportLock(news.lock);
      if (news.kind === 'new_chat_cap') reportCap(news.cap);
    },
    assertMayWrite(device, to) {
      const code = standing.refusesMessage(device, to);
      if (code === undefined) return;
      const isCapped = code === NEW_CHATS_CAPPED;
      if ((code === NO_NEW_CHATS || isCapped) && clock.now() - askedAt >= AFTER_REFUSAL_MS) {
        askedAt = clock.now();
        queueMicrotask(() => reportAll(device));
      }
      const text = isCapped
        ? 'The number has used up its new chats for now.'
        : 'The network does not let this number start new chats.';
      throw new NetworkError('permanent', text, { code });
    },
    assertMayAsk({ phone }, kind) {
      if (!standing.isLimited(phone, kind)) return;
      report({ kind: 'rate_overlimit', what: kind });
      throw new NetworkError('transient', 'The network could not do it at this moment.', {
        code: RATE_OVERLIMIT,
      });
    },
  };
}

const wholeSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;
