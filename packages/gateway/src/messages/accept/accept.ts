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
import {
  ApiError,
  apiError,
  apiErrorFrom,
  type Clock,
  type Ids,
  type SealedBox,
  type SendTraces,
} from '#kernel';
import type { GivenFile, MediaAccess } from '#media';
import type { Bus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import { isPassing, type Store } from '#platform/store';
import type { SessionStates } from '#sessions';
import { acceptedAt, findIdempotencyKey } from '../message-queries.ts';
import { canonicalJson, sealSend } from '../sealed-send.ts';
import { type AcceptItem, type AcceptResult, KEY_KEPT_MS, keyOf, type QuotaCharge } from './batch.ts';
import { chargeFor, readRate, refusal, type TermsOfNumbers } from './budget.ts';
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
  /** For metrics. */
  readonly onAccepted?: (type: string) => void;
  readonly traces?: Pick<SendTraces, 'accepting'> | undefined;
  /** Resolves a username to its chat; rejects with an `ApiError` when it is unknown or its key is missing. */
  readonly addressOf: (number: OwnedNumber, username: WrittenUsername) => Promise<string>;
}

/** The part of the health room that a send needs. */
interface SendPacing {
  /** Of numbers without a setting of their own; 0: no limit. */
  readonly dailyNewChats: number;
  /** Called for each send that is accepted or held back. */
  observe(number: OwnedNumber, sessionId: string, send: SendRequest, result: AcceptResult): void;
}

/** Published when a number has something in its outbox. */
export const OUTBOX_TOPIC = 'outbox';

/**
 * Accepts a send into the outbox. The order of checks is public: replay → plan → online → pacing → limits → quota →
 * commit. A replay is answered although the plan has changed or the number is offline since, because it asks about
 * the past.
 */
export async function acceptSend(
  context: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
  idempotencyKey: string | undefined,
  /** Called before every answer, including refusals. */
  onRate: (rate: RateNotice) => void,
  /** The one number whose files the caller may use; null: all of the account. */
  phone: string | null = null,
): Promise<MessageAccepted> {
  const decision = await decide(context, number, send, idempotencyKey ?? '', phone);
  const rate = decision.rate ?? (await readRate(context, number));
  if (rate) onRate(rate);
  if (decision.answer instanceof ApiError) throw decision.answer;
  return decision.answer;
}

interface Decision {
  readonly answer: MessageAccepted | ApiError;
  /** Absent when the budget was not read. */
  readonly rate?: RateNotice;
}

async function decide(
  context: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
  key: string,
  phone: string | null,
): Promise<Decision> {
  if (key === '') return { answer: apiError('idempotency_key_required') };
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH) return { answer: apiError('idempotency_key_too_long') };
  const json = canonicalJson(send);
  const requestHash = context.sealedBox.fingerprint(json);
  const checked = await checkSend(context, number, send, phone);
  if (checked instanceof ApiError) {
    const replay = await findReplay(context, number, key, requestHash);
    return { answer: replay ? answerTo(send, replay) : checked };
  }

  const { ids, sealedBox, bus } = context;
  const messageId = ids.message();
  const { send: addressed } = checked;
  if (context.traces) await context.traces.accepting({ accountId: number.accountId, messageId });
  const result = await enqueue(context.store, {
    ...checked.draw,
    sessionId: checked.sessionId,
    idempotencyKey: key,
    requestHash,
    messageId,
    to: 'to' in addressed ? addressed.to : '',
    type: typeOfSend(send),
    sealed: sealSend(
      sealedBox,
      number.slotId,
      messageId,
      queuedJson(addressed, addressed === send ? json : canonicalJson(addressed), checked.mediaId),
    ),
    mediaId: checked.mediaId ?? null,
    dailyNewChats: context.pacing.dailyNewChats,
  });
  context.pacing.observe(number, checked.sessionId, addressed, result);
  if (result.kind === 'admitted') {
    context.onAccepted?.(typeOfSend(send));
    bus.publish(OUTBOX_TOPIC, number.slotId);
  }
  return { answer: answerOf(result, send, messageId), rate: result.rate };
}

