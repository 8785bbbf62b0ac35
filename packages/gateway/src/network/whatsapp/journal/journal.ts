import { createHash } from 'node:crypto';
import { type BinaryNode, proto, unpadRandomMax16, type WASocket } from 'baileys';
import type { Clock } from '#kernel';
import { decoded } from '#kernel';
import type { NetworkEvent } from '../../events.ts';
import { type Me, messageEventId, readHead, type StanzaAttrs } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import type { ArrivalDraft, KeyBatch, Vault } from '../vault/index.ts';
import type { PlaintextJournal } from './repository.ts';

/** What the journal keeps of something that came over the wire. */
export type JournalEntry =
  /** A decrypted message, as the ratchet gave it, with the attributes of its stanza. */
  | { readonly kind: 'message'; readonly attrs: StanzaAttrs; readonly plaintext: Uint8Array }
  /** Something that was an event from the start. */
  | { readonly kind: 'event'; readonly event: NetworkEvent };

/**
 * What came over the wire, on disk before the network hears that it came. What holds, by kind:
 *
 * - **Messages** are committed by `repository.ts` with the ratchet that decrypted them; their receipt leaves afterwards.
 * - **Receipts, channel messages, changes of groups and contacts, and messages that are shown on the phone only** are not encrypted by Signal, so nothing is lost but an acknowledgement: the network hands them over
 *   again until they are acknowledged. The library acknowledges by itself, at the end of its handler; the journal stands in front of that
 *   handler and lets it run after the commit, or not at all when the commit fails.
 * - **Order** is that of the network. The library works on stanzas side by side, and on those that waited for the number in a queue of
 *   their own, so that new ones overtake them; here each kind of stanza stands in one queue.
 * - Copies are known by their bytes and by the event that they become, so each event is news once.
 */
export interface Journal extends PlaintextJournal {
  /** Something that was an event from the start, on its way into the journal. */
  draftOf(event: NetworkEvent): ArrivalDraft;
  /** Steps in front of the library's own handlers. To be called before anything can arrive. */
  attach(sock: WASocket): void;
  /** These events as a part of another transaction. */
  entriesFor(events: readonly NetworkEvent[]): KeyBatch;
}

interface JournalOptions {
  readonly vault: Vault;
  readonly clock: Pick<Clock, 'now'>;
  readonly me: () => Me;
  /** The durable events that are not encrypted, read from their raw stanza. */
  readonly readReceipt: (node: BinaryNode) => Promise<readonly NetworkEvent[]>;
  readonly readChannelMessage: (node: BinaryNode) => readonly NetworkEvent[];
  readonly readNotification: (node: BinaryNode) => Promise<readonly NetworkEvent[]>;
  readonly readHiddenMessage: (node: BinaryNode) => readonly NetworkEvent[];
  /** A message came that could not be decrypted. */
  readonly onUnreadable: (messageId: string) => void;
  /** What else must be kept of a message, in the same transaction. */
  readonly alsoKeep: (message: ReturnType<typeof decodePlaintext>, attrs: StanzaAttrs) => KeyBatch;
}

export function createJournal({ vault, clock, me, ...parts }: JournalOptions): Journal {
  const stanzas = new WeakMap<Uint8Array, StanzaAttrs>();
  let lastSeq = 0;

  /** Grows with time, also over restarts, and fits a number. */
  function nextSeq(): number {
    lastSeq = Math.max(lastSeq + 1, clock.now() * 1_000);
    return lastSeq;
  }

  function draft(digest: string, eventId: string | undefined, value: JournalEntry): ArrivalDraft {
    return { digest, eventKey: eventId === undefined ? null : digestOf(eventId), seq: nextSeq(), value };
  }

  function draftOf(event: NetworkEvent): ArrivalDraft {
    return draft(digestOf(`event ${event.id}`), event.id, { kind: 'event', event });
  }

  async function recordEvents(events: readonly NetworkEvent[]): Promise<void> {
    if (events.length > 0) await vault.commit({ arrivals: events.map(draftOf) });
  }

  return {
    draftOf,
    attach(sock) {
      stepInFront(sock, 'CB:message', async (node) => {
        for (const { content } of childrenOf(node))
          if (content instanceof Uint8Array) stanzas.set(content, node.attrs);
        await recordEvents([...parts.readChannelMessage(node), ...parts.readHiddenMessage(node)]);
      });
      stepInFront(sock, 'CB:receipt', async (node) => recordEvents(await parts.readReceipt(node)));
      // Stories of channels; the library does not know them, and the network would bring them again with each connection.
      sock.ws.on('CB:status', (node: BinaryNode) => {
        sock.sendMessageAck(node).catch(unlessCutOff('a story of a channel could not be acknowledged'));
      });
      stepInFront(sock, 'CB:notification', async (node) => recordEvents(await parts.readNotification(node)));
    },

    entriesFor: (events) => ({
      arrival: Object.fromEntries(events.map(draftOf).map((one) => [one.digest, one])),
    }),

    entryFor(ciphertext, plaintext) {
      const attrs = stanzas.get(ciphertext) ?? {};
      const message = decodePlaintext(plaintext);
      const head = readHead(attrs, me());
      const digest = digestOf(ciphertext);
      const eventId = message && head ? messageEventId(message, head) : undefined;
      const arrival = draft(digest, eventId, { kind: 'message', attrs, plaintext });
      return { ...parts.alsoKeep(message, attrs), arrival: { [digest]: arrival } };
    },

    unreadable(ciphertext) {
      const { id } = stanzas.get(ciphertext) ?? {};
      if (id) parts.onUnreadable(id);
    },

    async plaintextOf(ciphertext) {
      // What lies in the journal was put there by `draft`.
      const entry = (await vault.arrivalOf(digestOf(ciphertext))) as JournalEntry | null | undefined;
      if (entry === undefined) return undefined;
      return entry?.kind === 'message' ? Buffer.from(entry.plaintext) : EMPTY_PLAINTEXT;
    },
  };
}

type Handler = (node: BinaryNode) => unknown;

/** Puts `first` before the library's handlers of a kind of stanza, and all stanzas of the kind in one queue. */
function stepInFront(sock: WASocket, kind: string, first: (node: BinaryNode) => Promise<void>): void {
  const handlers = sock.ws.listeners(kind) as Handler[];
  sock.ws.removeAllListeners(kind);
  let queue: Promise<unknown> = Promise.resolve();
  sock.ws.on(kind, (node: BinaryNode) => {
    queue = queue
      .then(async () => {
        await first(node);
        // Without the mark that it waited, which would send it to the back of another queue.
        const { offline, ...attrs } = node.attrs;
        await Promise.all(handlers.map((handle) => handle({ ...node, attrs })));
      })
      // The vault closes the socket when a commit fails; nothing of this stanza was acknowledged.
      .catch(unlessCutOff('a stanza could not be taken'));
  });
}

function childrenOf({ content }: BinaryNode): readonly BinaryNode[] {
  return Array.isArray(content) ? content : [];
}

/** A message without anything in it, padded as the network pads; what is taken already is answered with it. */
const EMPTY_PLAINTEXT: Uint8Array = Buffer.from([1]);

/** Undefined when the sender wrote garbage. */
export function decodePlaintext(plaintext: Uint8Array): proto.IMessage | undefined {
  const message = decoded(() => proto.Message.decode(unpadRandomMax16(plaintext)));
  const sentByOwnPhone = message?.deviceSentMessage?.message;
  if (!sentByOwnPhone) return message;
  return { messageContextInfo: message.messageContextInfo, ...sentByOwnPhone };
}

function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
