import { type Count, unknownHealth } from '#health/write-commands';
import type { AccountLimitsRow, NumberHealthRow, SendLimitsRow } from '#platform/store';
import type { HealthAccount, Ledger, NumberAccount, QuotaCharge } from './batch.ts';
import { type AccountUse, type NumberUse, UNUSED_ACCOUNT, UNUSED_NUMBER } from './limits.ts';

export interface PeriodAccount {
  readonly item: QuotaCharge;
  quota: number;
  used: number;
  changed: boolean;
}

export interface AccountAccount {
  use: AccountUse;
  changed: boolean;
}

export interface PeriodUse {
  readonly quota: number;
  readonly used: number;
}

/** Reads of stored rows, one set for each dialect; undefined where there is no row. */
export interface Lookups {
  sendLimits(slotId: string): SendLimitsRow | undefined;
  accountLimits(accountId: string): AccountLimitsRow | undefined;
  period(slotId: string, start: number): PeriodUse | undefined;
  health(slotId: string): NumberHealthRow | undefined;
  acquaintance: Ledger['acquaintance'];
  earlier: Ledger['earlier'];
  takeKey: Ledger['takeKey'];
}

/** Ledger of one batch: reads each row once, however many items touch it. */
export interface BatchLedger extends Ledger {
  readonly numbers: ReadonlyMap<string, NumberAccount>;
  readonly accounts: ReadonlyMap<string, AccountAccount>;
  readonly periods: ReadonlyMap<string, PeriodAccount>;
  readonly healths: ReadonlyMap<string, HealthAccount>;
}

export function createLedger(lookups: Lookups): BatchLedger {
  const numbers = new Map<string, NumberAccount>();
  const accounts = new Map<string, AccountAccount>();
  const periods = new Map<string, PeriodAccount>();
  const healths = new Map<string, HealthAccount>();
  return {
    numbers,
    accounts,
    periods,
    healths,
    number: (slotId) => once(numbers, slotId, () => numberFrom(lookups.sendLimits(slotId))),
    account: (accountId) =>
      once(accounts, accountId, () => {
        const row = lookups.accountLimits(accountId);
        return { use: accountUse(row), changed: false };
      }),
    period: (item) =>
      once(periods, periodKey(item.slotId, item.period.start), () => {
        const row = lookups.period(item.slotId, item.period.start);
        return { item, quota: row?.quota ?? item.period.quota, used: row?.used ?? 0, changed: false };
      }),
    health: (item) =>
      once(healths, item.slotId, () => ({
        row: lookups.health(item.slotId) ?? unknownHealth(item, item.now),
        begun: new Map(),
        past: [],
        heldBack: [],
      })),
    acquaintance: lookups.acquaintance,
    earlier: lookups.earlier,
    takeKey: lookups.takeKey,
  };
}

export function periodKey(slotId: string, start: number): string {
  return `${slotId} ${start}`;
}

function once<T>(known: Map<string, T>, key: string, find: () => T): T {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

function numberFrom(row: SendLimitsRow | undefined): NumberAccount {
  return {
    use: numberUse(row),
    nextSeq: row?.next_seq ?? 1,
    newChats: row?.new_chats ?? '[]',
    changed: false,
  };
}

export function numberUse(row: SendLimitsRow | undefined): NumberUse {
  if (!row) return UNUSED_NUMBER;
  return {
    planFullAt: row.plan_full_at,
    sessionFullAt: row.session_full_at,
    runLength: row.run_length,
    runSince: row.run_since,
    lastSentAt: row.last_sent_at,
    pausedUntil: row.paused_until,
  };
}

export function accountUse(row: AccountLimitsRow | undefined): AccountUse {
  return row ? { fullAt: row.full_at } : UNUSED_ACCOUNT;
}

/** Counts of a batch for the health of its numbers. */
export function healthCounts({ healths }: BatchLedger): Count[] {
  return [...healths].flatMap(([slotId, { past, heldBack }]): Count[] => [
    ...past.map((hour) => ({ slotId, ...hour, name: 'new_chats' }) as const),
    ...heldBack.map((at) => ({ slotId, at, name: 'held_back' }) as const),
  ]);
}
