import { jidDecode, proto } from 'baileys';
import { growingPause, HOUR_MS, neverRejects, type Timer } from '#kernel';
import type { MessageEvent } from '../../events.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import {
  accountOf,
  attrsOfWebMessage,
  decodeWebMessage,
  isGroup,
  isOwnJid,
  type StanzaAttrs,
  unavailableMessage,
} from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import type { JournalEntry, ResentMessage } from '../journal/journal.ts';
import { ask, type SessionContext } from '../session-context.ts';

/**
 * Messages that the network announces without their content, which the own phone has: they are requested from it
 * until it sends them. A phone that is switched off gets the request later, so an answer may take days. A message
 * that never comes becomes an event that says so.
 *
 * The announcement stays in the journal meanwhile, so a new process requests the message again. What the phone
 * sends enters the journal in the transaction that decrypts it, once, however often it is requested.
 */
interface Placeholders {
  /** Resolves when the message has come or never will; undefined for an arrival that announces none. */
  take(entry: JournalEntry): Promise<void> | undefined;
  /** The messages in an answer of the own phone. */
  resentIn(message: proto.IMessage, attrs: StanzaAttrs): readonly ResentMessage[];
  /** Called with an answer that is in the journal. */
  answered(message: proto.IMessage, attrs: StanzaAttrs): void;
}

interface Waiting {
  readonly attrs: StanzaAttrs;
  readonly key: proto.IMessageKey;
  readonly until: number;
  requestAt: number;
  requests: number;
  emptyAnswers: number;
  readonly end: (hasCome: boolean) => void;
}

const { Type } = proto.Message.ProtocolMessage;
const RESEND = proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND;

/** Messages that come together are requested together. */
const GATHER_MS = 2_000;
const MOST_IN_A_REQUEST = 32;
/** While there is no connection. */
const OFFLINE_MS = 5_000;
const AGAIN = { firstMs: 60_000, longestMs: 6 * HOUR_MS, jitter: 0.2 };
const GIVEN_UP_AFTER_MS = 72 * HOUR_MS;
/** The phone may not have the message itself yet when it answers for the first time. */
const MOST_EMPTY_ANSWERS = 3;
const MOST_WAITING = 1_000;
const MOST_REMEMBERED = 1_000;

export function createPlaceholders({
  context,
  leaving,
  record,
}: {
  context: SessionContext;
  leaving: AbortSignal;
  /** Puts an event into the journal; without effect when the message is there already. */
  record: (event: MessageEvent) => Promise<void>;
}): Placeholders {
  const { clock, random } = context;
  const waiting = new Set<Waiting>();
  /** Messages of each request, in the order of their keys. */
  const requested = createBoundedCache<readonly Waiting[]>({ limit: MOST_REMEMBERED });
  /** Keys of messages whose announcement may be read only after their answer. */
  const early = createBoundedCache<proto.IMessageKey>({ limit: MOST_REMEMBERED });
  let timer: Timer | undefined;
  leaving.addEventListener('abort', () => timer?.cancel(), { once: true });

  async function untilSettled(attrs: StanzaAttrs, at: number, event: MessageEvent): Promise<void> {
    const key = keyOf(attrs, event);
    const known = early.get(nameOf(key));
    if (known && concerns(known, attrs)) return;
    const hasCome =
      waiting.size < MOST_WAITING &&
      (await new Promise<boolean>((resolve) => {
        const one: Waiting = {
          ...{ attrs, key, until: at + GIVEN_UP_AFTER_MS, requestAt: clock.now() + GATHER_MS },
          ...{ requests: 0, emptyAnswers: 0 },
          end(outcome) {
            waiting.delete(one);
            resolve(outcome);
          },
        };
        waiting.add(one);
        schedule();
      }));
    if (!hasCome) await record(event);
  }

  function schedule(): void {
    timer?.cancel();
    if (waiting.size === 0 || leaving.aborted) return;
    const next = Math.min(...[...waiting].map(({ requestAt, until }) => Math.min(requestAt, until)));
    timer = clock.after(Math.max(0, next - clock.now()), () => neverRejects(request()));
  }

  async function request(): Promise<void> {
    const now = clock.now();
    for (const one of waiting) if (one.until <= now) one.end(false);
    const due = [...waiting]
      .filter(({ requestAt }) => requestAt <= now + GATHER_MS)
      .slice(0, MOST_IN_A_REQUEST);
    for (const one of due) one.requestAt = now + OFFLINE_MS;
    if (due.length > 0) await requestFromPhone(due).catch(notRequested);
    schedule();
  }

  async function requestFromPhone(due: readonly Waiting[]): Promise<void> {
    const id = await ask(context, (sock) =>
      sock.sendPeerDataOperationMessage({
        peerDataOperationRequestType: RESEND,
        placeholderMessageResendRequest: due.map(({ key }) => ({ messageKey: key })),
      }),
    );
    requested.set(id, due);
    for (const one of due) {
      one.requests += 1;
      one.requestAt = clock.now() + growingPause(AGAIN, one.requests, random);
    }
  }

  function waitingFor(key: proto.IMessageKey): Waiting | undefined {
    const same = [...waiting].filter((one) => nameOf(one.key) === nameOf(key));
    return same.length > 1 ? same.find(({ attrs }) => concerns(key, attrs)) : same[0];
  }

  /** An answer has fewer results than the request only when more answers follow. */
  function noteEmpty(requestId: string, results: number, came: ReadonlySet<Waiting | undefined>): void {
    const asked = requested.get(requestId) ?? [];
    if (results < asked.length) return;
    for (const one of asked) {
      if (!waiting.has(one) || came.has(one)) continue;
      one.emptyAnswers += 1;
      if (one.emptyAnswers === MOST_EMPTY_ANSWERS) one.end(false);
    }
  }

  return {
    take(entry) {
      if (entry.kind !== 'placeholder') return undefined;
      const event = unavailableMessage(entry.attrs, context.me(), 'not_resent');
      return event ? untilSettled(entry.attrs, entry.at, event) : Promise.resolve();
    },

    resentIn(message, attrs) {
      return messagesIn(message, attrs, (from) => isOwnPhone(from, context)).map(
        ({ info, key, content }) => ({
          name: `${nameOf(key)} ${accountOf(key.remoteJid)} ${accountOf(key.participant)}`,
          message: content,
          attrs: waitingFor(key)?.attrs ?? attrsOfWebMessage(info, context.me()),
        }),
      );
    },

    answered(message, attrs) {
      const response = message.protocolMessage?.peerDataOperationRequestResponseMessage;
      const came = new Set<Waiting | undefined>();
      for (const { key } of messagesIn(message, attrs, (from) => isOwnPhone(from, context))) {
        const one = waitingFor(key);
        if (!one) early.set(nameOf(key), key);
        came.add(one);
      }
      noteEmpty(response?.stanzaId ?? '', response?.peerDataOperationResult?.length ?? 0, came);
      for (const one of came) one?.end(true);
      schedule();
    },
  };
}

