import { currentPeriod, type SendingTerms } from '#accounts';
import { describeHold } from '#health';
import { ApiError, apiError, type Clock } from '#kernel';
import type { MaybePromise, OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { usedBy } from '../message-queries.ts';
import type { ChargeResult, QuotaCharge } from './batch.ts';
import { type RateNotice, rateNotice } from './limits.ts';
import { chargeQuota } from './write-commands.ts';

/** Sending terms of numbers, as the directory of accounts has them. */
export interface TermsOfNumbers {
  sendingTerms(number: OwnedNumber): MaybePromise<SendingTerms | undefined>;
}

/** The budget that all kinds of sends of a number share. */
export interface SendBudget {
  /** Charges one message; rejects with an `ApiError` for the caller, and charges nothing then. */
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
      const draw = await chargeFor(number, terms, clock.now());
      if (draw instanceof ApiError) throw draw;
      const result = await store.run(chargeQuota, draw);
      if (result.kind === 'refused') throw refusal(result);
      return result.rate;
    },
  };
}

/** The charge for a send of this number, or why the number may not send at all. */
export async function chargeFor(
  number: OwnedNumber,
  directory: TermsOfNumbers,
  now: number,
): Promise<QuotaCharge | ApiError> {
  const terms = await directory.sendingTerms(number);
  const period = terms && currentPeriod(terms, now);
  if (!period || terms.status !== 'active') return apiError('device_not_active');
  return {
    accountId: number.accountId,
    slotId: number.slotId,
    allowance: { sendsPerMinute: terms.sendsPerMinute },
    period: { ...period, plan: terms.plan, quota: terms.sendsPerPeriod },
    now,
  };
}

/** Remaining rate for an answer that did not charge the budget; undefined when the number is gone. */
export async function readRate(
  { store, clock, terms }: { store: Store; clock: Pick<Clock, 'now'>; terms: TermsOfNumbers },
  number: OwnedNumber,
): Promise<RateNotice | undefined> {
  const allowance = await terms.sendingTerms(number);
  if (!allowance) return undefined;
  const { ofNumber, ofAccount } = await usedBy(store, number);
  return rateNotice(ofNumber, ofAccount, allowance, clock.now());
}

export function refusal(refused: Extract<ChargeResult, { kind: 'refused' }>): ApiError {
  if (refused.code === 'quota_exhausted') return apiError(refused.code);
  const retryAfterSeconds = refused.retryAfterMs / 1_000;
  if (refused.code === 'held_back') {
    return apiError(refused.code, { why: describeHold(refused.hold), retryAfterSeconds });
  }
  return apiError(refused.code, { retryAfterSeconds });
}
