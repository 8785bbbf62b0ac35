import { describe, expect, it } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import { itemOf, START } from '../testing/rows.ts';
import { type AcceptItem, acceptBatch, type EarlierUse } from './batch.ts';
import { createLedger } from './ledger.ts';

const ada: OwnedNumber = { slotId: 'slot_ada', accountId: 'acc_1', phone: '15550001001', plan: 'max' };
const ben: OwnedNumber = { slotId: 'slot_ben', accountId: 'acc_1', phone: '15550001002', plan: 'max' };

/** An empty ledger but for keys used before; counts how often each row is looked up. */
function emptyLedger(keys: Record<string, EarlierUse> = {}) {
  const lookups: string[] = [];
  const ledger = createLedger({
    sendLimits: (slotId) => void lookups.push(slotId),
    accountLimits: (accountId) => void lookups.push(accountId),
    period: (slotId) => void lookups.push(`period of ${slotId}`),
    health: () => undefined,
    acquaintance: () => undefined,
    earlier: ({ idempotencyKey }) => keys[idempotencyKey],
    takeKey: ({ idempotencyKey }) => keys[idempotencyKey],
  });
  return { ledger, lookups };
}

const kindsOf = (items: readonly AcceptItem[]) =>
  acceptBatch(items, emptyLedger().ledger).results.map(({ kind }) => kind);

describe('a batch of sends', () => {
  it('looks every row up once, however many of its sends touch it', () => {
    const { ledger, lookups } = emptyLedger();
    acceptBatch([itemOf(ada), itemOf(ben), itemOf(ada), itemOf(ben)], ledger);
    expect(lookups.sort()).toEqual([
      'acc_1',
      'period of slot_ada',
      'period of slot_ben',
      'slot_ada',
      'slot_ben',
    ]);
  });

  it('numbers the messages of each number separately, without gaps for refusals', () => {
    const items = [
      ...Array.from({ length: 6 }, () => itemOf(ada)),
      itemOf(ben),
      itemOf(ada, { now: START + 1_000 }),
    ];
    const { accepted } = acceptBatch(items, emptyLedger().ledger);
    expect(accepted.map(({ item, seq }) => [item.slotId, seq])).toEqual([
      ['slot_ada', 1],
      ['slot_ada', 2],
      ['slot_ada', 3],
      ['slot_ada', 4],
      ['slot_ada', 5],
      ['slot_ben', 1],
      ['slot_ada', 6],
    ]);
  });

  it('finds keys used earlier in the batch', () => {
    const first = itemOf(ada);
    const other = itemOf(ada, { idempotencyKey: first.idempotencyKey });
    expect(kindsOf([first, { ...first, messageId: 'copy' }, other])).toEqual([
      'admitted',
      'replayed',
      'reused',
    ]);
  });

  it('does not store the key of a refused send', () => {
    const full = Array.from({ length: 5 }, () => itemOf(ada));
    const refused = itemOf(ada);
    const elsewhere = itemOf(ben, { idempotencyKey: refused.idempotencyKey });
    expect(kindsOf([...full, refused, elsewhere]).slice(5)).toEqual(['refused', 'admitted']);
  });

  it('replays although the number may not send at the moment', () => {
    const full = Array.from({ length: 5 }, () => itemOf(ada));
    const [first] = full;
    expect(kindsOf([...full, itemOf(ada), ...(first ? [first] : [])]).slice(5)).toEqual([
      'refused',
      'replayed',
    ]);
  });

  it('marks nothing as changed when it accepts nothing', () => {
    const item = itemOf(ada);
    const { requestHash } = item;
    const earlier = { [item.idempotencyKey]: { requestHash, messageId: 'earlier', createdAt: START } };
    const { ledger } = emptyLedger(earlier);
    const broke = itemOf(ben, { period: { ...item.period, quota: 0 } });
    expect(acceptBatch([item, broke], ledger).accepted).toEqual([]);
    const rows = [...ledger.numbers.values(), ...ledger.accounts.values(), ...ledger.periods.values()];
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.some(({ changed }) => changed)).toBe(false);
  });
});
