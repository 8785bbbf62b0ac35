import { createHash } from 'node:crypto';
import { type BinaryNode, proto, unpadRandomMax16, type WASocket } from 'baileys';
import type { Clock } from '#kernel';
import { decoded } from '#kernel';
import type { NetworkEvent } from '../../events.ts';
import { type Me, messageEventId, readHead, type StanzaAttrs } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import type { ArrivalDraft, KeyBatch, Vault } from '../vault/index.ts';
import type { PlaintextJournal } from './durable-repository.ts';

/** Journal entry of something that came over the wire. */
export type JournalEntry =
  /** A decrypted message as the ratchet returned it, with the attributes of its stanza. */
  | { readonly kind: 'message'; readonly attrs: StanzaAttrs; readonly plaintext: Uint8Array }
  /** An arrival that is an event already. */
  | { readonly kind: 'event'; readonly event: NetworkEvent }
  /** A message without its content, which is requested from the own phone; when it came (epoch ms). */
  | { readonly kind: 'placeholder'; readonly attrs: StanzaAttrs; readonly at: number };

/** A message that the own phone sends for another device's message. */
export interface ResentMessage {
  /** The same however often it is sent. */
  readonly name: string;
  readonly message: proto.IMessage;
  readonly attrs: StanzaAttrs;
}

/**
 * Stores what comes over the wire before it is acknowledged to the network. By kind:
 *
 * - **Messages** are committed by `durable-repository.ts` with the ratchet that decrypted them; their receipt leaves
 *   afterwards.
 * - **Messages that the own phone sends again** are inside one of its own, and are committed with it.
 * - **Receipts, channel messages, and changes of groups and contacts** are not encrypted by Signal: the network
 *   sends them again until they are acknowledged. The library acknowledges them at the end of its handler. The
 *   journal runs before that handler, and skips it when the commit fails.
 * - **Messages without content** are committed and acknowledged here; the library would request them in memory only.
 * - **Order** is that of the network. The library processes stanzas concurrently, and those from the offline
 *   queue in a queue of their own, so that new ones overtake them. Here each kind of stanza has one queue.
 * - Copies are recognized by their bytes and by their event id, so each event is published once.
 */
export interface Journal extends PlaintextJournal {
  /** Makes a journal entry of an event. */
  draftOf(event: NetworkEvent): ArrivalDraft;
  /** Installs handlers before the library's own. Call it before anything can arrive. */
  attach(sock: WASocket): void;
  /** Records of these events, for another transaction. */
  entriesFor(events: readonly NetworkEvent[]): KeyBatch;
}

interface JournalOptions {
  readonly vault: Vault;
  readonly clock: Pick<Clock, 'now'>;
  readonly me: () => Me;
  /** Readers of durable events that are not encrypted, from their raw stanza. */
  readonly readReceipt: (node: BinaryNode) => Promise<readonly NetworkEvent[]>;
  readonly readChannelMessage: (node: BinaryNode) => readonly NetworkEvent[];
  readonly readNotification: (node: BinaryNode) => Promise<readonly NetworkEvent[]>;
  /** What a message without content becomes; undefined for any other stanza. */
  readonly readPlaceholder: (node: BinaryNode) => NetworkEvent | 'requested' | undefined;
  readonly resentIn: (message: proto.IMessage, attrs: StanzaAttrs) => readonly ResentMessage[];
  /** Called for a message that could not be decrypted. */
  readonly onUnreadable: (messageId: string) => void;
  readonly onDecrypted: (plaintext: Uint8Array) => void;
  /** Additional records of a message for the same transaction. */
  readonly alsoKeep: (message: ReturnType<typeof decodePlaintext>, attrs: StanzaAttrs) => KeyBatch;
}

