import type { MessageState } from '@parley/contract';
import { createEventLog } from '#events';
import {
  apiError,
  type Clock,
  createSealedBox,
  createSteppedClock,
  createSystemClock,
  messageIdAt,
  systemRandom,
} from '#kernel';
import { createLocalBus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import type { SessionRow, Store } from '#platform/store';
import type { AcceptItem, QuotaCharge } from '../accept/batch.ts';

/** Command modules that the tests of this room need. */
export const commandModules = ['../write-commands.ts', '../../health/write-commands.ts'].map(
  (path) => new URL(path, import.meta.url),
);

export const START = Date.UTC(2026, 0, 1);
const MONTH_MS = 31 * 86_400_000;

let made = 0;

/** A number that no other test uses; its account is new as well unless one is given. */
export async function newNumber(
  store: Store,
  account?: Pick<OwnedNumber, 'accountId'>,
): Promise<OwnedNumber> {
  const number = ++made;
  const accountId = account?.accountId ?? `acc_${number}`;
  const slotId = `slot_${number}`;
  const phone = String(15_551_000_000 + number);
  const plan = 'max';
  await store.transaction(async (trx) => {
    if (!account) {
      const owner = { id: accountId, name: 'Ada', email: `${accountId}@example.com` };
      await trx
        .insertInto('accounts')
        .values({ ...owner, status: 'active', created_at: START })
        .execute();
    }
    const device = { slot_id: slotId, account_id: accountId, phone, plan } as const;
    await trx
      .insertInto('devices')
      .values({ ...device, status: 'active', activated_at: START, created_at: START })
      .execute();
  });
  return { slotId, accountId, phone, plan };
}

/** A message that was accepted at this time, in this state. */
export async function addMessage(store: Store, number: OwnedNumber, at: number, status: MessageState) {
  const id = `${messageIdAt(at)}${String(++made).padStart(10, '0')}`;
  await store.transaction((trx) =>
    trx
      .insertInto('messages')
      .values({
        id,
        account_id: number.accountId,
        slot_id: number.slotId,
        session_id: sessionIdOf(number),
        request_id: id,
        to_jid: '15550002001@s.whatsapp.net',
        type: 'text',
        status,
        reason: null,
        accepted_at: at,
        updated_at: at,
      })
      .execute(),
  );
  return id;
}

export function sessionIdOf({ phone }: OwnedNumber): string {
  return `${phone}:1@s.whatsapp.net`;
}

/** A charge that only the limits of every session and account refuse. */
export function drawOf({ accountId, slotId }: OwnedNumber, changes: Partial<QuotaCharge> = {}): QuotaCharge {
  return {
    accountId,
    slotId,
    allowance: { sendsPerMinute: 6_000 },
    period: { start: START, end: START + MONTH_MS, plan: 'partner', quota: 1_000_000 },
    now: START,
    ...changes,
  };
}

/** A media library without files. */
export const noFiles = {
  idOf: async () => undefined,
  findNeeded: async () => undefined,
  read: () => Promise.reject(new Error('nothing is kept')),
};

/** A directory without usernames. */
export const noUsernames = async (): Promise<string> => {
  throw apiError('username_not_found');
};

/** Every chat has one address. */
export const sameChat = async (jid: string): Promise<string> => jid;

/** No pacing. */
export const unpaced = { dailyNewChats: 0, observe() {} };

/** A send that differs from all others, unless `changes` make it equal. */
export function itemOf(number: OwnedNumber, changes: Partial<AcceptItem> = {}): AcceptItem {
  const name = String(++made).padStart(10, '0');
  return {
    ...drawOf(number),
    sessionId: sessionIdOf(number),
    idempotencyKey: `key-${name}`,
    requestHash: new TextEncoder().encode(`hash of ${name}`),
    messageId: `3EB0${name}`,
    to: '15550002001@s.whatsapp.net',
    type: 'text',
    sealed: Buffer.from(`sealed ${name}`),
    mediaId: null,
    dailyNewChats: 0,
    ...changes,
  };
}

export const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random: systemRandom });

/** Numbers that keep nothing. */
export const noHistories = { of: () => undefined };

/** The event log of this room, as in the gateway. */
export function eventLogOf(store: Store, clock: Pick<Clock, 'now'> = createSteppedClock(START)) {
  return createEventLog({ store, sealedBox, clock, bus: createLocalBus({ clock: createSystemClock() }) });
}

/** Events for the webhook of a number, in order. */
export async function eventsOf(store: Store, { slotId }: OwnedNumber) {
  const rows = await store.read
    .selectFrom('events')
    .select('body')
    .where('slot_id', '=', slotId)
    .orderBy('seq')
    .execute();
  return rows.map(({ body }) => JSON.parse(body));
}

/** Fails the test when anything is logged. */
export const quiet = {
  debug() {},
  error(details: object, message: string): void {
    throw new Error(message, { cause: details });
  },
};

/** Links the number, or gives its link another status. */
export async function linkNumber(
  store: Store,
  number: OwnedNumber,
  changes: Partial<SessionRow> = {},
): Promise<void> {
  const row: SessionRow = {
    slot_id: number.slotId,
    account_id: number.accountId,
    phone: number.phone,
    session_id: sessionIdOf(number),
    link_id: `link ${number.slotId}`,
    lid: null,
    status: 'connected',
    since: START,
    reported: null,
    reason: null,
    reason_detail: null,
    reason_until: null,
    auto_reject: 0,
    presence_policy: 'auto',
    worker: null,
    fence: 1,
    ...changes,
  };
  await store.transaction((trx) =>
    trx
      .insertInto('sessions')
      .values(row)
      .onConflict((conflict) => conflict.column('slot_id').doUpdateSet(row))
      .execute(),
  );
}

/** The stored queue of a number, in order. */
export function outboxOf(store: Store, { slotId }: OwnedNumber) {
  return store.read.selectFrom('outbox').selectAll().where('slot_id', '=', slotId).orderBy('seq').execute();
}

export function messagesOf(store: Store, { slotId }: OwnedNumber) {
  return store.read.selectFrom('messages').selectAll().where('slot_id', '=', slotId).orderBy('id').execute();
}

export function limitsOf(store: Store, { slotId }: OwnedNumber) {
  return store.read.selectFrom('send_limits').selectAll().where('slot_id', '=', slotId).executeTakeFirst();
}

export async function usedOf(store: Store, { slotId }: OwnedNumber): Promise<number> {
  const rows = await store.read
    .selectFrom('device_periods')
    .select('used')
    .where('slot_id', '=', slotId)
    .execute();
  return rows.reduce((sum, { used }) => sum + used, 0);
}
