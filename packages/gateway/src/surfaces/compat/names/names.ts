import { auditedTransaction } from '#accounts';
import type { Clock, SealedBox } from '#kernel';
import type { Bus } from '#platform/bus';
import { type Caller, type OwnedNumber, requireReach } from '#platform/http';
import { isStoreError, type Store, type Writer } from '#platform/store';
import {
  deleteName,
  findName,
  insertName,
  nameOfNumber,
  namesOf,
  rewriteName,
  type StoredName,
} from './name-queries.ts';

/** A number under the name that a surface gives it, with the data that the surface stores. */
export interface Named<Remembered> {
  readonly name: string;
  readonly number: OwnedNumber;
  readonly remembered: Remembered;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Names of one surface. Two accounts may use the same name; neither learns of the other's. */
export interface Names<Remembered> {
  /** Undefined when the account has no such name. A key for another number is refused. */
  find(caller: Caller, name: string): Promise<Named<Remembered> | undefined>;
  /** All names that the caller may see. */
  list(caller: Caller): Promise<Named<Remembered>[]>;
  ofNumber(slotId: string): Promise<Named<Remembered> | undefined>;
  /** The same from memory, up to a minute old, for read-only calls. */
  readonly lately: Pick<Names<Remembered>, 'find' | 'ofNumber'>;
  /**
   * Replaces another name of the number if requested. False when the name is taken or the number has one already; then nothing is changed
   * and the writes of `remembered` are rolled back.
   */
  give(
    number: OwnedNumber,
    name: string,
    remembered: Remembered | ((trx: Writer) => Promise<Remembered>),
    inPlaceOf?: Named<Remembered>,
  ): Promise<boolean>;
  remember(named: Named<Remembered>, remembered: Remembered): Promise<void>;
  /** Runs `alongside`, which may write to the audit log, in the same transaction. */
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
        await auditedTransaction(store, async (trx) => {
          const value = remembered instanceof Function ? await remembered(trx) : remembered;
          if (inPlaceOf) await deleteName(trx, keyOf(inPlaceOf));
          await insertName(trx, { ...row, remembered: sealed(slotId, value) });
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
      await auditedTransaction(store, async (trx) => {
        await deleteName(trx, keyOf(named));
        await alongside?.(trx);
      });
      changed(named.number, named.name);
    },
    stop: () => memory.stop(),
  };
}

/** A key for another number does not learn that this one exists. */
function checked<N extends Named<unknown>>(caller: Caller, named: N | undefined): N | undefined {
  if (named) requireReach(caller, named.number.phone);
  return named;
}

export function contextOfName(surface: string, slotId: string): string {
  return `compat ${surface} ${slotId}`;
}

/** Recently read values by key, so that a send or a delivery costs no query. */
interface Memory<Found> {
  /** Reads on a miss. Absent values are not cached. */
  recall(key: string, read: () => Promise<Found | undefined>): Promise<Found | undefined>;
  /** Invalidates these keys, in the other processes as well. */
  changed(keys: readonly string[]): void;
  stop(): void;
}

/**
 * How long a change of another process may go unnoticed when the bus loses its notice. Names change seldom, and an outdated name leads only
 * to another number of the same account.
 */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;

export function createMemory<Found>(
  topic: string,
  { bus, machineClock }: { bus: Pick<Bus, 'publish' | 'subscribe'>; machineClock: Pick<Clock, 'monotonic'> },
): Memory<Found> {
  const known = new Map<string, { readonly found: Promise<Found | undefined>; readonly readAt: number }>();
  const forget = (keys: unknown): void => {
    for (const key of keys as readonly string[]) known.delete(key);
  };
  const changes = bus.subscribe(topic, forget);
  return {
    recall(key, read) {
      const last = known.get(key);
      if (last && machineClock.monotonic() - last.readAt < REMEMBERED_MS) return last.found;
      if (known.size >= REMEMBERED_MAX) known.clear();
      const drop = (): void => {
        if (known.get(key) === entry) known.delete(key);
      };
      const found = read().then(
        (value) => {
          if (value === undefined || value === null) drop();
          return value;
        },
        (error: unknown) => {
          drop();
          throw error;
        },
      );
      const entry = { found, readAt: machineClock.monotonic() };
      known.set(key, entry);
      return found;
    },
    changed(keys) {
      forget(keys);
      bus.publish(topic, keys);
    },
    stop: () => changes.stop(),
  };
}