export function createJournal({ vault, clock, me, ...parts }: JournalOptions): Journal {
  const stanzas = new WeakMap<Uint8Array, StanzaAttrs>();
  let lastSeq = 0;

  /** Grows with time, across restarts, and is a safe integer. */
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

  /** False when it is none. */
  async function recordPlaceholder(
    sock: Pick<WASocket, 'sendMessageAck'>,
    node: BinaryNode,
  ): Promise<boolean> {
    const read = parts.readPlaceholder(node);
    if (!read) return false;
    const { offline, ...attrs } = node.attrs;
    const name = digestOf(`placeholder ${attrs.from} ${attrs.participant} ${attrs.id}`);
    const arrival =
      read === 'requested'
        ? draft(name, undefined, { kind: 'placeholder', attrs, at: clock.now() })
        : draftOf(read);
    await vault.commit({ arrivals: [arrival] });
    await sock.sendMessageAck(node);
    return true;
  }

  function draftOfMessage(
    digest: string,
    attrs: StanzaAttrs,
    plaintext: Uint8Array,
  ): { readonly kept: KeyBatch; readonly arrival: ArrivalDraft } {
    parts.onDecrypted(plaintext);
    const message = decodePlaintext(plaintext);
    const head = readHead(attrs, me());
    const eventId = message && head ? messageEventId(message, head) : undefined;
    return {
      kept: parts.alsoKeep(message, attrs),
      arrival: draft(digest, eventId, { kind: 'message', attrs, plaintext }),
    };
  }

  return {
    draftOf,
    attach(sock) {
      stepInFront(sock, 'CB:message', async (node) => {
        for (const { content } of childrenOf(node))
          if (content instanceof Uint8Array) stanzas.set(content, node.attrs);
        if (await recordPlaceholder(sock, node)) return 'handled';
        await recordEvents(parts.readChannelMessage(node));
        return undefined;
      });
      stepInFront(sock, 'CB:receipt', async (node) => recordEvents(await parts.readReceipt(node)));
      // Channel stories: the library ignores them, and the network would send them again on each connection.
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
      const resent = parts
        .resentIn(decodePlaintext(plaintext) ?? {}, attrs)
        .map((one) => draftOfMessage(digestOf(`resent ${one.name}`), one.attrs, asPlaintext(one.message)));
      const all = [draftOfMessage(digestOf(ciphertext), attrs, plaintext), ...resent];
      return {
        ...mergedBatches(all.map(({ kept }) => kept)),
        arrival: Object.fromEntries(all.map(({ arrival }) => [arrival.digest, arrival])),
      };
    },

    unreadable(ciphertext) {
      const { id } = stanzas.get(ciphertext) ?? {};
      if (id) parts.onUnreadable(id);
    },

    async plaintextOf(ciphertext) {
      // The journal's entries are all written by `draft`.
      const entry = (await vault.arrivalOf(digestOf(ciphertext))) as JournalEntry | null | undefined;
      if (entry === undefined) return undefined;
      return entry?.kind === 'message' ? Buffer.from(entry.plaintext) : EMPTY_PLAINTEXT;
    },
  };
}

type Handler = (node: BinaryNode) => unknown;

/**
 * Runs `first` before the library's handlers of a kind of stanza, with one queue for the kind. They do not get what
 * it has handled.
 */
function stepInFront(sock: WASocket, kind: string, first: (node: BinaryNode) => Promise<unknown>): void {
  const handlers = sock.ws.listeners(kind) as Handler[];
  sock.ws.removeAllListeners(kind);
  let queue: Promise<unknown> = Promise.resolve();
  sock.ws.on(kind, (node: BinaryNode) => {
    queue = queue
      .then(async () => {
        if ((await first(node)) === 'handled') return;
        // Removes the `offline` mark, for which the library would use its second queue.
        const { offline, ...attrs } = node.attrs;
        await Promise.all(handlers.map((handle) => handle({ ...node, attrs })));
      })
      // The vault closes the socket when a commit fails; nothing of this stanza was acknowledged.
      .catch(unlessCutOff('a stanza could not be processed'));
  });
}

function childrenOf({ content }: BinaryNode): readonly BinaryNode[] {
  return Array.isArray(content) ? content : [];
}

/** An empty message, padded as the network pads; the answer for bytes that are already processed. */
const EMPTY_PLAINTEXT: Uint8Array = Buffer.from([1]);

/** In the form in which the ratchet returns a message. */
function asPlaintext(message: proto.IMessage): Uint8Array {
  return Buffer.concat([proto.Message.encode(message).finish(), EMPTY_PLAINTEXT]);
}

function mergedBatches(batches: readonly KeyBatch[]): KeyBatch {
  const merged: Record<string, object> = {};
  for (const [kind, values] of batches.flatMap((batch) => Object.entries(batch)))
    merged[kind] = { ...merged[kind], ...values };
  return merged;
}

/** Undefined when the sender wrote an invalid message. */
export function decodePlaintext(plaintext: Uint8Array): proto.IMessage | undefined {
  const message = decoded(() => proto.Message.decode(unpadRandomMax16(plaintext)));
  const sentByOwnPhone = message?.deviceSentMessage?.message;
  if (!sentByOwnPhone) return message;
  return { messageContextInfo: message.messageContextInfo, ...sentByOwnPhone };
}

function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
