import { currentPeriod, type SendingTerms } from '#accounts';
import { wordsFor } from '#health';
import type { OwnedNumber, Soon } from '#http';
import { type Clock, Fault, fault } from '#kernel';
import type { Store } from '#store';
import { usedBy } from '../store.ts';
import type { SpendItem, SpendResult } from './batch.ts';
import { type RateNotice, rateNotice } from './limits.ts';
import { spendBudget } from './write-commands.ts';

/** Knows on what terms numbers may send; the directory of accounts does. */
export interface TermsOfNumbers {
  sendingTerms(number: OwnedNumber): Soon<SendingTerms | undefined>;
}

/** Draws on the budget that every kind of send of a number shares. */
export interface SendBudget {
  /** Spends one message; rejects with the fault that the caller should see, and spends nothing then. */
  spend(number: OwnedNumber): Promise<RateNotice>;
}

export function createSendBudget({
  store,
  clock,
  terms,
}: {
  store: Pick<Store, 'run'>;
  clock: Pick<Clock, 'now'>;
  terms: TermsOfNumbers;
}): SendBudget {
  return {
    async spend(number) {
      const draw = await drawOn(number, terms, clock.now());
      if (draw instanceof Fault) throw draw;
      const result = await store.run(spendBudget, draw);
      if (result.kind === 'refused') throw refusal(result);
      return result.rate;
    },
  };
}

/** What a send of this number draws on, or why the number may not send at all. */
export async function drawOn(
  number: OwnedNumber,
  directory: TermsOfNumbers,
  now: number,
): Promise<SpendItem | Fault> {
  const terms = await directory.sendingTerms(number);
  const period = terms && currentPeriod(terms, now);
  if (!period || terms.status !== 'active') return fault('device_not_active');
  return {
    accountId: number.accountId,
    slotId: number.slotId,
    allowance: { sendsPerMinute: terms.sendsPerMinute },
    period: { ...period, plan: terms.plan, quota: terms.sendsPerPeriod },
    now,
  };
}

/** How much is left, for an answer that did not ask the budget itself; undefined when the number is gone. */
export async function readRate(
  { store, clock, terms }: { store: Store; clock: Pick<Clock, 'now'>; terms: TermsOfNumbers },
  number: OwnedNumber,
): Promise<RateNotice | undefined> {
  const allowance = await terms.sendingTerms(number);
  if (!allowance) return undefined;
  const { ofNumber, ofAccount } = await usedBy(store, number);
  return rateNotice(ofNumber, ofAccount, allowance, clock.now());
}

export function refusal(refused: Extract<SpendResult, { kind: 'refused' }>): Fault {
  if (refused.code === 'quota_exhausted') return fault(refused.code);
  const retryAfterSeconds = refused.retryAfterMs / 1_000;
  if (refused.code === 'held_back') {
    return fault(refused.code, { why: wordsFor(refused.hold), retryAfterSeconds });
  }
  return fault(refused.code, { retryAfterSeconds });
}
