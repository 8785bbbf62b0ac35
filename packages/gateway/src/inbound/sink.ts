import { type Extension, type PublicEvent, UNRECORDED_KINDS } from '@parley/contract';
import type { ChatBook, Histories, NumberKeeper } from '#conversations';
import { isPlainId, type NewEvent, publicId } from '#events';
import type { Inbound, InboundWriter } from '#health';
import { type Clock, createSemaphore, type LineLog, warnOf, writeLine } from '#kernel';
import type {
  GroupOperations,
  InboundMedia,
  MessageEvent,
  NetworkEvent,
  NetworkSession,
  ReceiptEvent,
} from '#network';
import type { OwnedNumber } from '#platform/http';
import { isPassing } from '#platform/store';
import { inlineMedia, mediaWithoutFile } from './media.ts';
import { chatEvent, publicEvent } from './public-changes.ts';
import { messageEvent, receiptEvent } from './public-events.ts';
import type { Quarantine } from './quarantine.ts';
import { type Authorship, changedBy, claimedRight, isKnownAsAnothers } from './revocations.ts';

/** The session that received the events. */
export interface ListeningSession {
  readonly number: Pick<OwnedNumber, 'accountId' | 'slotId' | 'phone'>;
  readonly sessionId: string;
  readonly session: Pick<NetworkSession, 'download' | 'chatOf'> & {
    readonly groups: Pick<GroupOperations, 'detail'>;
  };
}

/** What this room needs of the messages. */
export interface ReceiptRecorder {
  /** Notes how far a message came; answers the Idempotency-Key of its send, empty when it was not sent through the gateway. */
  note(
    receipt: {
      slotId: string;
      messageId: string;
      status: ReceiptEvent['type'];
      at: number;
    },
    chatOf: NetworkSession['chatOf'],
  ): Promise<string>;
}

/** What this room needs of the files that come with messages. */
export interface InboundFiles {
  /** How it is called, the same however often it comes. */
  name(number: ListeningSession['number'], eventId: string): Promise<{ id: string; url?: string }>;
  /** From now on it can be asked for under that name. */
  note(
    number: ListeningSession['number'],
    arrived: { id: string; file: InboundMedia; keptWith?: KeptWith; bytes?: Uint8Array },
  ): Promise<void>;
}

/** The message that a file is kept with. */
interface KeptWith {
  readonly historyId: string;
  readonly chat: string;
  readonly messageId: string;
}

/**
 * Takes events of the network. Resolves when the events and their deliveries are committed: only then may the driver forget them.
 * Rejects when the database is out of reach, and the driver offers all of them again. An event that cannot be stored although
 * the database works would block the queue forever, so it is quarantined.
 */
export type NetworkEventSink = (session: ListeningSession, events: readonly NetworkEvent[]) => Promise<void>;

/** Outcome of one event of the network: the public event, and the entries for the number's history. */
interface News {
  readonly published: PublicEvent | undefined;
  readonly kept: ReturnType<NumberKeeper['message']>;
}

