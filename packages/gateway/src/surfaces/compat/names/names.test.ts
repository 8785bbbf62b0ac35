import { beforeEach, expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import type { Caller, OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { createHarness, type TestHarness } from '#webhooks/testing';
import { createNames, type Names } from './names.ts';

interface Note {
  readonly note: string;
}

describeOnEachDatabase('names of numbers on a surface', runNameTests);

function runNameTests(testStore: { readonly store: Store }): void {
  let harness: TestHarness;
  let machineClock: ReturnType<typeof createSteppedClock>;
  let number: OwnedNumber;
  /** Two processes. */
  let here: Names<Note>;
  let there: Names<Note>;

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    machineClock = createSteppedClock();
    number = await harness.newNumber();
    here = createNames<Note>('elsewhere', { ...harness, machineClock });
    there = createNames<Note>('elsewhere', { ...harness, machineClock });
  });

  const callerOf = ({ accountId }: OwnedNumber, phone: string | null = null) =>
    ({ accountId, phone, permissions: null }) as Caller;
  const seen = async (names: Names<Note>) => (await names.lately.find(callerOf(number), 'shop'))?.remembered;

  test('come from memory, and are invalidated at once when another process changes them', async () => {
    expect(await seen(there)).toBeUndefined();
    expect(await here.give(number, 'shop', { note: 'first' })).toBe(true);
    expect([await seen(here), await seen(there)]).toEqual([{ note: 'first' }, { note: 'first' }]);
    const named = await here.find(callerOf(number), 'shop');
    if (!named) throw new Error('the name is gone');
    await here.remember(named, { note: 'second' });
    expect([await seen(here), await seen(there)]).toEqual([{ note: 'second' }, { note: 'second' }]);
    expect((await there.lately.ofNumber(number.slotId))?.remembered).toEqual({ note: 'second' });
    await here.drop(named);
    expect([await seen(here), await seen(there)]).toEqual([undefined, undefined]);
    expect(await there.lately.ofNumber(number.slotId)).toBeUndefined();
  });

  test('are read again after a minute when the notice of a change is lost', async () => {
    await here.give(number, 'shop', { note: 'first' });
    await seen(there);
    const mute = { ...harness, bus: { subscribe: harness.bus.subscribe, publish() {} }, machineClock };
    const alone = createNames<Note>('elsewhere', mute);
    const named = await alone.find(callerOf(number), 'shop');
    if (named) await alone.remember(named, { note: 'second' });
    expect(await seen(there)).toEqual({ note: 'first' });
    machineClock.advance(60_000);
    expect(await seen(there)).toEqual({ note: 'second' });
  });

  test('are refused to a key of another number, from memory or not', async () => {
    await here.give(number, 'shop', { note: 'first' });
    const restricted = callerOf(number, '15550009999');
    for (const { find } of [here, here.lately, here.lately])
      await expect(find(restricted, 'shop')).rejects.toMatchObject({ code: 'key_restricted' });
    const stranger = callerOf(await harness.newNumber());
    for (const { find } of [here, here.lately]) expect(await find(stranger, 'shop')).toBeUndefined();
  });

  test('change in one transaction with their other writes', async () => {
    await here.give(number, 'shop', { note: 'first' });
    const named = await here.ofNumber(number.slotId);
    const device = { ...(await harness.newNumber()), accountId: number.accountId };
    await here.give(device, 'taken', { note: 'of another' });
    expect(await here.give(number, 'taken', { note: 'second' }, named)).toBe(false);
    expect(await here.ofNumber(number.slotId)).toMatchObject({ name: 'shop', remembered: { note: 'first' } });
    expect(await here.give(number, 'store', { note: 'second' }, named)).toBe(true);
    expect(await here.ofNumber(number.slotId)).toMatchObject({ name: 'store' });
    expect(await seen(there)).toBeUndefined();
  });
}
