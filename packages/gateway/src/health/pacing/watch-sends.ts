import type { HoldReason, SendRequest } from '@parley/contract';
import type { OwnedNumber } from '#http';
import type { Clock } from '#kernel';
import type { HealthFollower } from '../standing/follow.ts';
import type { Hold } from './pacing.ts';
import { createRepeats } from './repeats.ts';

/** What became of a send that asked to be accepted. */
type WatchedResult =
  | { readonly kind: 'admitted' | 'replayed' | 'reused' }
  | { readonly kind: 'refused'; readonly code: string; readonly hold?: Hold };

/** Looks at sends as they are accepted or held back. */
export interface SendWatch {
  observe(number: OwnedNumber, sessionId: string, send: SendRequest, result: WatchedResult): void;
  /** Sends of this process that were held back, by reason. */
  readonly heldBack: ReadonlyMap<HoldReason, number>;
}

export function createSendWatch({
  follower,
  clock,
}: {
  follower: Pick<HealthFollower, 'note'>;
  clock: Pick<Clock, 'now'>;
}): SendWatch {
  const heldBack = new Map<HoldReason, number>();
  const repeats = createRepeats();
  return {
    heldBack,
    observe(number, sessionId, send, result) {
      if (result.kind === 'refused' && result.hold) {
        const { reason } = result.hold;
        heldBack.set(reason, (heldBack.get(reason) ?? 0) + 1);
      }
      if (result.kind !== 'admitted' || send.kind !== 'text') return;
      if (repeats.note(number.slotId, send.text, send.to, clock.now()))
        follower.note({ number, sessionId, fence: null }, { signals: [{ kind: 'repeated_text' }] });
    },
  };
}
