import { IDEMPOTENCY_KEY_TTL_SECONDS } from '@parley/contract/plain';
import {
  type ContactHistory,
  type Hold,
  holdOf,
  isPersonal,
  type NewChatsInHour,
  withNewChat,
} from '#health/write-commands';
import type { NumberHealthRow } from '#platform/store';
import {
  type AccountUse,
  type Allowance,
  judge,
  type LimitCode,
  type LimitVerdict,
  type NumberUse,
  type RateNotice,
  rateNotice,
} from './limits.ts';

/** A send to accept, with everything that the database decides at once. Plain data: crosses a thread. */
export interface AcceptItem extends QuotaCharge {
  readonly sessionId: string;
  readonly idempotencyKey: string;
  readonly requestHash: Uint8Array;
  readonly messageId: string;
  readonly to: string;
  readonly type: string;
  /** The request, sealed. */
  readonly sealed: Uint8Array;
  /** A stored file that it needs; kept until the message has left. */
  readonly mediaId: string | null;
  /** Of numbers without a setting of their own; 0: no limit. */
  readonly dailyNewChats: number;
}

/** A message charged to a number's budget. */
export interface QuotaCharge {
  readonly accountId: string;
  readonly slotId: string;
  readonly allowance: Allowance;
  readonly period: PeriodTerms;
  readonly now: number;
}

/** The subscription period around `now`, and its initial quota if this is its first message. */
interface PeriodTerms {
  readonly start: number;
  readonly end: number;
  readonly plan: string;
  readonly quota: number;
}

export type ChargeResult = ({ readonly kind: 'admitted' } | ({ readonly kind: 'refused' } & Refusal)) & Rated;

export type AcceptResult =
  | ChargeResult
  /** The key was used before: with the same request, or with another one. */
  | ({ readonly kind: 'replayed'; readonly messageId: string } & Rated)
  | ({ readonly kind: 'reused' } & Rated);

/** Every answer has the remaining rate. */
interface Rated {
  readonly rate: RateNotice;
}

type ChargeVerdict = Extract<LimitVerdict, { admitted: true }> | ({ readonly admitted: false } & Refusal);

type Refusal =
  | { readonly code: LimitCode | 'quota_exhausted'; readonly retryAfterMs: number }
  | { readonly code: 'held_back'; readonly hold: Hold; readonly retryAfterMs: number };

/**
 * Rows that a batch reads and changes. Each dialect fills it before the decision and writes the rows marked as
 * changed.
 */
export interface Ledger {
  number(slotId: string): NumberAccount;
  account(accountId: string): { use: AccountUse; changed: boolean };
  period(item: QuotaCharge): { quota: number; used: number; changed: boolean };
  health(item: AcceptItem): HealthAccount;
  /** History of a number with a person; undefined: neither has written to the other. */
  acquaintance(slotId: string, person: string): ContactHistory | undefined;
  /** The earlier use of the item's idempotency key. */
  earlier(item: AcceptItem): EarlierUse | undefined;
  /** The same for an item that is accepted if there is none: a dialect may write the key at once. */
  takeKey(item: AcceptItem): EarlierUse | undefined;
}

export interface NumberAccount {
  use: NumberUse;
  nextSeq: number;
  /** As in `send_limits`. */
  newChats: string;
  changed: boolean;
}

/** Health of a number, and the changes of this batch. */
export interface HealthAccount {
  row: NumberHealthRow;
  /** People with whom chats begin, and when. */
  readonly begun: Map<string, number>;
  /** New chats of hours long past, to be added to their day. */
  readonly past: NewChatsInHour[];
  /** Times at which sends were held back. */
  readonly heldBack: number[];
}

export interface EarlierUse {
  readonly requestHash: Uint8Array;
  readonly messageId: string;
  readonly createdAt: number;
}

export interface Accepted {
  readonly item: AcceptItem;
  readonly seq: number;
}

/** Each number has its own keys: a caller with access to one number must not use up keys of others. */
export function keyOf({ slotId, idempotencyKey }: Pick<AcceptItem, 'slotId' | 'idempotencyKey'>): string {
  return `${slotId} ${idempotencyKey}`;
}

export const KEY_KEPT_MS = IDEMPOTENCY_KEY_TTL_SECONDS * 1_000;

export function stillStands({ createdAt }: EarlierUse, { now }: QuotaCharge): boolean {
  return now - createdAt < KEY_KEPT_MS;
}

/**
 * Decides the items one after the other: replay → pacing → limits → quota. A refused or replayed item leaves no trace
 * in the ledger.
 */
