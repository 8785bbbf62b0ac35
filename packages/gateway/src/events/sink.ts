import type { Extension, PublicEvent } from '@parley/contract';
import type { NewEvent } from '#event-log';
import type { Inbound, InboundTeller } from '#health';
import type { OwnedNumber } from '#http';
import { type Clock, createSemaphore } from '#kernel';
import type { NetworkEvent, NetworkSession, ReceiptEvent } from '#network';
import { isPassing } from '#store';
import { inlineMedia } from './media.ts';
import { contactEvent, groupEvent } from './public-changes.ts';
import {
  callEvent,
  messageEvent,
  newsletterMessageEvent,
  pollVoteEvent,
  presenceEvent,
  receiptEvent,
  typingEvent,
} from './public-events.ts';
import type { Quarantine } from './quarantine.ts';

/** The session that the network told something to. */
export interface ListeningSession {
  readonly number: Pick<OwnedNumber, 'accountId' | 'slotId'>;
  readonly sessionId: string;
  readonly session: Pick<NetworkSession, 'download'>;
}

/** What this room needs of the messages. */
export interface ReceiptRecorder {
  /** Notes how far a message came; answers the Idempotency-Key of its send, empty when it was not sent through the gateway. */
  note(receipt: {
    slotId: string;
    messageId: string;
    status: ReceiptEvent['type'];
    at: number;
  }): Promise<string>;
}

/**
 * Takes what the network tells. Resolves when the events and their deliveries are committed: only then may the driver forget. Rejects when
 * the database is out of reach, for then all of it comes again; what cannot be stored although the database works would come again for
 * ever, and hold up what stands behind it, so that is put aside.
 */
export type NetworkEventSink = (session: ListeningSession, events: readonly NetworkEvent[]) => Promise<void>;

const OWN_MESSAGES = 'own_messages';
/** Files in memory: of one session, and of all of them. */
const MEDIA_PER_BATCH = 4;
const DOWNLOADS_AT_ONCE = 16;
const TRIES_ALONE = 3;
const PAUSE_MS = 200;

export function createNetworkEventSink({
  log,
  asked,
  receipts,
  quarantine,
  clock,
}: {
  log: InboundTeller;
  /** Whether anybody wants to be told. What the number itself writes is kept nowhere, and no file of it is fetched, for nobody. */
  asked: (slotId: string, extension: Extension) => Promise<boolean>;
  receipts: ReceiptRecorder;
  quarantine: Pick<Quarantine, 'keep'>;
  clock: Pick<Clock, 'sleep'>;
}): NetworkEventSink {
  const downloads = createSemaphore(DOWNLOADS_AT_ONCE);

  async function toPublic(
    listening: ListeningSession,
    event: NetworkEvent,
  ): Promise<PublicEvent | undefined> {
    const { sessionId, session, number } = listening;
    switch (event.kind) {
      case 'message': {
        if (event.fromMe && !(await asked(number.slotId, OWN_MESSAGES))) return undefined;
        const { content } = event;
        const media = 'media' in content ? await inlineMedia(session, content.media, downloads) : undefined;
        return messageEvent(sessionId, event, media);
      }
      case 'receipt': {
        const { messageId, type: status, timestamp } = event;
        const note = { slotId: number.slotId, messageId, status, at: timestamp * 1_000 };
        const requestId = await receipts.note(note);
        // What the owner of the phone sends by hand is nobody's business here.
        return requestId === '' ? undefined : receiptEvent(sessionId, event, requestId);
      }
      case 'poll_vote':
        return pollVoteEvent(sessionId, event);
      case 'channel_message':
        return newsletterMessageEvent(sessionId, event);
      case 'group':
        return groupEvent(sessionId, event);
      case 'contact':
        return contactEvent(sessionId, event);
      case 'typing':
        return typingEvent(sessionId, event);
      case 'presence':
        return presenceEvent(sessionId, event);
      case 'call':
        return callEvent(sessionId, event);
      default:
        return event satisfies never;
    }
  }

  async function tell(listening: ListeningSession, batch: readonly NetworkEvent[]): Promise<void> {
    const { accountId, slotId } = listening.number;
    const told = await Promise.all(batch.map((event) => toPublic(listening, event)));
    const news = told.flatMap((event, index): NewEvent[] => {
      const source = batch[index];
      if (!event || !source) return [];
      const chat = source.kind === 'receipt' ? source.group : undefined;
      const extension = source.kind === 'message' && source.fromMe ? OWN_MESSAGES : undefined;
      return [{ accountId, slotId, key: source.id, event, chat, extension }];
    });
    await log.emit(
      news,
      batch.flatMap((event) => inboundIn(listening, event)),
    );
  }

  async function tellOrPutAside(listening: ListeningSession, event: NetworkEvent): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await tell(listening, [event]);
      } catch (failure) {
        if (isPassing(failure)) throw failure;
        if (tries === TRIES_ALONE) return quarantine.keep(listening.number, event, failure);
        await clock.sleep(PAUSE_MS);
      }
    }
  }

  return async (listening, events) => {
    for (const batch of batches(events)) {
      try {
        await tell(listening, batch);
      } catch (failure) {
        if (isPassing(failure)) throw failure;
        // One of them is to blame; what of the others was told already is not told again.
        for (const event of batch) await tellOrPutAside(listening, event);
      }
    }
  };
}

/** Who has written to the number itself, or whom it wrote to elsewhere; what is said in groups and stories is said to nobody in particular. */
function inboundIn({ number, sessionId }: ListeningSession, event: NetworkEvent): Omit<Inbound, 'at'>[] {
  if (event.kind !== 'message' || event.isGroup || event.broadcast) return [];
  const { chat, senderPhone, senderLid, fromMe } = event;
  const theirs = fromMe ? [] : [senderPhone, senderLid].filter((each) => each !== undefined);
  const people = [...new Set([chat, ...theirs])];
  const isOwn = fromMe === true;
  return [{ accountId: number.accountId, slotId: number.slotId, sessionId, people, isOwn }];
}

/** Cuts events, in their order, so that no batch has more than a few files. */
function* batches(events: readonly NetworkEvent[]): Generator<NetworkEvent[]> {
  let batch: NetworkEvent[] = [];
  let media = 0;
  for (const event of events) {
    const hasMedia = event.kind === 'message' && 'media' in event.content;
    if (hasMedia && media === MEDIA_PER_BATCH) {
      yield batch;
      batch = [];
      media = 0;
    }
    if (hasMedia) media++;
    batch.push(event);
  }
  if (batch.length > 0) yield batch;
}
