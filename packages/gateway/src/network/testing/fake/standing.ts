import type { LinkedDevice, NewChatCap, News, RateKind, ReachoutLock, World } from '@parley/sandbox/world';
import type { Clock } from '#kernel';
import { NetworkError } from '../../errors.ts';
import type { OpenRequest, StandingNews } from '../../port.ts';

/** What the network says about the number, in the port's words. */
export interface FakeStanding {
  /** The number has come online. */
  connected(device: LinkedDevice): void;
  /** Tells what an item is about, if it is about that. */
  hear(news: News): void;
  /** Rejects what the network would refuse for how the number stands. */
  assertMayWrite(device: LinkedDevice, to: string): void;
  assertMayAsk(device: LinkedDevice, kind: RateKind): void;
  tell(news: StandingNews): void;
}

const NO_NEW_CHATS = 463;
const RATE_OVERLIMIT = 429;
const AFTER_REFUSAL_MS = 60_000;

const WARNINGS = {
  NONE: 'none',
  FIRST_WARNING: 'first',
  SECOND_WARNING: 'second',
  CAPPED: 'capped',
} as const;

export function createFakeStanding(
  { standing }: Pick<World, 'standing'>,
  clock: Pick<Clock, 'now'>,
  tell: OpenRequest['onStanding'],
): FakeStanding {
  let askedAt = Number.NEGATIVE_INFINITY;

  const tellLock = (lock: ReachoutLock | undefined): void =>
    tell(
      lock
        ? { kind: 'reachout_lock', active: true, type: lock.type, endsAt: wholeSeconds(lock.endsAt) }
        : { kind: 'reachout_lock', active: false },
    );

  const tellCap = ({ quota, used, cycleEndsAt, status }: NewChatCap): void =>
    tell({
      kind: 'new_chat_cap',
      quota,
      used,
      cycleEndsAt: wholeSeconds(cycleEndsAt),
      warning: WARNINGS[status],
    });

  const tellAll = ({ phone }: LinkedDevice): void => {
    tellLock(standing.lockOf(phone));
    const cap = standing.capOf(phone);
    if (cap) tellCap(cap);
  };

  return {
    connected: tellAll,
    tell,
    hear(news) {
      if (news.kind === 'reachout_lock') tellLock(news.lock);
      if (news.kind === 'new_chat_cap') tellCap(news.cap);
    },
    assertMayWrite(device, to) {
      const code = standing.refusesMessage(device, to);
      if (code === undefined) return;
      if (code === NO_NEW_CHATS && clock.now() - askedAt >= AFTER_REFUSAL_MS) {
        askedAt = clock.now();
        queueMicrotask(() => tellAll(device));
      }
      throw new NetworkError('permanent', 'The network does not let this number start new chats.', { code });
    },
    assertMayAsk({ phone }, kind) {
      if (!standing.isLimited(phone, kind)) return;
      tell({ kind: 'rate_overlimit', what: kind });
      throw new NetworkError('transient', 'The network could not do it at this moment.', {
        code: RATE_OVERLIMIT,
      });
    },
  };
}

const wholeSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;
