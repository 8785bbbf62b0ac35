import { AsyncLocalStorage } from 'node:async_hooks';
import {
  DEFAULT_CONNECTION_CONFIG,
  isPnUser,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type SocketConfig,
} from 'baileys';
import { isSignedBy } from '../guards/index.ts';
import type { KeyBatch } from '../vault/index.ts';
import { createInLine } from './in-line.ts';

type MakeRepository = SocketConfig['makeSignalRepository'];

/** What the repository needs of the journal. */
export interface PlaintextJournal {
  /** The journal's part of the transaction in which these bytes were decrypted. */
  entryFor(ciphertext: Uint8Array, plaintext: Uint8Array): KeyBatch;
  /** What these bytes were decrypted to before, if ever. */
  plaintextOf(ciphertext: Uint8Array): Promise<Uint8Array | undefined>;
}

/**
 * The library's Signal layer, made durable. Three things are different from the bare one:
 *
 * - A decrypted message is committed together with the step of the ratchet that decrypted it, before the library sees the plaintext. So
 *   the receipt always leaves after the commit, and the ratchet never moves past a message that is not on disk.
 * - Bytes that come again, because the receipt was lost, are answered from the journal; the ratchet could not decrypt them twice.
 * - A message is encrypted in a transaction of its own, committed before it is written to the socket. The library encrypts inside the
 *   long transaction of a send, which would write an old state of the ratchet over whatever was received meanwhile, and reuse a message
 *   key after a crash. That transaction is left through the context from before it.
 *
 * Signed prekeys of others are verified here because libsignal does not.
 */
export function makeDurableRepository(journal: PlaintextJournal): MakeRepository {
  return (auth, logger, pnToLid) => {
    const keys = withTransactions(auth.keys);
    const outside = AsyncLocalStorage.snapshot();
    const base = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid);

    /** The prefix keeps clear of the names that the library gives to its own transactions. */
    const transaction = <T>(name: string, work: () => Promise<T>): Promise<T> =>
      outside(() => keys.transaction(work, `signal:${name}`));

    /** One ratchet has one name, whichever of a device's two addresses is used. */
    async function ratchetOf(jid: string): Promise<string> {
      const lid = isPnUser(jid) ? await outside(() => base.lidMapping.getLIDForPN(jid)) : undefined;
      return base.jidToSignalProtocolAddress(lid ?? jid);
    }

    async function withRatchet<T>(jid: string, work: () => Promise<T>): Promise<T> {
      const ratchet = await ratchetOf(jid);
      const address = base.jidToSignalProtocolAddress(jid);
      return transaction(ratchet, () => oneJobPerAddress(address, work));
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
        const known = await outside(() => journal.plaintextOf(ciphertext));
        if (known) return known;
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
          transaction(options.group, async () => commit(await base.decryptGroupMessage(options))),
        ),
      processSenderKeyDistributionMessage: (options) =>
        transaction(options.item.groupId ?? '', () => base.processSenderKeyDistributionMessage(options)),
      encryptMessage: (options) => withRatchet(options.jid, () => base.encryptMessage(options)),
      encryptGroupMessage: (options) => transaction(options.group, () => base.encryptGroupMessage(options)),
      getSenderKeyDistributionMessage: (options) =>
        transaction(options.group, () => base.getSenderKeyDistributionMessage(options)),
      injectE2ESession: async (options) => {
        const { identityKey, signedPreKey } = options.session;
        if (!isSignedBy(identityKey, signedPreKey.publicKey, signedPreKey.signature)) {
          throw new Error('the signed prekey of a recipient is not signed by the recipient');
        }
        await withRatchet(options.jid, () => base.injectE2ESession(options));
      },
      validateSession: (jid) => outside(() => base.validateSession(jid)),
      hasSenderKey: (options) => outside(() => base.hasSenderKey(options)),
      getSessionInfo: (jid) => outside(() => base.getSessionInfo(jid)),
      migrateSession: (from, to) => outside(() => base.migrateSession(from, to)),
      deleteSession: (jids) => outside(() => base.deleteSession(jids)),
    };
    return repository;
  };
}

/**
 * libsignal queues its jobs by the peer's address for the whole process and runs a waiting job in the context of the one before it, so
 * that two links with one peer would find themselves in each other's transaction. With one job at a time none of them ever waits there.
 */
const oneJobPerAddress = createInLine();

function withTransactions(keys: Parameters<MakeRepository>[0]['keys']): SignalKeyStoreWithTransaction {
  if (!('transaction' in keys)) throw new TypeError('the library hands over keys without transactions');
  return keys;
}
