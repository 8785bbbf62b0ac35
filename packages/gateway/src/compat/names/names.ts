import { changeInTurn } from '#accounts';
import type { Bus } from '#bus';
import type { Caller, OwnedNumber } from '#http';
import { type Clock, fault, type SealedBox } from '#kernel';
import { isStoreError, type Store, type Writer } from '#store';
import { createMemory } from './memory.ts';
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
  /** The same as of a moment ago: for whoever changes nothing. */
  readonly lately: Pick<Names<Remembered>, 'find' | 'ofNumber'>;
  /**
   * In place of another name of the number, if told. False when the name is taken, or the number has one already: nothing is changed then, not
   * even by `remembered`, which may write too.
   */
  give(
    number: OwnedNumber,
    name: string,
    remembered: Remembered | ((trx: Writer) => Promise<Remembered>),
    inPlaceOf?: Named<Remembered>,
  ): Promise<boolean>;
  remember(named: Named<Remembered>, remembered: Remembered): Promise<void>;
  /** With `alongside` or not at all; it may write what is audited. */
  drop(named: Named<Remembered>, alongside?: (trx: Writer) => Promise<void>): Promise<void>;
  stop(): void;
}

export interface NamesContext {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>;
  readonly machineClock: Pick<Clock, 'monotonic'>;
}

export function createNames<Remembered extends object>(
  surface: string,
  { store, clock, sealedBox, bus, machineClock }: NamesContext,
): Names<Remembered> {
  const memory = createMemory<Named<Remembered>>(`compat-names.${surface}`, { bus, machineClock });
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

  async function read(accountId: string, name: string): Promise<Named<Remembered> | undefined> {
    const row = await findName(store.read, surface, accountId, name);
    return row && view(row);
  }

  async function readOfNumber(slotId: string): Promise<Named<Remembered> | undefined> {
    const row = await nameOfNumber(store.read, surface, slotId);
    return row && view(row);
  }

  const keyOf = ({ name, number }: Named<Remembered>) => ({ account_id: number.accountId, surface, name });
  const nameKey = (accountId: string, name: string): string => `name ${accountId} ${name}`;
  const numberKey = (slotId: string): string => `number ${slotId}`;
  const changed = ({ slotId, accountId }: OwnedNumber, ...names: readonly string[]): void =>
    memory.changed([numberKey(slotId), ...names.map((name) => nameKey(accountId, name))]);

  return {
    find: async (caller, name) => checked(caller, await read(caller.accountId, name)),
    ofNumber: readOfNumber,
    lately: {
      async find(caller, name) {
        const { accountId } = caller;
        return checked(caller, await memory.recall(nameKey(accountId, name), () => read(accountId, name)));
      },
      ofNumber: (slotId) => memory.recall(numberKey(slotId), () => readOfNumber(slotId)),
    },
    async list({ accountId, phone }) {
      const rows = await namesOf(store.read, surface, accountId);
      return rows.filter((row) => phone === null || row.phone === phone).map(view);
    },
    async give(number, name, remembered, inPlaceOf) {
      const { slotId, accountId } = number;
      const now = clock.now();
      const row = { account_id: accountId, surface, name, slot_id: slotId, created_at: now, updated_at: now };
      try {
        await changeInTurn(store, async (trx) => {
          const told = remembered instanceof Function ? await remembered(trx) : remembered;
          if (inPlaceOf) await deleteName(trx, keyOf(inPlaceOf));
          await insertName(trx, { ...row, remembered: sealed(slotId, told) });
        });
      } catch (error) {
        if (isStoreError(error, 'unique_violation')) return false;
        throw error;
      }
      changed(number, name, ...(inPlaceOf ? [inPlaceOf.name] : []));
      return true;
    },
    async remember(named, remembered) {
      const change = { remembered: sealed(named.number.slotId, remembered), updated_at: clock.now() };
      await store.transaction((trx) => rewriteName(trx, keyOf(named), change));
      changed(named.number, named.name);
    },
    async drop(named, alongside) {
      await changeInTurn(store, async (trx) => {
        await deleteName(trx, keyOf(named));
        await alongside?.(trx);
      });
      changed(named.number, named.name);
    },
    stop: () => memory.stop(),
  };
}

/** A key that is for another number learns nothing of this one. */
function checked<N extends Named<unknown>>({ phone }: Caller, named: N | undefined): N | undefined {
  if (named && phone !== null && phone !== named.number.phone) throw fault('key_restricted');
  return named;
}

export function contextOfName(surface: string, slotId: string): string {
  return `compat ${surface} ${slotId}`;
}
