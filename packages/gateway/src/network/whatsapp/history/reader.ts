import { proto } from 'baileys';
import { growingPause, settled } from '#kernel';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { PastHistory, PastTaker } from '../../past.ts';
import { NETWORK_PATIENCE_MS } from '../../port.ts';
import { type MessageHead, readHead } from '../convert/index.ts';
import { decodePlaintext, type JournalEntry } from '../journal/journal.ts';
import { damaged, mediaServers, overHosts } from '../media/request.ts';
import { learnMappings, type Mapping } from '../receive/mappings.ts';
import { peopleAt } from '../receive/people.ts';
import { type SessionContext, untilLost } from '../session-context.ts';
import { LinkLost } from '../vault/index.ts';
import {
  type HistoryContact,
  type HistorySink,
  type HistoryToken,
  learnTokens,
  visitHistory,
} from './facts.ts';
import { fetchHistory, inlineHistory, type PackedHistory } from './file.ts';
import { createPastCollector, pastHistoryOf } from './past.ts';
import { type Collector, MalformedMessage, walkMessage } from './walk.ts';

/**
 * Reads the history that a phone sends to a newly linked device. The library would hold all of it in memory, and
 * that of an old account is large. Here it passes through the disk and is read in pieces: addresses, names,
 * tokens and chats of people. Messages are skipped unless `takerOf` returns a taker.
 */
interface HistoryReader {
  /**
   * Reads the history that an arrival announces. Resolves when it is stored or never can be; rejects when the
   * session is closed before. Undefined when the arrival announces none.
   */
  take(entry: JournalEntry): Promise<void> | undefined;
  /** Waits until the current read has stopped; call it after closing the session. */
  settled(): Promise<void>;
}

interface HistoryReaderParts {
  readonly context: SessionContext;
  readonly leaving: AbortSignal;
  readonly learnContacts: (contacts: readonly HistoryContact[]) => Promise<void>;
  readonly learnSalt: (salt: Uint8Array) => Promise<void>;
  /** By phone number where it is known. */
  readonly learnPeople: (people: readonly Jid[]) => Promise<void>;
  /** Undefined when the messages are not wanted. */
  readonly takerOf: (history: PastHistory) => PastTaker | undefined;
}

type Notification = proto.Message.IHistorySyncNotification;

const { HistorySyncType } = proto.Message;
/** Types with people, each sent once; the other types contain only messages. */
const PEOPLE_TYPES: readonly unknown[] = [
  HistorySyncType.INITIAL_BOOTSTRAP,
  HistorySyncType.PUSH_NAME,
  HistorySyncType.NON_BLOCKING_DATA,
];
const MOST_SEALED_BYTES = 1024 ** 3;
/** Approximate number of facts in one write. */
const BATCH = 500;
const AGAIN = { firstMs: 1_000, longestMs: 60_000, jitter: 0.2 };