const NOTHING: News = { published: undefined, kept: [] };

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
  sent,
  histories,
  files,
  book,
  quarantine,
  clock,
  lines,
  onReceived = () => {},
}: {
  log: InboundWriter;
  /** Whether a webhook asks for the extension. Files of the number's own messages are fetched only then. */
  asked: (slotId: string, extension: Extension) => Promise<boolean>;
  receipts: ReceiptRecorder;
  sent: Authorship['sent'];
  histories: Pick<Histories, 'of'>;
  files: InboundFiles;
  book: Pick<ChatBook, 'sweep' | 'reachesForAnothers'>;
  quarantine: Pick<Quarantine, 'keep'>;
  clock: Pick<Clock, 'sleep'>;
  lines: LineLog<'debug' | 'info'>;
  /** Called with the kind of each stored event, for metrics. */
  onReceived?: (kind: NetworkEvent['kind']) => void;
}): NetworkEventSink {
  const downloads = createSemaphore(DOWNLOADS_AT_ONCE);

  async function ofMessage(
    { sessionId, session, number }: ListeningSession,
    event: MessageEvent,
    keeper: NumberKeeper | undefined,
  ): Promise<News> {
    const isPublished = !event.fromMe || (await asked(number.slotId, OWN_MESSAGES));
    if (!isPublished && !keeper) return NOTHING;
    const { content } = event;
    const right = changedBy(content) === undefined ? 'author' : await claimedRight(session.groups, event);
    if (right === null) return NOTHING;
    const file = 'media' in content ? content.media : undefined;
    const name = file && (await files.name(number, event.id));
    const media =
      file && (isPublished ? await inlineMedia(session, file, downloads) : mediaWithoutFile(file));
    const message = messageEvent(sessionId, event, media && { ...media, ...name });
    const byAdmin = right === 'admin';
    const kept = keeper?.message(message, { byAdmin }) ?? [];
    if (!byAdmin && (await isKnownAsAnothers({ sent, book }, number.slotId, event, kept))) return NOTHING;
    if (file && name) {
      // What may be seen once is not kept for a second time.
      const keptWith = keeper?.keepsFiles && !event.viewOnce ? keptIn(kept) : undefined;
      const bytes = keptWith && media?.data ? Buffer.from(media.data, 'base64') : undefined;
      // Before the event, so that each published file can be fetched.
      await files.note(number, { id: name.id, file, ...(keptWith && { keptWith }), ...(bytes && { bytes }) });
    }
    return { published: isPublished ? message : undefined, kept };
  }

  async function ofReceipt(
    { sessionId, session, number }: ListeningSession,
    event: ReceiptEvent,
    keeper: NumberKeeper | undefined,
  ): Promise<News> {
    const { messageId, type: status, timestamp } = event;
    const note = { slotId: number.slotId, messageId, status, at: timestamp * 1_000 };
    const requestId = await receipts.note(note, session.chatOf);
    // Receipts of messages that the owner sends from the phone are not published.
    const published = requestId === '' ? undefined : receiptEvent(sessionId, event, requestId);
    return { published, kept: keeper?.receipt(event) ?? [] };
  }

  async function newsOf(listening: ListeningSession, event: NetworkEvent): Promise<News> {
    const keeper = histories.of(listening.number.slotId);
    if (event.kind === 'message') return ofMessage(listening, event, keeper);
    if (event.kind === 'receipt') return ofReceipt(listening, event, keeper);
    if (event.kind === 'chat')
      return { published: chatEvent(listening.sessionId, event), kept: keeper?.chat(event) ?? [] };
    return { published: publicEvent(listening.sessionId, event), kept: [] };
  }

  async function publish(listening: ListeningSession, batch: readonly NetworkEvent[]): Promise<void> {
    const { accountId, slotId } = listening.number;
    const all = await Promise.all(batch.map((event) => newsOf(listening, event)));
    const news = all.flatMap(({ published: event }, index): NewEvent[] => {
      const source = batch[index];
      if (!event || !source) return [];
      const chat = source.kind === 'receipt' ? source.group : undefined;
      const extension = source.kind === 'message' && source.fromMe ? OWN_MESSAGES : undefined;
      return [{ accountId, slotId, key: source.id, event, chat, extension }];
    });
    await log.emit(
      news,
      batch.flatMap((event) => inboundIn(listening, event)),
      all.flatMap(({ kept }) => kept),
    );
    for (const each of news) logInbound(each);
    for (const { kind } of batch) onReceived(kind);
    await Promise.all(batch.map((event) => sweepAfter(slotId, event)));
  }

  function logInbound({ slotId, key, event }: NewEvent): void {
    writeLine(lines, UNRECORDED_KINDS.has(event.kind) ? 'debug' : 'info', 'inbound', {
      eventId: publicId(key, event),
      kind: event.kind,
      slotId,
      ...('message_id' in event && isPlainId(event.message_id ?? '') && { messageId: event.message_id }),
    });
  }

  /** The chat's files are unreachable now; a file whose deletion fails is deleted when it expires. */
  async function sweepAfter(slotId: string, event: NetworkEvent): Promise<void> {
    if (event.kind !== 'chat' || !(event.change.type === 'deleted' || event.change.type === 'cleared'))
      return;
    await book.sweep(slotId, event.chat).catch(warnOf('could not take files of a chat off the disk'));
  }

  async function publishOrQuarantine(listening: ListeningSession, event: NetworkEvent): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await publish(listening, [event]);
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
        await publish(listening, batch);
      } catch (failure) {
        if (isPassing(failure)) throw failure;
        // Finds the failing event; the log drops the keys of those published already.
        for (const event of batch) await publishOrQuarantine(listening, event);
      }
    }
  };
}

function keptIn(entries: News['kept']): KeptWith | undefined {
  return entries.find((entry) => entry.type === 'message');
}

/** People of direct chats that wrote to the number, or that it wrote to from the phone; groups and stories do not count. */
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
