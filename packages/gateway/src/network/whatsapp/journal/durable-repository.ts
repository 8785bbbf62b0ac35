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

/** Part of the journal that the repository uses. */
export interface PlaintextJournal {
  /** Records to commit in the transaction that decrypts these bytes. */
  entryFor(ciphertext: Uint8Array, plaintext: Uint8Array): KeyBatch;
  /** Journalled plaintext of these bytes, if they were decrypted before. */
  plaintextOf(ciphertext: Uint8Array): Promise<Uint8Array | undefined>;
  /** Called when these bytes could not be decrypted. */
  unreadable(ciphertext: Uint8Array): void;
}

/**
 * The library's Signal layer, made durable. Three differences from the library's own:
 *
 * - A decrypted message is committed together with the ratchet step that decrypted it, before the library sees
 *   the plaintext. So the receipt always leaves after the commit, and the ratchet never moves past a message
 *   that is not on disk.
 * - Bytes that come again, because the receipt was lost, are answered from the journal; the ratchet cannot
 *   decrypt them twice.
 * - Every step is a transaction of its own. The library encrypts inside the long transaction of a send, which
 *   ends after the message has left: it would overwrite ratchet steps of messages received meanwhile, and reuse
 *   a message key after a crash.
 *
 * Signed prekeys of peers are verified here because libsignal does not verify them.
 */
export function makeDurableRepository(journal: PlaintextJournal): MakeRepository {
  return (auth, logger, pnToLid) => {
    const keys = createOwnTransactions(withTransactions(auth.keys));
    const base = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ ...auth, keys }, logger, pnToLid);

    /** Serializes transactions per ratchet, for both addresses of a device. */
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
 * Wraps the keys with separate transactions. The library finds the transaction of a call by its asynchronous
 * context, so a call from inside another transaction runs in the context from before it.
 */
function createOwnTransactions(keys: SignalKeyStoreWithTransaction): SignalKeyStoreWithTransaction {
  const outside = AsyncLocalStorage.snapshot();
  const own = new AsyncLocalStorage<boolean>();
  const apart = <T>(work: () => T): T => (own.getStore() ? work() : outside(work));
  return {
    get: (kind, ids) => apart(() => keys.get(kind, ids)),
    set: (data) => apart(() => keys.set(data)),
    isInTransaction: () => apart(() => keys.isInTransaction()),
    // The prefix avoids the names of the library's other transactions.
    transaction: (work, name) => apart(() => keys.transaction(() => own.run(true, work), `signal:${name}`)),
  };
}

/**
 * libsignal queues its jobs by peer address for the whole process, and runs a queued job in the context of the
 * job before it. Two links with the same peer would then share a transaction. With one job at a time no job ever
 * waits there.
 */
const oneJobPerAddress = createKeyedQueue();

function withTransactions(keys: Parameters<MakeRepository>[0]['keys']): SignalKeyStoreWithTransaction {
  if (!('transaction' in keys)) throw new TypeError('the library provides keys without transactions');
  return keys;
}
