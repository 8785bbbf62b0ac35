import { DELIVERY_ANSWER_MAX_BYTES } from '@parley/contract';
import type { PostedAnswer } from '#egress';
import type { SealedBox } from '#kernel';
import type { Failure } from '../receivers/failing.ts';

/** What a receiver said, as the log keeps it: sealed, because it may hold anything. */
export interface KeptAnswer {
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

export function keptAnswer({ headers, body, cut }: PostedAnswer): KeptAnswer {
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

export function sealAnswers(
  sealedBox: Pick<SealedBox, 'seal'>,
  seq: number,
  answers: KeptAnswers,
): Uint8Array {
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
