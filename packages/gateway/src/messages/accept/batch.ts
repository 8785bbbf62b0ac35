import { IDEMPOTENCY_KEY_TTL_SECONDS } from '@parley/contract/plain';
import {
  type Acquaintance,
  type Hold,
  holdOf,
  isPersonal,
  type NewChatsInHour,
  withNewChat,
} from '#health/write-commands';
import type { NumberHealthRow } from '#store';
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

/** One send that asks to be accepted: everything that the database must decide about it at once. Plain data, crosses a thread. */
export interface AcceptItem extends SpendItem {
  readonly sessionId: string;
  readonly idempotencyKey: string;
  readonly requestHash: Uint8Array;
  readonly messageId: string;
  readonly to: string;
  readonly type: string;
  /** The request, sealed. */
  readonly sealed: Uint8Array;
  /** A kept file that it needs; it stays until the message has left. */
  readonly mediaId: string | null;
  /** Of numbers for which nothing else was chosen; 0: no limit. */
  readonly dailyNewChats: number;
}

/** One message that draws on a number's budget. */
export interface SpendItem {
  readonly accountId: string;
  readonly slotId: string;
  readonly allowance: Allowance;
  readonly period: PeriodTerms;
  readonly now: number;
}

/** The subscription period that `now` lies in, and what it would start with if this is its first message. */
interface PeriodTerms {
  readonly start: number;
  readonly end: number;
  readonly plan: string;
  readonly quota: number;
}

export type SpendResult = ({ readonly kind: 'admitted' } | ({ readonly kind: 'refused' } & Refusal)) & Rated;

export type AcceptResult =
  | SpendResult
  /** The key was used before: with the same request, or with another one. */
  | ({ readonly kind: 'replayed'; readonly messageId: string } & Rated)
  | ({ readonly kind: 'reused' } & Rated);

/** Every answer tells how much is left. */
interface Rated {
  readonly rate: RateNotice;
}

type SpendVerdict = Extract<LimitVerdict, { admitted: true }> | ({ readonly admitted: false } & Refusal);

type Refusal =
  | { readonly code: LimitCode | 'quota_exhausted'; readonly retryAfterMs: number }
  | { readonly code: 'held_back'; readonly hold: Hold; readonly retryAfterMs: number };

/** What a batch reads and changes. Each dialect fills it before the batch is judged and writes down what is marked as changed. */
export interface Ledger {
  number(slotId: string): NumberAccount;
  account(accountId: string): { use: AccountUse; changed: boolean };
  period(item: SpendItem): { quota: number; used: number; changed: boolean };
  health(item: AcceptItem): HealthAccount;
  /** What a number has to do with somebody; undefined: it never wrote to them, nor they to it. */
  acquaintance(slotId: string, person: string): Acquaintance | undefined;
  /** The earlier use of the item's idempotency key. */
  earlier(item: AcceptItem): EarlierUse | undefined;
  /** The same for an item that is accepted if there is none: a dialect may write the key down at once. */
  takeKey(item: AcceptItem): EarlierUse | undefined;
}

export interface NumberAccount {
  use: NumberUse;
  nextSeq: number;
  /** As `send_limits` has them. */
  newChats: string;
  changed: boolean;
}

/** How a number stands with the network, and what this batch adds. */
export interface HealthAccount {
  row: NumberHealthRow;
  /** With whom chats are begun, and when. */
  readonly begun: Map<string, number>;
  /** Those of hours that are long past, to be counted with their day. */
  readonly past: NewChatsInHour[];
  /** When sends were held back. */
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

/** Each number has keys of its own: whoever may use one of them must not use up those of its siblings. */
export function keyOf({ slotId, idempotencyKey }: Pick<AcceptItem, 'slotId' | 'idempotencyKey'>): string {
  return `${slotId} ${idempotencyKey}`;
}

export const KEY_KEPT_MS = IDEMPOTENCY_KEY_TTL_SECONDS * 1_000;

export function stillStands({ createdAt }: EarlierUse, { now }: SpendItem): boolean {
  return now - createdAt < KEY_KEPT_MS;
}

/** Judges the items one after the other: replay → pacing → limits → quota. A refused or replayed one leaves no trace in the ledger. */
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

export function spend(item: SpendItem, ledger: Ledger): SpendResult {
  return settle(item, ledger, weigh(item, ledger));
}

/** May it go, for the sake of the number and by all limits? Changes nothing. */
function weighSend(item: AcceptItem, ledger: Ledger, known: Acquaintance | undefined): SpendVerdict {
  const hold = heldBackBy(item, ledger, known);
  return hold
    ? { admitted: false, code: 'held_back', hold, retryAfterMs: hold.until - item.now }
    : weigh(item, ledger);
}

function heldBackBy(item: AcceptItem, ledger: Ledger, known: Acquaintance | undefined): Hold | undefined {
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

/** Notes whom the number has not written to before. */
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

/** May it go? Changes nothing. */
function weigh(item: SpendItem, ledger: Ledger): SpendVerdict {
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

/** Enters what was decided, and answers. */
function settle(item: SpendItem, ledger: Ledger, verdict: SpendVerdict): SpendResult {
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

function rateOf({ slotId, accountId, allowance, now }: SpendItem, ledger: Ledger): RateNotice {
  return rateNotice(ledger.number(slotId).use, ledger.account(accountId).use, allowance, now);
}
