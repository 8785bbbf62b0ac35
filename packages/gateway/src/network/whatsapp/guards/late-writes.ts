import { AsyncLocalStorage } from 'node:async_hooks';
import type { SignalKeyStoreWithTransaction } from 'baileys';
import { settled } from '#kernel';

/** A transaction of the library, as seen by calls made inside it. */
interface Life {
  /** Its work is done: later writes are not committed with it. */
  over: boolean;
  /** Settles when it is committed or has failed. */
  settled: Promise<unknown>;
}

/**
 * Runs late calls of a transaction after it. The library finds the transaction of a call by its asynchronous
 * context, which outlives the transaction: unawaited work begun inside it, such as giving a trusted-contact
 * token, would write into a transaction that is already committed. The write is lost, and the token is given
 * again with every message.
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

  /** Runs the call in its transaction, or after it. */
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
