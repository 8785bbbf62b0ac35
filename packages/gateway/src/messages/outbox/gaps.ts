import { pacingOf } from '#health';
import type { Clock, Random } from '#kernel';
import type { QueuedMessage } from './outbox-queries.ts';

/**
 * Keeps the random pauses configured for a number between its messages to different people, and growing ones while the network
 * fails for everyone: else each chat would use up its attempts during an outage.
 */
export interface Gaps {
  /** Remaining wait of the message; 0: it may go. */
  msBefore(message: QueuedMessage): number;
  /** Records that it was sent. */
  sent(message: QueuedMessage): void;
  /** Records that it has to be retried. */
  failed(message: QueuedMessage): void;
  /** Whether the last chats of the number all failed: a chat that has not failed yet shows best whether the network is back. */
  isOutage(slotId: string): boolean;
}

interface Last {
  readonly to: string;
  readonly at: number;
  readonly gapMs: number;
}

/** Recipients that fail one after the other, with none reached in between, before the fault is taken for the network's. */
const FAILING_CHATS = 5;
const FIRST_REST_MS = 2_000;
const LONGEST_REST_MS = 60_000;

interface Outage {
  readonly chats: Set<string>;
  /** Failures since it was taken for the network's. */
  failures: number;
  until: number;
}

/** Sends before the start of this process do not count: a restart takes longer than a gap. */
export function createGaps({
  clock,
  random,
}: {
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'fraction'>;
}): Gaps {
  const lasts = new Map<string, Last>();
  const outages = new Map<string, Outage>();

  function msOfGap({ slot_id, to_jid }: QueuedMessage): number {
    const last = lasts.get(slot_id);
    if (!last || last.to === to_jid) return 0;
    const passed = clock.now() - last.at;
    // A clock that was set back must not cause a wait longer than a gap.
    return passed < 0 ? 0 : Math.max(last.gapMs - passed, 0);
  }

  const isOutage = (slotId: string): boolean => outages.get(slotId)?.chats.size === FAILING_CHATS;

  return {
    msBefore(message) {
      const restMs = (outages.get(message.slot_id)?.until ?? 0) - clock.now();
      return Math.max(Math.min(restMs, LONGEST_REST_MS), msOfGap(message), 0);
    },
    isOutage,
    failed({ slot_id, to_jid }) {
      const outage = outages.get(slot_id) ?? { chats: new Set(), failures: 0, until: 0 };
      outages.set(slot_id, outage);
      if (outage.chats.size < FAILING_CHATS) outage.chats.add(to_jid);
      if (!isOutage(slot_id)) return;
      outage.until = clock.now() + Math.min(FIRST_REST_MS * 2 ** outage.failures, LONGEST_REST_MS);
      outage.failures += 1;
    },
    sent(message) {
      const { slot_id, to_jid, pacing } = message;
      outages.delete(slot_id);
      if (pacing === null) {
        lasts.delete(slot_id);
        return;
      }
      const { gap_min_seconds: min, gap_max_seconds: max } = pacingOf(message, { dailyNewChats: 0 });
      const gapMs = (min + (max - min) * random.fraction()) * 1_000;
      if (gapMs === 0) lasts.delete(slot_id);
      else lasts.set(slot_id, { to: to_jid, at: clock.now(), gapMs });
    },
  };
}
