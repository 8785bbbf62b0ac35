import {
  parseUsername,
  phoneDigits,
  VALIDATION_BATCH_MAX_USERNAMES,
  type ValidatedNumber,
  type WrittenUsername,
} from '@parley/contract';
import { fault } from '#kernel';
import type { FoundByUsername, LookUpResult } from '#network';

interface LookUps {
  readonly numbers: (numbers: readonly string[]) => Promise<readonly LookUpResult[]>;
  /** Aborts when nobody waits for the results any more. */
  readonly signal?: AbortSignal;
  /** Undefined when it is nobody's. */
  readonly username: (written: WrittenUsername) => Promise<FoundByUsername | undefined>;
}

/** One result for each number or username asked for, in order. The network is asked about each real one once, and never about nonsense. */
export async function validateNumbers(
  asked: readonly string[],
  { numbers, username, signal }: LookUps,
): Promise<ValidatedNumber[]> {
  const names = new Map(asked.flatMap((text) => entryOf(text, parseUsername(text))));
  if (names.size > VALIDATION_BATCH_MAX_USERNAMES) throw tooMany();
  const digits = new Map(asked.flatMap((text) => entryOf(text, phoneDigits(text))));
  const found = new Map((await numbers([...new Set(digits.values())])).map((one) => [one.number, one]));
  const people = new Map<string, FoundByUsername | undefined>();
  // One at a time: the network is asked about each name by itself, and counts questions.
  for (const [text, written] of names) {
    if (signal?.aborted) break;
    people.set(text, await username(written));
  }
  return asked.map((text) => {
    const number = digits.get(text);
    if (number !== undefined) return { query: `+${number}`, ...registration(found.get(number)) };
    return { query: text, ...personOf(people.get(text)) };
  });
}

function entryOf<T>(text: string, read: T | null): [string, T][] {
  return read === null ? [] : [[text, read]];
}

function tooMany(): Error {
  const text = `at most ${VALIDATION_BATCH_MAX_USERNAMES} usernames can be checked at once`;
  return fault('invalid_field', { text });
}

type Result = Omit<ValidatedNumber, 'query'>;

function registration(result: LookUpResult | undefined): Result {
  if (result?.jid === undefined) return { on_messenger: false };
  const { jid, verifiedName } = result;
  return { on_messenger: true, jid, ...(verifiedName && { verified_name: verifiedName }) };
}

function personOf(found: FoundByUsername | undefined): Result {
  if (!found) return { on_messenger: false };
  return found.kind === 'guarded'
    ? { on_messenger: true, key_required: true }
    : { on_messenger: true, jid: found.chat };
}
