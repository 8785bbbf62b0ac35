import { defineBatch } from '#platform/store/batch';
import { type Accepted, keyOf, type NumberAccount, type QuotaCharge } from './batch.ts';
import type { PeriodAccount } from './ledger.ts';

/** An item to look up; a test send has neither key nor person. */
export type LookupItem = QuotaCharge & { readonly idempotencyKey?: string; readonly to?: string };

/** The columns of one lookup. */
interface Lookup {
  readonly accountId: string;
  readonly slotId: string;
  readonly periodStart: number;
  readonly key: string | null;
  readonly person: string | null;
}

export function toLookup({ accountId, slotId, period, idempotencyKey, to }: LookupItem): Lookup {
  const key = idempotencyKey === undefined ? null : keyOf({ slotId, idempotencyKey });
  return { accountId, slotId, periodStart: period.start, key, person: to ?? null };
}

/**
 * An accepted message. Its bytes are a slice of one parameter: in an array they would travel as text of twice their
 * length.
 */
interface AcceptedRow {
  readonly id: string;
  readonly accountId: string;
  readonly slotId: string;
  readonly sessionId: string;
  readonly key: string;
  readonly toJid: string;
  readonly type: string;
  readonly at: number;
  readonly seq: number;
  readonly sealedFrom: number;
  readonly sealedSize: number;
  readonly hashFrom: number;
  readonly hashSize: number;
}

export function toAcceptedRows(accepted: readonly Accepted[]): {
  readonly rows: readonly AcceptedRow[];
  readonly sealed: Buffer;
  readonly hashes: Buffer;
} {
  // SQL counts bytes from 1.
  let [sealedFrom, hashFrom] = [1, 1];
  const rows = accepted.map(({ item, seq }): AcceptedRow => {
    const { accountId, slotId, sessionId, type, sealed, requestHash } = item;
    const row = {
      ...{ id: item.messageId, accountId, slotId, sessionId, key: item.idempotencyKey, toJid: item.to, type },
      ...{ at: item.now, seq, sealedFrom, sealedSize: sealed.length, hashFrom, hashSize: requestHash.length },
    };
    sealedFrom += sealed.length;
    hashFrom += requestHash.length;
    return row;
  });
  return {
    rows,
    sealed: Buffer.concat(accepted.map(({ item }) => item.sealed)),
    hashes: Buffer.concat(accepted.map(({ item }) => item.requestHash)),
  };
}

type NumberRow = NumberAccount['use'] &
  Pick<NumberAccount, 'nextSeq' | 'newChats'> & { readonly slotId: string };

export function toNumberRow([slotId, { use, nextSeq, newChats }]: readonly [
  string,
  NumberAccount,
]): NumberRow {
  return { slotId, ...use, nextSeq, newChats };
}

interface PeriodRow {
  readonly slotId: string;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly plan: string;
  readonly quota: number;
  readonly used: number;
}

export function toPeriodRow({ item: { slotId, period }, quota, used }: PeriodAccount): PeriodRow {
  return { slotId, startedAt: period.start, endsAt: period.end, plan: period.plan, quota, used };
}

interface PinRow {
  readonly mediaId: string | null;
  readonly slotId: string;
  readonly seq: number;
}

export function toPinRow({ item: { mediaId, slotId }, seq }: Accepted): PinRow {
  return { mediaId, slotId, seq };
}

export const BATCHES = {
  lookups: defineBatch<Lookup>({
    accountId: 'text',
    slotId: 'text',
    periodStart: 'bigint',
    key: 'text',
    person: 'text',
  }),
  accepted: defineBatch<AcceptedRow>({
    id: 'text',
    accountId: 'text',
    slotId: 'text',
    sessionId: 'text',
    key: 'text',
    toJid: 'text',
    type: 'text',
    at: 'bigint',
    seq: 'bigint',
    sealedFrom: 'int',
    sealedSize: 'int',
    hashFrom: 'int',
    hashSize: 'int',
  }),
  numbers: defineBatch<NumberRow>({
    slotId: 'text',
    planFullAt: 'float8',
    sessionFullAt: 'float8',
    runLength: 'bigint',
    runSince: 'bigint',
    lastSentAt: 'bigint',
    pausedUntil: 'bigint',
    nextSeq: 'bigint',
    newChats: 'text',
  }),
  accounts: defineBatch<{ readonly accountId: string; readonly fullAt: number }>({
    accountId: 'text',
    fullAt: 'float8',
  }),
  periods: defineBatch<PeriodRow>({
    slotId: 'text',
    startedAt: 'bigint',
    endsAt: 'bigint',
    plan: 'text',
    quota: 'bigint',
    used: 'bigint',
  }),
  pins: defineBatch<PinRow>({ mediaId: 'text', slotId: 'text', seq: 'bigint' }),
} as const;
