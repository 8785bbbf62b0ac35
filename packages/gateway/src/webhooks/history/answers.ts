import { DELIVERY_ANSWER_MAX_BYTES, UNRECORDED_KINDS } from '@parley/contract';
import type { QueuedDelivery } from '#events';
import { type SealedBox, UnopenableBox } from '#kernel';
import type { PostedAnswer } from '#platform/egress';
import type { Store } from '#platform/store';
import type { Failure } from '../receivers/failing.ts';
import { readAnswers } from './delivery-queries.ts';

/** What a receiver said, as the log keeps it: sealed, because it may hold anything. */
interface KeptAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly cut: boolean;
}

/** One for each attempt, in their order: what was answered, or why nothing was; null: unknown. */
export type KeptAnswers = readonly (KeptAnswer | Failure | null)[];

/** Of all headers of an answer together. */
const HEADERS_MAX_LENGTH = DELIVERY_ANSWER_MAX_BYTES;

export function contextOfAnswers(seq: number | string): string {
  return `delivery answers ${seq}`;
}

function keptAnswer({ headers, body, cut }: PostedAnswer): KeptAnswer {
  const kept: [string, string][] = [];
  let left = HEADERS_MAX_LENGTH;
  for (const name in headers) {
    const value = String(headers[name]);
    left -= name.length + value.length;
    if (left < 0) break;
    kept.push([name, value]);
  }
  return { headers: kept, body: body.toString('utf8'), cut };
}

function sealAnswers(sealedBox: Pick<SealedBox, 'seal'>, seq: number, answers: KeptAnswers): Uint8Array {
  return sealedBox.seal(Buffer.from(JSON.stringify(answers)), contextOfAnswers(seq));
}

export function openAnswers(
  sealedBox: Pick<SealedBox, 'open'>,
  seq: number,
  sealed: Uint8Array | null,
): KeptAnswers {
  if (!sealed) return [];
  return JSON.parse(Buffer.from(sealedBox.open(sealed, contextOfAnswers(seq))).toString());
}

/** A delivery that is sent again and again by hand does not grow for ever. */
export const ATTEMPTS_REMEMBERED = 12;
export const NO_ATTEMPTS = '[]';

/** Adds the outcome of an attempt to the outcomes before. */
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
      // Nearly every first attempt succeeds with an empty response: sealing it would cost a twentieth of all delivery work, without any use.
      if (isSilentSuccess) return null;
      return sealAnswers(sealedBox, delivery.seq, [kept(answer)]);
    },
  };
}

function kept(answer: Answer): KeptAnswers[number] {
  if (answer === undefined) return null;
  return 'headers' in answer ? keptAnswer(answer) : answer;
}
