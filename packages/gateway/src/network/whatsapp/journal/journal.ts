import type { BinaryNode, WASocket } from 'baileys';
import type { Clock } from '#kernel';
import type { NetworkEvent } from '../../events.ts';
import { type Me, messageEventId, readHead, type StanzaAttrs } from '../convert/index.ts';
import type { ArrivalDraft, KeyBatch, Vault } from '../vault/index.ts';
import { type Arrived, decodePlaintext, digestOf, EMPTY_PLAINTEXT } from './arrived.ts';
import type { PlaintextJournal } from './repository.ts';

/**
 * What came over the wire, on disk before the network hears that it came. What holds, by kind:
 *
 * - **Messages** are committed by `repository.ts` with the ratchet that decrypted them; their receipt leaves afterwards.
 * - **Receipts and channel messages** are not encrypted by Signal, so nothing is lost but an acknowledgement: the network hands them over
 *   again until they are acknowledged. The library acknowledges by itself, at the end of a handler that runs under a mutex which it
 *   exposes. The journal listens in front of that handler and takes the mutex first, so the acknowledgement waits for the commit; when the
 *   commit fails, the socket is closed inside the mutex and no acknowledgement leaves.
 * - Copies are known by their bytes and by the event that they become, so each event is news once.
 */
export interface Journal extends PlaintextJournal {
  /** Listens in front of the library's own handlers. To be called before anything can arrive. */
  attach(sock: WASocket): void;
}

export interface JournalParts {
  readonly vault: Vault;
  readonly clock: Pick<Clock, 'now'>;
  readonly me: () => Me;
  /** The durable events that are not encrypted, read from their raw stanza. */
  readonly readReceipt: (node: BinaryNode) => Promise<readonly NetworkEvent[]>;
  readonly readChannelMessage: (node: BinaryNode) => readonly NetworkEvent[];
  /** What else must be kept of a message, in the same transaction. */
  readonly alsoKeep: (message: ReturnType<typeof decodePlaintext>, attrs: StanzaAttrs) => KeyBatch;
}

export function createJournal({ vault, clock, me, ...parts }: JournalParts): Journal {
  const stanzas = new WeakMap<Uint8Array, StanzaAttrs>();
  let lastSeq = 0;

  /** Grows with time, also over restarts, and fits a number. */
  function nextSeq(): number {
    lastSeq = Math.max(lastSeq + 1, clock.now() * 1_000);
    return lastSeq;
  }

  function draft(digest: string, eventId: string | undefined, value: Arrived): ArrivalDraft {
    return { digest, eventKey: eventId === undefined ? null : digestOf(eventId), seq: nextSeq(), value };
  }

  async function recordEvents(events: readonly NetworkEvent[]): Promise<void> {
    if (events.length === 0) return;
    const arrivals = events.map((event) => draft(digestOf(`event ${event.id}`), event.id, { kind: 'event', event }));
    await vault.commit({ arrivals });
  }

  return {
    attach(sock) {
      // The vault closes the socket when a commit fails, so a rejection here has been dealt with.
      const commitFirst = (mutex: WASocket['messageMutex'], read: () => Promise<readonly NetworkEvent[]>): void => {
        mutex.mutex(async () => recordEvents(await read())).catch(() => {});
      };
      sock.ws.prependListener('CB:message', (node: BinaryNode) => {
        for (const child of childrenOf(node)) {
          if (child.content instanceof Uint8Array) stanzas.set(child.content, node.attrs);
        }
        const events = parts.readChannelMessage(node);
        if (events.length > 0) commitFirst(sock.messageMutex, async () => events);
      });
      sock.ws.prependListener('CB:notification', (node: BinaryNode) => {
        const events = parts.readChannelMessage(node);
        if (events.length > 0) commitFirst(sock.notificationMutex, async () => events);
      });
      sock.ws.prependListener('CB:receipt', (node: BinaryNode) => {
        commitFirst(sock.receiptMutex, () => parts.readReceipt(node));
      });
    },

    entryFor(ciphertext, plaintext) {
      const attrs = stanzas.get(ciphertext) ?? {};
      const message = decodePlaintext(plaintext);
      const head = readHead(attrs, me());
      const digest = digestOf(ciphertext);
      const eventId = message && head ? messageEventId(message, head) : undefined;
      const arrival = draft(digest, eventId, { kind: 'message', attrs, plaintext });
      return { ...parts.alsoKeep(message, attrs), arrival: { [digest]: arrival } };
    },

    async plaintextOf(ciphertext) {
      // What lies in the journal was put there by `draft`.
      const arrived = (await vault.arrivalOf(digestOf(ciphertext))) as Arrived | null | undefined;
      if (arrived === undefined) return undefined;
      return arrived?.kind === 'message' ? Buffer.from(arrived.plaintext) : EMPTY_PLAINTEXT;
    },
  };
}

function childrenOf({ content }: BinaryNode): readonly BinaryNode[] {
  return Array.isArray(content) ? content : [];
}
