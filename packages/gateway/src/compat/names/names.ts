import type { Caller, OwnedNumber } from '#http';
import { type Clock, fault, type SealedBox } from '#kernel';
import { isStoreError, type Store } from '#store';
import {
  deleteName,
  findName,
  insertName,
  nameOfNumber,
  namesOf,
  rewriteName,
  type StoredName,
} from './store.ts';

/** A number as a surface knows it: by a name of that surface's own, with what the surface remembers of it. */
export interface Named<Remembered> {
  readonly name: string;
  readonly number: OwnedNumber;
  readonly remembered: Remembered;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The names of one surface. Two accounts may have the same one: neither learns of the other's. */
export interface Names<Remembered> {
  /** Undefined when the account has no such name. A key that is for another number is refused. */
  find(caller: Caller, name: string): Promise<Named<Remembered> | undefined>;
  /** All that the caller may see. */
  list(caller: Caller): Promise<Named<Remembered>[]>;
  ofNumber(slotId: string): Promise<Named<Remembered> | undefined>;
  /** False when the name is taken, or the number has one already. */
  give(number: OwnedNumber, name: string, remembered: Remembered): Promise<boolean>;
  remember(named: Named<Remembered>, remembered: Remembered): Promise<void>;
  drop(named: Named<Remembered>): Promise<void>;
}

export interface NamesContext {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealedBox: Pick<SealedBox, 'seal' | 'open'>;
}

export function createNames<Remembered>(
  surface: string,
  { store, clock, sealedBox }: NamesContext,
): Names<Remembered> {
  const sealed = (slotId: string, remembered: Remembered): Uint8Array =>
    sealedBox.seal(Buffer.from(JSON.stringify(remembered)), contextOfName(surface, slotId));

  function view(row: StoredName): Named<Remembered> {
    const { slot_id: slotId, account_id: accountId, phone, plan } = row;
    const opened = sealedBox.open(row.remembered, contextOfName(surface, slotId));
    return {
      name: row.name,
      number: { slotId, accountId, phone, plan },
      remembered: JSON.parse(Buffer.from(opened).toString()),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  }

  const keyOf = ({ name, number }: Named<Remembered>) => ({ account_id: number.accountId, surface, name });

  return {
    async find(caller, name) {
      const row = await findName(store.read, surface, caller.accountId, name);
      if (row && caller.phone !== null && caller.phone !== row.phone) throw fault('key_restricted');
      return row && view(row);
    },
    async list({ accountId, phone }) {
      const rows = await namesOf(store.read, surface, accountId);
      return rows.filter((row) => phone === null || row.phone === phone).map(view);
    },
    async ofNumber(slotId) {
      const row = await nameOfNumber(store.read, surface, slotId);
      return row && view(row);
    },
    async give({ slotId, accountId }, name, remembered) {
      const now = clock.now();
      const key = { account_id: accountId, surface, name };
      const row = { ...key, slot_id: slotId, remembered: sealed(slotId, remembered) };
      try {
        await insertName(store, { ...row, created_at: now, updated_at: now });
        return true;
      } catch (error) {
        if (isStoreError(error, 'unique_violation')) return false;
        throw error;
      }
    },
    remember: (named, remembered) =>
      rewriteName(store, keyOf(named), {
        remembered: sealed(named.number.slotId, remembered),
        updated_at: clock.now(),
      }),
    drop: (named) => deleteName(store, keyOf(named)),
  };
}

export function contextOfName(surface: string, slotId: string): string {
  return `compat ${surface} ${slotId}`;
}
