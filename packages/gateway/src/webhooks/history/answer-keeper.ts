import { UNRECORDED_KINDS } from '@parley/contract';
import type { PostedAnswer } from '#egress';
import type { QueuedDelivery } from '#event-log';
import { type SealedBox, UnopenableBox } from '#kernel';
import type { Store } from '#store';
import type { Failure } from '../receivers/failing.ts';
import { type KeptAnswers, keptAnswer, openAnswers, sealAnswers } from './answers.ts';
import { readAnswers } from './store.ts';

/** A delivery that is sent again and again by hand does not grow for ever. */
export const ATTEMPTS_REMEMBERED = 12;
export const NO_ATTEMPTS = '[]';

/** Puts what became of an attempt beside what became of those before. */
export interface AnswerKeeper {
  /** All of them, sealed, at once where there were none before; null: there is nothing to keep. */
  with(
    delivery: QueuedDelivery,
    answer: Answer,
    wasTaken: boolean,
  ): Uint8Array | null | Promise<Uint8Array | null>;
}

type Answer = PostedAnswer | Failure | undefined;

export function createAnswerKeeper({
  store,
  sealedBox,
}: {
  store: Pick<Store, 'read'>;
  sealedBox: Pick<SealedBox, 'seal' | 'open'>;
}): AnswerKeeper {
  async function after({ seq, attempts }: QueuedDelivery, answer: Answer): Promise<Uint8Array> {
    const before = opened(seq, await readAnswers(store.read, seq));
    // As many as there were attempts: a process of the last release kept none.
    const missing = Math.max(JSON.parse(attempts).length - before.length, 0);
    const all = [...Array<null>(missing).fill(null), ...before, kept(answer)];
    return sealAnswers(sealedBox, seq, all.slice(-ATTEMPTS_REMEMBERED));
  }

  function opened(seq: number, sealed: Uint8Array | null): KeptAnswers {
    try {
      return openAnswers(sealedBox, seq, sealed);
    } catch (error) {
      if (error instanceof UnopenableBox) return [];
      throw error;
    }
  }

  return {
    with(delivery, answer, wasTaken) {
      const isSilentSuccess = wasTaken && answer && 'body' in answer && answer.body.length === 0;
      if (UNRECORDED_KINDS.has(delivery.kind)) return null;
      if (delivery.attempts !== NO_ATTEMPTS) return after(delivery, answer);
      // Nearly every event is taken at once and without a word: to seal that would cost a twentieth of all deliveries, and tell nothing.
      if (isSilentSuccess) return null;
      return sealAnswers(sealedBox, delivery.seq, [kept(answer)]);
    },
  };
}

function kept(answer: Answer): KeptAnswers[number] {
  if (answer === undefined) return null;
  return 'headers' in answer ? keptAnswer(answer) : answer;
}
