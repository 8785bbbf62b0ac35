import { pacingOf } from '#health';
import type { Clock, Random } from '#kernel';
import type { QueuedMessage } from './store.ts';

/** Keeps the random pauses that were chosen for a number between its messages to different people. */
export interface Gaps {
  /** How long the message has to wait yet; 0: it may go. */
  msBefore(message: QueuedMessage): number;
  /** It has been sent. */
  sent(message: QueuedMessage): void;
}

interface Last {
  readonly to: string;
  readonly at: number;
  readonly gapMs: number;
}

/** What was sent before this process began is forgotten: a restart takes longer than a gap. */
export function createGaps({
  clock,
  random,
}: {
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'fraction'>;
}): Gaps {
  const lasts = new Map<string, Last>();
  return {
    msBefore({ slot_id, to_jid }) {
      const last = lasts.get(slot_id);
      if (!last || last.to === to_jid) return 0;
      const passed = clock.now() - last.at;
      // A clock that was set back must not make anybody wait longer than a gap.
      return passed < 0 ? 0 : Math.max(last.gapMs - passed, 0);
    },
    sent(message) {
      const { slot_id, to_jid, pacing } = message;
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
