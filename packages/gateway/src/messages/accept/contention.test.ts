import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { useStore } from '#testing';
import {
  commandModules,
  drawOf,
  itemOf,
  limitsOf,
  messagesOf,
  newNumber,
  outboxOf,
  START,
  usedOf,
} from '../testing/rows.ts';
import type { AcceptItem } from './batch.ts';
import { acceptMessage, chargeQuota } from './write-commands.ts';

describe('two processes that accept at the same time', () => {
  const test = useStore('PostgreSQL', 'shared by all tests', commandModules);

  /** Gives the items to both in turns, all at once. */
  async function acceptBetween([one, other]: readonly [Store, Store], items: readonly AcceptItem[]) {
    return Promise.all(items.map((item, index) => (index % 2 === 0 ? one : other).run(acceptMessage, item)));
  }
  const bothStores = async () => [test.store, await test.openAgain()] as const;

  it('never admit more of a number than its limits allow', async () => {
    const stores = await bothStores();
    const number = await newNumber(test.store);
    for (let second = 0; second < 5; second++) {
      const now = START + second * 1_000;
      const items = Array.from({ length: 100 }, () => itemOf(number, { now }));
      const results = await acceptBetween(stores, items);
      expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(second === 0 ? 5 : 1);
    }
    expect(await usedOf(test.store, number)).toBe(9);
    expect((await outboxOf(test.store, number)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await limitsOf(test.store, number)).toMatchObject({ run_length: 9, next_seq: 10 });
  });

  it('never admit more of an account than its limits allow, although each serves other numbers of it', async () => {
    const stores = await bothStores();
    const first = await newNumber(test.store);
    const numbers = [first];
    while (numbers.length < 20) numbers.push(await newNumber(test.store, first));
    // Both are connected and the account's row exists, so that only its lock keeps them apart.
    await acceptBetween(stores, [itemOf(first), itemOf(first)]);
    const now = START + 60_000;
    const items = Array.from({ length: 5 }, () => numbers.map((number) => itemOf(number, { now }))).flat();
    const results = await acceptBetween(stores, items);
    expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(40);
  });

  it('never spend more of a budget than there is', async () => {
    const [one, other] = await bothStores();
    const number = await newNumber(test.store);
    for (const store of [one, other]) await store.run(chargeQuota, drawOf(number));
    const draw = drawOf(number, { now: START + 60_000 });
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).run(chargeQuota, draw)),
    );
    expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(5);
    expect(await usedOf(test.store, number)).toBe(7);
  });

  it('never go over the quota', async () => {
    const stores = await bothStores();
    const number = await newNumber(test.store);
    const period = { ...itemOf(number).period, quota: 3 };
    const results = await acceptBetween(
      stores,
      Array.from({ length: 60 }, () => itemOf(number, { period })),
    );
    expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(3);
    expect(await usedOf(test.store, number)).toBe(3);
  });

  it('send one message for one key, whichever process takes the request', async () => {
    const stores = await bothStores();
    const number = await newNumber(test.store);
    const first = itemOf(number);
    const copies = Array.from({ length: 60 }, () => ({ ...first, messageId: itemOf(number).messageId }));
    const results = await acceptBetween(stores, copies);
    expect(results.filter(({ kind }) => kind === 'admitted')).toHaveLength(1);
    const [message, ...more] = await messagesOf(test.store, number);
    expect(more).toEqual([]);
    expect(new Set(results.flatMap((result) => ('messageId' in result ? [result.messageId] : [])))).toEqual(
      new Set([message?.id]),
    );
  });

  it('never deadlock when their batches touch the same accounts and numbers in all orders', async () => {
    const stores = await bothStores();
    const random = createSeededRandom(7);
    const numbers: OwnedNumber[] = [];
    for (let account = 0; account < 4; account++) {
      const first = await newNumber(test.store);
      numbers.push(first, await newNumber(test.store, first), await newNumber(test.store, first));
    }
    for (let round = 0; round < 20; round++) {
      const items = Array.from({ length: 60 }, () => {
        const number = numbers[random.below(numbers.length)] ?? numbers[0];
        if (!number) throw new RangeError('no number');
        return itemOf(number, { now: START + round * 2_000 });
      });
      const results = await acceptBetween(stores, items);
      expect(results).toHaveLength(items.length);
    }
    for (const number of numbers) {
      const sent = (await messagesOf(test.store, number)).length;
      expect(sent).toBeGreaterThan(20);
      expect(await usedOf(test.store, number)).toBe(sent);
      expect(await limitsOf(test.store, number)).toMatchObject({ next_seq: sent + 1 });
    }
  });
});
