import { Readable } from 'node:stream';
import type { Clock } from '#kernel';

const SLOTS_PER_ACCOUNT = 2;
const WAIT_MAX_MS = 30_000;

/** Limits concurrent base64 encoding. Many at once would block the event loop for all other requests. */
interface FileSlots {
  /** Grants slots in the order of calls. Resolves to the release of the slot; undefined when the caller has left or has waited too long. */
  take(accountId: string, left: AbortSignal): Promise<(() => void) | undefined>;
}

interface AccountSlots {
  taken: number;
  readonly waiting: Set<() => void>;
}

export function createFileSlots(clock: Pick<Clock, 'after'>): FileSlots {
  const accounts = new Map<string, AccountSlots>();

  function getTurn(slots: AccountSlots, left: AbortSignal): Promise<boolean> {
    if (slots.taken < SLOTS_PER_ACCOUNT) {
      slots.taken += 1;
      return Promise.resolve(true);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const grant = (): void => end(true);
    const giveUp = (): void => end(false);
    const timer = clock.after(WAIT_MAX_MS, giveUp);
    function end(isGranted: boolean): void {
      slots.waiting.delete(grant);
      timer.cancel();
      left.removeEventListener('abort', giveUp);
      resolve(isGranted);
    }
    left.addEventListener('abort', giveUp);
    slots.waiting.add(grant);
    return promise;
  }

  function release(accountId: string, slots: AccountSlots): void {
    // Hands the slot to the next waiting call, so that no later call takes it first.
    const [grant] = slots.waiting;
    if (grant) {
      grant();
      return;
    }
    slots.taken -= 1;
    if (slots.taken === 0) accounts.delete(accountId);
  }

  return {
    async take(accountId, left) {
      if (left.aborted) return undefined;
      const slots = accounts.get(accountId) ?? { taken: 0, waiting: new Set() };
      accounts.set(accountId, slots);
      if (!(await getTurn(slots, left))) return undefined;
      let isReleased = false;
      return () => {
        if (!isReleased) release(accountId, slots);
        isReleased = true;
      };
    },
  };
}

interface FileInJson {
  /** JSON object whose fields precede the file. */
  readonly fields: object;
  readonly name: string;
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** JSON object whose fields follow the file. */
  readonly rest: object;
}

const BYTES_OF_GROUP = 3;
const CHARACTERS_OF_GROUP = 4;

/** Streams JSON with a file in base64. Encodes while it reads, so only a piece of the file is in memory. */
export function base64Answer({ fields, name, size, bytes, rest }: FileInJson): {
  readonly length: number;
  readonly body: Readable;
} {
  const head = `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:"`;
  const tail = `",${JSON.stringify(rest).slice(1)}`;
  const encoded = Math.ceil(size / BYTES_OF_GROUP) * CHARACTERS_OF_GROUP;

  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(head);
    let left = Buffer.alloc(0);
    for await (const piece of bytes) {
      const ready = Buffer.concat([left, piece]);
      const whole = ready.length - (ready.length % BYTES_OF_GROUP);
      yield Buffer.from(ready.toString('base64', 0, whole));
      left = ready.subarray(whole);
    }
    yield Buffer.from(left.toString('base64') + tail);
  }
  return {
    length: Buffer.byteLength(head) + encoded + Buffer.byteLength(tail),
    body: Readable.from(pieces(), { objectMode: false }),
  };
}
