import { SessionRecord } from 'libsignal';

/** As many as in Signal's own clients; the current one is among them. */
const RECEIVING_CHAINS = 5;
/** The type of a receiving chain, as libsignal stores it. */
const RECEIVING = 2;

/** One of the sessions in a record, as libsignal stores it. */
interface StoredSession {
  readonly currentRatchet: { readonly lastRemoteEphemeralKey: string };
  /** By public key, in the order in which they began. */
  readonly _chains: Readonly<Record<string, { readonly chainType: number }>>;
}

interface SessionPrototype {
  serialize(): StoredSession;
}

// The published types lack the class of sessions, and only a session leads to it.
const { createEntry } = SessionRecord as unknown as { createEntry(): object };
const prototype: SessionPrototype = Object.getPrototypeOf(createEntry());
const { serialize } = prototype;

/**
 * The library never drops a receiving chain. Each turn of a conversation adds one, to a record that is read and written whole for
 * every message. Here a session keeps its newest five, with the keys of skipped messages in them; older ones are dropped whenever
 * the record is written, so that one of an earlier version shrinks at its next use.
 */
export function keepNewestChains(): void {
  prototype.serialize = function () {
    return withNewestChains(serialize.call(this));
  };
}

function withNewestChains(session: StoredSession): StoredSession {
  const { _chains: chains, currentRatchet } = session;
  // The peer can still write on the current chain, so it stays wherever it stands.
  const former = Object.keys(chains).filter(
    (key) => chains[key]?.chainType === RECEIVING && key !== currentRatchet.lastRemoteEphemeralKey,
  );
  const dropped = new Set(former.slice(0, 1 - RECEIVING_CHAINS));
  if (dropped.size === 0) return session;
  return {
    ...session,
    _chains: Object.fromEntries(Object.entries(chains).filter(([key]) => !dropped.has(key))),
  };
}