export function createHistoryReader(parts: HistoryReaderParts): HistoryReader {
  const { context, leaving } = parts;
  const { clock, random, log, linkId } = context;
  const sock = () => context.connection().sock;
  let last: Promise<unknown> = Promise.resolve();

  async function untilRead(notification: Notification, past: PastHistory | undefined): Promise<void> {
    for (let failures = 1; ; failures++) {
      leaving.throwIfAborted();
      try {
        return await read(notification, past);
      } catch (error) {
        if (error instanceof LinkLost) throw error;
        if (isHopeless(error)) return log.warn({ linkId }, 'the history of a phone cannot be read');
        await clock.sleep(growingPause(AGAIN, failures, random), leaving);
      }
    }
  }

  async function read(notification: Notification, past: PastHistory | undefined): Promise<void> {
    const taker = past && parts.takerOf(past);
    const hasPeople = PEOPLE_TYPES.includes(notification.syncType);
    if (!taker && !hasPeople) return;
    try {
      await using history = await open(notification);
      // The mappings of addresses come after the chats, and decide under which address a name is stored.
      await readAddresses(history);
      if (hasPeople) await readPeople(history);
      if (taker) await walk(history, createPastCollector(context, taker));
    } catch (error) {
      if (isHopeless(error)) await taker?.end('failed');
      throw error;
    }
    await taker?.end('done');
  }

  async function open(notification: Notification): Promise<PackedHistory> {
    const { initialHistBootstrapInlinePayload: inline, directPath, mediaKey } = notification;
    if (inline?.length) return inlineHistory(inline);
    if (!directPath || !mediaKey) throw damaged();
    const { sock, lost } = context.connection();
    // The library would wait for an answer on a closed connection.
    const servers = await untilLost(clock, lost, NETWORK_PATIENCE_MS, () => mediaServers(sock, clock.now()));
    return overHosts(servers, (host) =>
      fetchHistory({
        transport: context.mediaTransport(),
        host,
        directPath,
        mediaKey,
        folder: context.folder,
        maxBytes: MOST_SEALED_BYTES,
        signal: AbortSignal.any([lost, leaving]),
      }),
    );
  }

  async function readAddresses(history: PackedHistory): Promise<void> {
    let mappings: Mapping[] = [];
    let salt: Uint8Array | undefined;
    const flush = async (): Promise<void> => {
      const batch = mappings;
      mappings = [];
      await learnMappings(context.vault(), sock, batch);
    };
    await walk(history, {
      visitor: visitHistory({
        ...NOTHING,
        mapping: (pn, lid) => void mappings.push({ pn, lid }),
        salt(value) {
          salt = value;
        },
      }),
      isFull: () => mappings.length >= BATCH,
      flush,
    });
    if (salt) await parts.learnSalt(salt);
  }

  async function readPeople(history: PackedHistory): Promise<void> {
    let contacts: HistoryContact[] = [];
    let tokens: HistoryToken[] = [];
    let chats: string[] = [];
    const flush = async (): Promise<void> => {
      const [people, trusted, known] = [contacts, tokens, chats];
      [contacts, tokens, chats] = [[], [], []];
      await parts.learnContacts(people);
      if (trusted.length > 0) await learnTokens(context.vault(), sock, trusted);
      if (known.length > 0) await parts.learnPeople(await peopleAt(context.vault(), known));
    };
    await walk(history, {
      visitor: visitHistory({
        ...NOTHING,
        contact: (contact) => void contacts.push(contact),
        token: (token) => void tokens.push(token),
        chat: (person) => void chats.push(person),
      }),
      isFull: () => contacts.length + tokens.length + chats.length >= BATCH,
      flush,
    });
  }

  async function walk(history: PackedHistory, { visitor, isFull, flush }: Collector): Promise<void> {
    const walking = walkMessage(visitor);
    await history.read(async (piece) => {
      leaving.throwIfAborted();
      walking.push(piece);
      if (isFull()) await flush();
    });
    walking.end();
    await flush();
  }

  return {
    take(entry) {
      const arrival = notificationIn(entry, (attrs) => readHead(attrs, context.me()));
      if (!arrival) return undefined;
      const { notification, messageId } = arrival;
      const past = pastHistoryOf(notification, linkId, messageId);
      if (!past && !PEOPLE_TYPES.includes(notification.syncType)) return undefined;
      const done = last.then(() => untilRead(notification, past));
      last = settled(done);
      return done;
    },
    settled: async () => void (await last),
  };
}

const NOTHING: HistorySink = { mapping() {}, contact() {}, chat() {}, token() {}, salt() {} };

/**
 * Accepts history from the own phone only; from any other sender it would be an attempt to rewrite the contact
 * list.
 */
function notificationIn(
  entry: JournalEntry,
  headOf: (attrs: (JournalEntry & { kind: 'message' })['attrs']) => MessageHead | undefined,
): { readonly notification: Notification; readonly messageId: string } | undefined {
  if (entry.kind !== 'message') return undefined;
  const { protocolMessage } = decodePlaintext(entry.plaintext) ?? {};
  if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION)
    return undefined;
  const { historySyncNotification: notification } = protocolMessage;
  const head = headOf(entry.attrs);
  return notification && head?.fromMe ? { notification, messageId: head.messageId } : undefined;
}

/** A missing or invalid file stays so on the next try. */
function isHopeless(error: unknown): boolean {
  if (error instanceof MalformedMessage) return true;
  return error instanceof NetworkError && !(error.kind === 'transient' || error.kind === 'offline');
}
