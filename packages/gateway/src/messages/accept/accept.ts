import {
  EDIT_WINDOW_SECONDS,
  featuresOf,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  type MessageAccepted,
  parseUsername,
  planIncludes,
  type SendOf,
  type SendRequest,
  typeOfSend,
  type WrittenUsername,
} from '@parley/contract';
import type { Bus } from '#bus';
import type { OwnedNumber } from '#http';
import { type Clock, Fault, fault, faultBecause, type Ids, type SealedBox, type SendTraces } from '#kernel';
import type { GivenFile, MediaAccess } from '#media';
import type { SessionStates } from '#sessions';
import { isPassing, type Store } from '#store';
import { canonicalJson, sealSend } from '../sealed-send.ts';
import { acceptedAt, findIdempotencyKey } from '../store.ts';
import { type AcceptItem, type AcceptResult, KEY_KEPT_MS, keyOf, type SpendItem } from './batch.ts';
import { drawOn, readRate, refusal, type TermsOfNumbers } from './budget.ts';
import type { RateNotice } from './limits.ts';
import { acceptMessage } from './write-commands.ts';

export interface AcceptContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'message'>;
  readonly sealedBox: Pick<SealedBox, 'seal' | 'fingerprint'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly sessions: SessionStates;
  readonly terms: TermsOfNumbers;
  readonly pacing: SendPacing;
  readonly media: Pick<MediaAccess, 'idOf'>;
  /** For whoever counts. */
  readonly onAccepted?: (type: string) => void;
  readonly traces?: Pick<SendTraces, 'accepting'> | undefined;
  /** The chat of whoever has a username; rejects with a fault when nobody has, or its key is missing. */
  readonly addressOf: (number: OwnedNumber, username: WrittenUsername) => Promise<string>;
}

/** What of the health room a send needs. */
interface SendPacing {
  /** Of numbers for which nothing else was chosen; 0: no limit. */
  readonly dailyNewChats: number;
  /** A send was accepted, or held back. */
  observe(number: OwnedNumber, sessionId: string, send: SendRequest, result: AcceptResult): void;
}

/** Says that a number has something in its outbox. */
export const OUTBOX_TOPIC = 'outbox';

/**
 * Takes a send into the outbox. The order of checks is public: replay → plan → online → pacing → limits → quota → commit. A replay is answered
 * although the plan has changed or the number went offline since, because it asks about the past.
 */
export async function acceptSend(
  context: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
  idempotencyKey: string | undefined,
  /** Told before every answer, a refusal included. */
  onRate: (rate: RateNotice) => void,
  /** The one number whose files the caller may use; null: all of the account. */
  phone: string | null = null,
): Promise<MessageAccepted> {
  const decision = await decide(context, number, send, idempotencyKey ?? '', phone);
  const rate = decision.rate ?? (await readRate(context, number));
  if (rate) onRate(rate);
  if (decision.answer instanceof Fault) throw decision.answer;
  return decision.answer;
}

interface Decision {
  readonly answer: MessageAccepted | Fault;
  /** Absent when the budget was not asked. */
  readonly rate?: RateNotice;
}

async function decide(
  context: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
  key: string,
  phone: string | null,
): Promise<Decision> {
  if (key === '') return { answer: fault('idempotency_key_required') };
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH) return { answer: fault('idempotency_key_too_long') };
  const json = canonicalJson(send);
  const requestHash = context.sealedBox.fingerprint(json);
  const clearance = await clear(context, number, send, phone);
  if (clearance instanceof Fault) {
    const replay = await findReplay(context, number, key, requestHash);
    return { answer: replay ? answerTo(send, replay) : clearance };
  }

  const { ids, sealedBox, bus } = context;
  const messageId = ids.message();
  const { send: addressed } = clearance;
  if (context.traces) await context.traces.accepting({ accountId: number.accountId, messageId });
  const result = await enqueue(context.store, {
    ...clearance.draw,
    sessionId: clearance.sessionId,
    idempotencyKey: key,
    requestHash,
    messageId,
    to: 'to' in addressed ? addressed.to : '',
    type: typeOfSend(send),
    sealed: sealSend(
      sealedBox,
      number.slotId,
      messageId,
      queuedJson(addressed, addressed === send ? json : canonicalJson(addressed), clearance.mediaId),
    ),
    mediaId: clearance.mediaId ?? null,
    dailyNewChats: context.pacing.dailyNewChats,
  });
  context.pacing.observe(number, clearance.sessionId, addressed, result);
  if (result.kind === 'admitted') {
    context.onAccepted?.(typeOfSend(send));
    bus.publish(OUTBOX_TOPIC, number.slotId);
  }
  return { answer: answerOf(result, send, messageId), rate: result.rate };
}