/** A file inside the request is stored separately; the queue has its id. */
function queuedJson(send: SendRequest, json: string, mediaId: string | undefined): string {
  if (!('media_base64' in send) || mediaId === undefined) return json;
  const { media_base64: _file, mimetype: _type, ...rest } = send;
  return canonicalJson({ ...rest, media_id: mediaId });
}

async function enqueue(store: Store, item: AcceptItem): Promise<AcceptResult> {
  try {
    return await store.run(acceptMessage, item);
  } catch (error) {
    throw isPassing(error) ? apiErrorFrom(error, 'enqueue_failed') : error;
  }
}

function answerOf(result: AcceptResult, send: SendRequest, messageId: string): MessageAccepted | ApiError {
  switch (result.kind) {
    case 'admitted':
      return answerTo(send, messageId);
    case 'replayed':
      return answerTo(send, result.messageId);
    case 'reused':
      return apiError('idempotency_key_reused');
    case 'refused':
      return refusal(result);
  }
}

function answerTo(send: SendRequest, messageId: string | ApiError): MessageAccepted | ApiError {
  if (messageId instanceof ApiError) return messageId;
  // A timer is a setting of the chat: it has no message id on the network.
  return send.kind === 'disappearing'
    ? { status: 'accepted' }
    : { message_id: messageId, status: 'accepted' };
}

/** A send that passed every check but the budget. */
interface CheckedSend {
  readonly draw: QuotaCharge;
  readonly sessionId: string;
  /** Addressed to the chat, where a username was given. */
  readonly send: SendRequest;
  /** The file that it needs, which is stored. */
  readonly mediaId?: string | undefined;
}

async function checkSend(
  context: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
  phone: string | null,
): Promise<CheckedSend | ApiError> {
  const draw = await chargeFor(number, context.terms, context.clock.now());
  if (draw instanceof ApiError) return draw;
  const feature = featuresOf(send).find((each) => !planIncludes(number.plan, each));
  if (feature) return apiError('plan_lacks_feature', { plan: number.plan, feature });
  const session = await context.sessions.find(number.slotId);
  if (session?.status !== 'connected' && session?.status !== 'reconnecting') {
    return apiError('session_not_hosted');
  }
  const mistake = send.kind === 'edit' ? await mistakeIn(send, context, number) : undefined;
  if (mistake) return mistake;
  try {
    const addressed = await withAddress(context, number, send);
    const owner = { accountId: number.accountId, phone };
    const mediaId = await context.media.idOf(owner, send as GivenFile);
    return { draw, sessionId: session.sessionId, send: addressed, mediaId };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * Only the network knows who has a username, so it is asked before the send is accepted: a typing error is refused at
 * once.
 */
async function withAddress(
  { addressOf }: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
): Promise<SendRequest> {
  if (!('to' in send)) return send;
  const written = parseUsername(send.to);
  return written ? { ...send, to: await addressOf(number, written) } : send;
}

/** Only recent messages of this number can be edited: the network drops other edits silently. */
async function mistakeIn(
  { edit_message_id: id }: SendOf<'edit'>,
  { store, clock }: AcceptContext,
  number: OwnedNumber,
): Promise<ApiError | undefined> {
  const sentAt = await acceptedAt(store, number.slotId, id);
  if (sentAt === undefined) return apiError('message_not_own');
  return clock.now() - sentAt > EDIT_WINDOW_SECONDS * 1_000 ? apiError('edit_window_passed') : undefined;
}

/** The message that this key was used for, or the error when it was used for another request. */
async function findReplay(
  { store, clock }: AcceptContext,
  { accountId, slotId }: OwnedNumber,
  idempotencyKey: string,
  requestHash: Uint8Array,
): Promise<string | ApiError | undefined> {
  const earlier = await findIdempotencyKey(store, accountId, keyOf({ slotId, idempotencyKey }));
  if (!earlier || clock.now() - earlier.created_at >= KEY_KEPT_MS) return undefined;
  const same = Buffer.compare(earlier.request_hash, requestHash) === 0;
  return same ? earlier.message_id : apiError('idempotency_key_reused');
}
