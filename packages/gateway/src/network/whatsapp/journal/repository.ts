import { AsyncLocalStorage } from 'node:async_hooks';
import {
  DEFAULT_CONNECTION_CONFIG,
  isPnUser,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type SocketConfig,
} from 'baileys';
import { createKeyedQueue } from '#kernel';
import { isSignedBy } from '../guards/index.ts';
import type { KeyBatch } from '../vault/index.ts';

type MakeRepository = SocketConfig['makeSignalRepository'];

/** What the repository needs of the journal. */
export interface PlaintextJournal {
  /** The journal's part of the transaction in which these bytes were decrypted. */
  entryFor(ciphertext: Uint8Array, plaintext: Uint8Array): KeyBatch;
  /** What these bytes were decrypted to before, if ever. */
  plaintextOf(ciphertext: Uint8Array): Promise<Uint8Array | undefined>;
  /** They could not be decrypted. */
  unreadable(ciphertext: Uint8Array): void;
}

/**
 * The library's Signal layer, made durable. Three things are different from the bare one:
 *
 * - A decrypted message is committed together with the step of the ratchet that decrypted it, before the library sees the plaintext. So
 *   the receipt always leaves after the commit, and the ratchet never moves past a message that is not on disk.
 * - Bytes that come again, because the receipt was lost, are answered from the journal; the ratchet could not decrypt them twice.
 * - Every step is a transaction of its own. The library encrypts inside the long transaction of a send, which ends after the message has
 *   left: it would write an old state of the ratchet over what was received meanwhile, and use a message key again after a crash.
 *
 * Signed prekeys of others are verified here because libsignal does not.
 */
export function makeDurableRepository(journal: PlaintextJournal): MakeRepository {
  return (auth, logger, pnToLid) => {
    const keys = createOwnTransactions(withTransactions(auth.keys));
    const base = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ ...auth, keys }, logger, pnToLid);

    /** One ratchet has one transaction at a time, whichever of a device's two addresses is used. */
    async function withRatchet<T>(jid: string, work: () => Promise<T>): Promise<T> {
      const lid = isPnUser(jid) ? await base.lidMapping.getLIDForPN(jid) : undefined;
      const ratchet = base.jidToSignalProtocolAddress(lid ?? jid);
      const address = base.jidToSignalProtocolAddress(jid);
      return keys.transaction(() => oneJobPerAddress(address, work), ratchet);
    }

    async function journalled(
      ciphertext: Uint8Array,
      decryptInside: (commit: (plaintext: Uint8Array) => Promise<Uint8Array>) => Promise<Uint8Array>,
    ): Promise<Uint8Array> {
      try {
        return await decryptInside(async (plaintext) => {
          await keys.set(journal.entryFor(ciphertext, plaintext));
          return plaintext;
        });
      } catch (failure) {
        const known = await journal.plaintextOf(ciphertext);
        if (known) return known;
        journal.unreadable(ciphertext);
        throw failure;
      }
    }

    const repository: SignalRepositoryWithLIDStore = {
      ...base,
      decryptMessage: (options) =>
        journalled(options.ciphertext, (commit) =>
          withRatchet(options.jid, async () => commit(await base.decryptMessage(options))),
        ),
      decryptGroupMessage: (options) =>
        journalled(options.msg, (commit) =>
          keys.transaction(async () => commit(await base.decryptGroupMessage(options)), options.group),
        ),
      processSenderKeyDistributionMessage: (options) =>
        keys.transaction(() => base.processSenderKeyDistributionMessage(options), options.item.groupId ?? ''),
      encryptMessage: (options) => withRatchet(options.jid, () => base.encryptMessage(options)),
      async injectE2ESession(options) {
        const { identityKey, signedPreKey } = options.session;
        if (!isSignedBy(identityKey, signedPreKey.publicKey, signedPreKey.signature)) {
          throw new Error('the signed prekey of a recipient is not signed by the recipient');
        }
        await withRatchet(options.jid, () => base.injectE2ESession(options));
      },
    };
    return repository;
  };
}

/**
 * The same keys, with transactions that are nobody else's. The library finds the transaction that a call belongs to by its asynchronous
 * context; a call that comes from inside another one's is made in the context from before it.
 */
function createOwnTransactions(keys: SignalKeyStoreWithTransaction): SignalKeyStoreWithTransaction {
  const outside = AsyncLocalStorage.snapshot();
  const own = new AsyncLocalStorage<boolean>();
  const apart = <T>(work: () => T): T => (own.getStore() ? work() : outside(work));
  return {
    get: (kind, ids) => apart(() => keys.get(kind, ids)),
    set: (data) => apart(() => keys.set(data)),
    isInTransaction: () => apart(() => keys.isInTransaction()),
    // The prefix keeps clear of the names that the library gives to its other transactions.
    transaction: (work, name) => apart(() => keys.transaction(() => own.run(true, work), `signal:${name}`)),
  };
}

/**
 * libsignal queues its jobs by the peer's address for the whole process and runs a waiting job in the context of the one before it, so
 * that two links with one peer would find themselves in each other's transaction. With one job at a time none of them ever waits there.
 */
const oneJobPerAddress = createKeyedQueue();

function withTransactions(keys: Parameters<MakeRepository>[0]['keys']): SignalKeyStoreWithTransaction {
  if (!('transaction' in keys)) throw new TypeError('the library hands over keys without transactions');
  return keys;
}
