import { AsyncLocalStorage } from 'node:async_hooks';
import type { SignalKeyStoreWithTransaction } from 'baileys';
import { settled } from '#kernel';

/** A transaction of the library, as the calls see it that were made inside it. */
interface Life {
  /** Its work is done: nothing that comes now is committed with it. */
  over: boolean;
  /** When it is committed, or has failed. */
  settled: Promise<unknown>;
}

/**
 * The library finds the transaction that a call belongs to by its asynchronous context, and that outlives the transaction: what is begun
 * inside it and left to itself, such as giving a contact a token of trust, goes on to write into a transaction that was committed long
 * ago, and all of it is lost; the token is then given again with every message. Here such a latecomer reads and writes on its own, after
 * the transaction that it comes from.
 */
export function keepLateWrites(keys: SignalKeyStoreWithTransaction): void {
  const { get, set, isInTransaction, transaction } = keys;
  const outside = AsyncLocalStorage.snapshot();
  const lives = new AsyncLocalStorage<Life>();

  function begin<T>(work: () => Promise<T>, name: string): Promise<T> {
    const life: Life = { over: false, settled: Promise.resolve() };
    const inside = async (): Promise<T> => {
      try {
        return await work();
      } finally {
        life.over = true;
      }
    };
    const whole = transaction(() => lives.run(life, inside), name);
    life.settled = settled(whole);
    return whole;
  }

  /** In the transaction that the call comes from, or after it. */
  async function inTime<T>(call: () => Promise<T>): Promise<T> {
    const life = lives.getStore();
    if (!life?.over) return call();
    await life.settled;
    return outside(call);
  }

  keys.get = (kind, ids) => inTime(async () => get(kind, ids));
  keys.set = (data) => inTime(async () => set(data));
  keys.isInTransaction = () => !lives.getStore()?.over && isInTransaction();
  keys.transaction = (work, name) => {
    const life = lives.getStore();
    if (!life) return begin(work, name);
    return life.over ? outside(() => begin(work, name)) : transaction(work, name);
  };
}