export function acceptBatch(
  items: readonly AcceptItem[],
  ledger: Ledger,
): { results: AcceptResult[]; accepted: Accepted[] } {
  const accepted: Accepted[] = [];
  const usedHere = new Map<string, EarlierUse>();

  const results = items.map((item): AcceptResult => {
    const known = isPersonal(item.to) ? ledger.acquaintance(item.slotId, item.to) : undefined;
    const verdict = weighSend(item, ledger, known);
    const keyHere = keyOf(item);
    const earlier = usedHere.get(keyHere) ?? (verdict.admitted ? ledger.takeKey(item) : ledger.earlier(item));
    if (earlier && stillStands(earlier, item)) {
      const same = Buffer.compare(earlier.requestHash, item.requestHash) === 0;
      const rate = rateOf(item, ledger);
      return same ? { kind: 'replayed', messageId: earlier.messageId, rate } : { kind: 'reused', rate };
    }
    if (verdict.admitted) {
      const { requestHash, messageId, now } = item;
      const number = ledger.number(item.slotId);
      accepted.push({ item, seq: number.nextSeq });
      number.nextSeq += 1;
      usedHere.set(keyHere, { requestHash, messageId, createdAt: now });
      if (!known) begin(item, ledger);
    } else if (verdict.code === 'held_back') {
      ledger.health(item).heldBack.push(item.now);
    }
    return settle(item, ledger, verdict);
  });
  return { results, accepted };
}

export function chargeBatch(item: QuotaCharge, ledger: Ledger): ChargeResult {
  return settle(item, ledger, weigh(item, ledger));
}

/** Checks pacing and all limits. Changes nothing. */
function weighSend(item: AcceptItem, ledger: Ledger, known: ContactHistory | undefined): ChargeVerdict {
  const hold = heldBackBy(item, ledger, known);
  return hold
    ? { admitted: false, code: 'held_back', hold, retryAfterMs: hold.until - item.now }
    : weigh(item, ledger);
}

function heldBackBy(item: AcceptItem, ledger: Ledger, known: ContactHistory | undefined): Hold | undefined {
  const { slotId, to, now, dailyNewChats } = item;
  if (!isPersonal(to)) return undefined;
  if (known && (known.reached_at !== null || known.answered_at !== null)) return undefined;
  const { row, begun } = ledger.health(item);
  return holdOf({
    row,
    newChats: ledger.number(slotId).newChats,
    defaults: { dailyNewChats },
    now,
    isBegun: known !== undefined || begun.has(to),
  });
}

/** Records a recipient that the number has not written to before. */
function begin(item: AcceptItem, ledger: Ledger): void {
  const { slotId, to, now } = item;
  if (!isPersonal(to)) return;
  const health = ledger.health(item);
  const { row, begun } = health;
  if (begun.has(to)) return;
  begun.set(to, now);
  const number = ledger.number(slotId);
  const { text, past } = withNewChat(number.newChats, now);
  number.newChats = text;
  health.past.push(...past);
  if (row.quota !== null) health.row = { ...row, quota_spent: row.quota_spent + 1 };
}

/** Checks all limits. Changes nothing. */
function weigh(item: QuotaCharge, ledger: Ledger): ChargeVerdict {
  const verdict = judge(
    ledger.number(item.slotId).use,
    ledger.account(item.accountId).use,
    item.allowance,
    item.now,
  );
  if (!verdict.admitted) return verdict;
  const { used, quota } = ledger.period(item);
  return used < quota ? verdict : { admitted: false, code: 'quota_exhausted', retryAfterMs: 0 };
}

/** Enters the verdict into the ledger and returns the answer. */
function settle(item: QuotaCharge, ledger: Ledger, verdict: ChargeVerdict): ChargeResult {
  if (!verdict.admitted) {
    const { admitted: _, ...refusal } = verdict;
    return { kind: 'refused', ...refusal, rate: rateOf(item, ledger) };
  }
  const number = ledger.number(item.slotId);
  const account = ledger.account(item.accountId);
  const period = ledger.period(item);
  number.use = verdict.number;
  account.use = verdict.account;
  period.used += 1;
  number.changed = account.changed = period.changed = true;
  return { kind: 'admitted', rate: rateOf(item, ledger) };
}

function rateOf({ slotId, accountId, allowance, now }: QuotaCharge, ledger: Ledger): RateNotice {
  return rateNotice(ledger.number(slotId).use, ledger.account(accountId).use, allowance, now);
}
