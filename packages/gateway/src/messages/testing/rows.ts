import type { MessageState } from '@parley/contract';
import { createLocalBus } from '#bus';
import { createEventLog } from '#event-log';
import type { OwnedNumber } from '#http';
import {
  type Clock,
  createSealedBox,
  createSteppedClock,
  createSystemClock,
  fault,
  messageIdAt,
  systemRandom,
} from '#kernel';
import type { SessionRow, Store } from '#store';
import type { AcceptItem, SpendItem } from '../accept/batch.ts';

/** What a store must know for the tests of this room. */
export const commandModules = ['../write-commands.ts', '../../health/write-commands.ts'].map(
  (path) => new URL(path, import.meta.url),
);

export const START = Date.UTC(2026, 0, 1);
const MONTH_MS = 31 * 86_400_000;

let made = 0;

/** A number that no other test uses, of an account that no other test uses unless one is given. */
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

/** A message that was accepted at a time, and what became of it. */
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

/** A draw on a budget that only the limits of every session and account hold back. */
export function drawOf({ accountId, slotId }: OwnedNumber, changes: Partial<SpendItem> = {}): SpendItem {
  return {
    accountId,
    slotId,
    allowance: { sendsPerMinute: 6_000 },
    period: { start: START, end: START + MONTH_MS, plan: 'partner', quota: 1_000_000 },
    now: START,
    ...changes,
  };
}

/** Nobody gives a file that is kept. */
export const noFiles = {
  idOf: async () => undefined,
  findNeeded: async () => undefined,
  read: () => Promise.reject(new Error('nothing is kept')),
};

/** Nobody has one. */
export const noUsernames = async (): Promise<string> => {
  throw fault('username_not_found');
};

/** Everybody has one address. */
export const sameChat = async (jid: string): Promise<string> => jid;

/** A number that nothing is chosen for. */
export const unpaced = { dailyNewChats: 0, observe() {} };

/** A send that differs from all others, unless it is told otherwise. */
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

/** Of numbers that keep nothing. */
export const noHistories = { of: () => undefined };

/** Where the events of this room go, as in the gateway. */
export function eventLogOf(store: Store, clock: Pick<Clock, 'now'> = createSteppedClock(START)) {
  return createEventLog({ store, sealedBox, clock, bus: createLocalBus({ clock: createSystemClock() }) });
}

/** What the webhook of a number would be told, in order. */
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

/** Writes that the number is linked, or what became of its link. */
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

/** The queue of a number as it is stored, in order. */
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
