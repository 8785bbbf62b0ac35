import {
  type AuthenticationCreds,
  addTransactionCapability,
  generateSignalPubKey,
  type SignalKeyStore,
} from 'baileys';
import { createLibraryLog } from '../guards/index.ts';
import { makeDurableRepository, type PlaintextJournal } from '../journal/durable-repository.ts';

export const signalLog = createLibraryLog({ debug() {}, warn() {} });

export const forgetfulJournal: PlaintextJournal = {
  entryFor: () => ({}),
  plaintextOf: async () => undefined,
  unreadable() {},
};

/** The Signal layer of one link on these keys. */
export function startSignal(creds: AuthenticationCreds, keys: SignalKeyStore, journal = forgetfulJournal) {
  const transactions = addTransactionCapability(keys, signalLog, {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 0,
  });
  return makeDurableRepository(journal)({ creds, keys: transactions }, signalLog, async () => undefined);
}

/** The keys with which another link begins a session with this one. */
export function bundleOf({ signedIdentityKey, signedPreKey, registrationId }: AuthenticationCreds) {
  return {
    registrationId,
    identityKey: generateSignalPubKey(signedIdentityKey.public),
    signedPreKey: {
      keyId: signedPreKey.keyId,
      publicKey: generateSignalPubKey(signedPreKey.keyPair.public),
      signature: signedPreKey.signature,
    },
  };
}