const notRequested = unlessCutOff('messages could not be requested from the phone');

interface ResentInfo {
  readonly info: proto.IWebMessageInfo;
  readonly key: proto.IMessageKey;
  readonly content: proto.IMessage;
}

/** From the own phone only: another sender could forge messages of third people. */
function messagesIn(
  { protocolMessage }: proto.IMessage,
  attrs: StanzaAttrs,
  isTrusted: (from: string | undefined) => boolean,
): ResentInfo[] {
  if (protocolMessage?.type !== Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE) return [];
  if (!isTrusted(attrs.from)) return [];
  const results = protocolMessage.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? [];
  return results.flatMap(({ placeholderMessageResendResponse }) => {
    const bytes = placeholderMessageResendResponse?.webMessageInfoBytes;
    const info = bytes && decodeWebMessage(bytes);
    return info?.message && info.key?.id ? [{ info, key: info.key, content: info.message }] : [];
  });
}

function isOwnPhone(from: string | undefined, context: SessionContext): boolean {
  return isOwnJid(from, context.me()) && !jidDecode(from)?.device;
}

/** The key under which the phone has the message. */
function keyOf(attrs: StanzaAttrs, { messageId, fromMe, isGroup: inGroup, broadcast }: MessageEvent) {
  const isShared = inGroup || broadcast || isGroup(accountOf(attrs.from));
  return {
    remoteJid: accountOf(fromMe && !isShared ? attrs.recipient : attrs.from),
    fromMe: fromMe === true,
    id: messageId,
    ...(isShared && !fromMe ? { participant: accountOf(attrs.participant) } : {}),
  };
}

function nameOf({ id, fromMe }: proto.IMessageKey): string {
  return `${id} ${fromMe === true}`;
}

const ADDRESSES = [
  ...['from', 'recipient', 'sender_pn', 'sender_lid', 'peer_recipient_pn', 'peer_recipient_lid'],
  ...['participant', 'participant_pn', 'participant_lid'],
];

/** Whether a key names the chat, and the author where it has one, of a stanza, by either address. */
function concerns({ remoteJid, participant }: proto.IMessageKey, attrs: StanzaAttrs): boolean {
  const named = new Set(ADDRESSES.map((name) => accountOf(attrs[name])));
  return named.has(accountOf(remoteJid)) && (!participant || named.has(accountOf(participant)));
}
