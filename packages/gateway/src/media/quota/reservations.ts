import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXPORTS_ACCOUNT_MAX_BYTES, MEDIA_ACCOUNT_MAX_BYTES } from '@parley/contract';
import { apiError, type Clock, type Random } from '#kernel';
import type { MediaReservationRow, Store, Writer } from '#platform/store';
import { bytesBeside, dropReservation, dropReservationsOf, writeReservation } from '../media-queries.ts';

/** What a file counts against: archives that an account asks for take nothing from the room for its files. */
export type Budget = MediaReservationRow['budget'];

const LIMITS: Readonly<Record<Budget, number>> = {
  media: MEDIA_ACCOUNT_MAX_BYTES,
  export: EXPORTS_ACCOUNT_MAX_BYTES,
};
/** Reserved ahead of a file whose size is not known before its end. */
const STEP_BYTES = 16 * 1024 * 1024;
/** Long after an upload is over. Bounds how long a process that never comes back holds room; a file that comes later is counted at its end. */
const EXPIRES_AFTER_MS = 60 * 60_000;
const HOLDER_BYTES = 16;

/** Quota reserved for one file in transit. */
interface Reservation {
  /** Resolves when there is room for so many bytes of it. */
  cover(bytes: number): Promise<void>;
  /** Releases the reservation in the transaction that records the file, which counts from then on. */
  settle(trx: Writer, bytes: number): Promise<void>;
  /** Gives the room back. */
  release(): Promise<void>;
}

export interface Reservations {
  /** `bytes`: its size, where that is known. Rejects when the account has no room for it. */
  reserve(order: { id: string; accountId: string; budget: Budget; bytes?: number }): Promise<Reservation>;
}

export function createReservations({
  store,
  clock,
  random,
  holderFile,
}: {
  store: Store;
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'bytes'>;
  /** Says across restarts which reservations are this process's own. */
  holderFile: string;
}): Reservations {
  const holder = holderIn(holderFile, random);
  let cleared: Promise<void> | undefined;

  /** What this process held when it was killed is free before it takes anything anew. */
  function clearLeft(): Promise<void> {
    cleared ??= store
      .transaction((trx) => dropReservationsOf(trx, holder))
      .catch((error: unknown) => {
        cleared = undefined;
        throw error;
      });
    return cleared;
  }

  return {
    async reserve({ id, accountId, budget, bytes: known }) {
      await clearLeft();
      let reserved = 0;

      const roomFor = async (trx: Writer): Promise<number> => {
        const others = await bytesBeside(trx, store.dialect, { id, accountId, budget, now: clock.now() });
        return LIMITS[budget] - others;
      };

      async function widen(bytes: number, ahead: number): Promise<void> {
        const expiresAt = clock.now() + EXPIRES_AFTER_MS;
        reserved = await store.transaction(async (trx) => {
          const room = await roomFor(trx);
          if (bytes > room) throw apiError('media_storage_exhausted');
          const size = Math.min(bytes + ahead, room);
          await writeReservation(trx, {
            id,
            account_id: accountId,
            budget,
            size,
            holder,
            expires_at: expiresAt,
          });
          return size;
        });
      }

      await (known === undefined ? widen(1, STEP_BYTES) : widen(known, 0));
      return {
        async cover(bytes) {
          if (bytes > reserved) await widen(bytes, STEP_BYTES);
        },
        async settle(trx, bytes) {
          if (bytes > (await roomFor(trx))) throw apiError('media_storage_exhausted');
          await dropReservation(trx, id);
        },
        release: () => store.transaction((trx) => dropReservation(trx, id)),
      };
    },
  };
}

function holderIn(file: string, random: Pick<Random, 'bytes'>): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as Partial<NodeJS.ErrnoException>).code !== 'ENOENT') throw error;
  }
  const holder = Buffer.from(random.bytes(HOLDER_BYTES)).toString('hex');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, holder, { mode: 0o600 });
  return holder;
}