/** A file that came inside the request is kept by itself: the queue has its id. */
function queuedJson(send: SendRequest, json: string, mediaId: string | undefined): string {
  if (!('media_base64' in send) || mediaId === undefined) return json;
  const { media_base64: _file, mimetype: _type, ...rest } = send;
  return canonicalJson({ ...rest, media_id: mediaId });
}

async function enqueue(store: Store, item: AcceptItem): Promise<AcceptResult> {
  try {
    return await store.run(acceptMessage, item);
  } catch (error) {
    throw isPassing(error) ? faultBecause(error, 'enqueue_failed') : error;
  }
}

function answerOf(result: AcceptResult, send: SendRequest, messageId: string): MessageAccepted | Fault {
  switch (result.kind) {
    case 'admitted':
      return answerTo(send, messageId);
    case 'replayed':
      return answerTo(send, result.messageId);
    case 'reused':
      return fault('idempotency_key_reused');
    case 'refused':
      return refusal(result);
  }
}

function answerTo(send: SendRequest, messageId: string | Fault): MessageAccepted | Fault {
  if (messageId instanceof Fault) return messageId;
  // A timer is a setting of the chat: it has no message that could be looked up on the network.
  return send.kind === 'disappearing'
    ? { status: 'accepted' }
    : { message_id: messageId, status: 'accepted' };
}

/** A send that nothing but the budget stands in the way of. */
interface Clearance {
  readonly draw: SpendItem;
  readonly sessionId: string;
  /** To an address, where it was given to a username. */
  readonly send: SendRequest;
  /** The file that it needs, which is here. */
  readonly mediaId?: string | undefined;
}

async function clear(
  context: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
  phone: string | null,
): Promise<Clearance | Fault> {
  const draw = await drawOn(number, context.terms, context.clock.now());
  if (draw instanceof Fault) return draw;
  const feature = featuresOf(send).find((each) => !planIncludes(number.plan, each));
  if (feature) return fault('plan_lacks_feature', { plan: number.plan, feature });
  const session = await context.sessions.find(number.slotId);
  if (session?.status !== 'connected' && session?.status !== 'reconnecting') {
    return fault('session_not_hosted');
  }
  const mistake = send.kind === 'edit' ? await mistakeIn(send, context, number) : undefined;
  if (mistake) return mistake;
  try {
    const addressed = await withAddress(context, number, send);
    const owner = { accountId: number.accountId, phone };
    const mediaId = await context.media.idOf(owner, send as GivenFile);
    return { draw, sessionId: session.sessionId, send: addressed, mediaId };
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** The network alone knows whose a username is, and it is asked before anything is accepted: a typing error is told at once. */
async function withAddress(
  { addressOf }: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
): Promise<SendRequest> {
  if (!('to' in send)) return send;
  const written = parseUsername(send.to);
  return written ? { ...send, to: await addressOf(number, written) } : send;
}

/** Only what this number has sent can be edited, and only for a while: the network would drop anything else without a word. */
async function mistakeIn(
  { edit_message_id: id }: SendOf<'edit'>,
  { store, clock }: AcceptContext,
  number: OwnedNumber,
): Promise<Fault | undefined> {
  const sentAt = await acceptedAt(store, number.slotId, id);
  if (sentAt === undefined) return fault('message_not_own');
  return clock.now() - sentAt > EDIT_WINDOW_SECONDS * 1_000 ? fault('edit_window_passed') : undefined;
}

/** The message that this key stands for already, or the fault when it stands for another request. */
async function findReplay(
  { store, clock }: AcceptContext,
  { accountId, slotId }: OwnedNumber,
  idempotencyKey: string,
  requestHash: Uint8Array,
): Promise<string | Fault | undefined> {
  const earlier = await findIdempotencyKey(store, accountId, keyOf({ slotId, idempotencyKey }));
  if (!earlier || clock.now() - earlier.created_at >= KEY_KEPT_MS) return undefined;
  const same = Buffer.compare(earlier.request_hash, requestHash) === 0;
  return same ? earlier.message_id : fault('idempotency_key_reused');
}
