import { createHash } from 'node:crypto';
import {
  EDIT_WINDOW_SECONDS,
  featuresOf,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  type MessageAccepted,
  planIncludes,
  type SendRequest,
  typeOfSend,
} from '@parley/contract';
import type { Bus } from '#bus';
import type { OwnedNumber } from '#http';
import { type Clock, Fault, fault, type Ids, type SealedBox } from '#kernel';
import type { SessionStates } from '#sessions';
import type { Store } from '#store';
import { type AcceptItem, KEY_KEPT_MS } from './accept-batch.ts';
import { acceptMessage } from './accept-command.ts';
import { drawOn, refusal, type TermsOfNumbers } from './budget.ts';
import type { RateNotice } from './limits.ts';

export interface AcceptContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'message'>;
  readonly sealedBox: Pick<SealedBox, 'seal'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly sessions: SessionStates;
  readonly terms: TermsOfNumbers;
}

/** Says that a number has something in its outbox. */
export const OUTBOX_TOPIC = 'outbox';

/**
 * Takes a send into the outbox. The order of checks is public: replay → plan → online → limits → quota → commit. A replay is answered
 * although the plan has changed or the number went offline since, because it asks about the past.
 */
export async function acceptSend(
  context: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
  idempotencyKey: string | undefined,
  onRate: (rate: RateNotice) => void,
): Promise<MessageAccepted> {
  const { store, clock, ids, sealedBox, bus } = context;
  const key = checkedKey(idempotencyKey);
  const requestHash = hashOf(send);
  const draw = await drawOn(number, context.terms, clock.now());
  const obstacle = draw instanceof Fault ? draw : await obstacleTo(context, number, send);
  if (obstacle || draw instanceof Fault) {
    const replay = await findReplay(context, number.accountId, key, requestHash);
    if (replay) return answer(send, replay);
    throw obstacle;
  }

  const messageId = ids.message();
  const item: AcceptItem = {
    ...draw,
    sessionId: send.session_id,
    idempotencyKey: key,
    requestHash,
    messageId,
    to: 'to' in send ? send.to : '',
    type: typeOfSend(send),
    sealed: sealedBox.seal(Buffer.from(JSON.stringify(send)), sealContext(number.slotId, messageId)),
  };
  const result = await store.run(acceptMessage, item);
  onRate(result.rate);
  switch (result.kind) {
    case 'replayed':
      return answer(send, result.messageId);
    case 'reused':
      throw fault('idempotency_key_reused');
    case 'refused':
      throw refusal(result);
    case 'admitted':
      bus.publish(OUTBOX_TOPIC, number.slotId);
      return answer(send, messageId);
  }
}

export function sealContext(slotId: string, messageId: string): string {
  return `outbox ${slotId} ${messageId}`;
}

function answer(send: SendRequest, messageId: string): MessageAccepted {
  // A timer is a setting of the chat: it has no message that could be looked up on the network.
  return send.kind === 'disappearing'
    ? { status: 'accepted' }
    : { message_id: messageId, status: 'accepted' };
}

function checkedKey(key: string | undefined): string {
  if (!key) throw fault('idempotency_key_required');
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH) throw fault('idempotency_key_too_long');
  return key;
}

/** Why the send cannot be accepted whatever its limits say; undefined when nothing stands in its way. */
async function obstacleTo(
  { store, clock, sessions }: AcceptContext,
  number: OwnedNumber,
  send: SendRequest,
): Promise<Fault | undefined> {
  const feature = featuresOf(send).find((each) => !planIncludes(number.plan, each));
  if (feature) return fault('plan_lacks_feature', { plan: number.plan, feature });
  const found = sessions.find(number.slotId);
  const session = found instanceof Promise ? await found : found;
  if (session?.status !== 'connected' && session?.status !== 'reconnecting') {
    return fault('session_not_hosted');
  }
  if (send.kind !== 'edit') return undefined;
  const original = await store.read
    .selectFrom('messages')
    .select('accepted_at')
    .where('id', '=', send.edit_message_id)
    .where('slot_id', '=', number.slotId)
    .executeTakeFirst();
  if (!original) return fault('message_not_own');
  const age = clock.now() - original.accepted_at;
  return age > EDIT_WINDOW_SECONDS * 1_000 ? fault('edit_window_passed') : undefined;
}

async function findReplay(
  { store, clock }: AcceptContext,
  accountId: string,
  key: string,
  requestHash: Uint8Array,
): Promise<string | undefined> {
  const earlier = await store.read
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'message_id', 'created_at'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!earlier || clock.now() - earlier.created_at >= KEY_KEPT_MS) return undefined;
  if (Buffer.compare(earlier.request_hash, requestHash) !== 0) throw fault('idempotency_key_reused');
  return earlier.message_id;
}

/** Of the request as understood, so that neither the order of fields nor those that were ignored make a difference. */
function hashOf(send: SendRequest): Uint8Array {
  return createHash('sha256').update(JSON.stringify(send, sortedKeys)).digest();
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
