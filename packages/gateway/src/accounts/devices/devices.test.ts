import { describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { changeAccount } from '../accounts.ts';
import { countSends, createHarness, newAccount, newNumber, newPhone, travelTo } from '../testing/harness.ts';
import { changeDevice, type DeviceChanges, getDevice, listDevices, registerDevice } from './devices.ts';

describeOnEachDatabase('a number', (test) => {
  const begin = () => createHarness(test);

  describe('and its period', () => {
    it('begins when it is registered and rolls by the month', async () => {
      const context = begin();
      travelTo(context.clock, '2026-01-31');
      const { device } = await newNumber(context, 'pro');
      expect(device).toMatchObject({
        plan: 'pro',
        status: 'active',
        activated_at: '2026-01-31T00:00:00.000Z',
        period_start: '2026-01-31T00:00:00.000Z',
        period_end: '2026-02-28T00:00:00.000Z',
        quota: 10_000,
        used: 0,
      });
      travelTo(context.clock, '2026-03-01');
      expect(await getDevice(context, device.slot_id)).toMatchObject({
        period_start: '2026-02-28T00:00:00.000Z',
        period_end: '2026-03-31T00:00:00.000Z',
        used: 0,
      });
    });

    it('counts what was sent in this period only', async () => {
      const context = begin();
      const { device } = await newNumber(context);
      await countSends(context, device.slot_id, 7);
      expect((await getDevice(context, device.slot_id)).used).toBe(7);
      travelTo(context.clock, '2026-02-01');
      expect((await getDevice(context, device.slot_id)).used).toBe(0);
    });

    it('begins anew with a new plan, at once, and what was used counts on', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      await countSends(context, device.slot_id, 9_999);
      travelTo(context.clock, '2026-01-20');
      const changed = await changeDevice(context, 'operator', device.slot_id, { plan: 'max' });
      expect(changed).toMatchObject({
        plan: 'max',
        activated_at: '2026-01-20T00:00:00.000Z',
        period_start: '2026-01-20T00:00:00.000Z',
        period_end: '2026-02-20T00:00:00.000Z',
        quota: 50_000,
        used: 9_999,
      });
      expect(await getDevice(context, device.slot_id)).toEqual(changed);
    });

    it('is not filled up by going to another plan and back, nor by a rest', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      const change = (changes: DeviceChanges) => changeDevice(context, 'operator', device.slot_id, changes);
      await countSends(context, device.slot_id, 9_000);
      travelTo(context.clock, '2026-01-10');
      await change({ plan: 'max' });
      travelTo(context.clock, '2026-01-11');
      await countSends(context, device.slot_id, 999);
      expect(await change({ plan: 'pro' })).toMatchObject({ quota: 10_000, used: 9_999 });
      travelTo(context.clock, '2026-01-12');
      await change({ status: 'inactive' });
      travelTo(context.clock, '2026-01-13');
      expect(await change({ status: 'active' })).toMatchObject({ used: 9_999 });
    });

    it('forgets what was used in a period that began a month ago or earlier', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      const change = (changes: DeviceChanges) => changeDevice(context, 'operator', device.slot_id, changes);
      await countSends(context, device.slot_id, 9_000);
      travelTo(context.clock, '2026-01-30');
      await change({ plan: 'max' });
      await countSends(context, device.slot_id, 5);
      travelTo(context.clock, '2026-02-20');
      expect(await change({ plan: 'pro' })).toMatchObject({ used: 5 });
      travelTo(context.clock, '2026-03-20');
      expect(await getDevice(context, device.slot_id)).toMatchObject({ used: 0 });
    });

    it('survives two changes of plan in one moment', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      await changeDevice(context, 'operator', device.slot_id, { plan: 'max' });
      const back = await changeDevice(context, 'operator', device.slot_id, { plan: 'pro' });
      expect(back).toMatchObject({ plan: 'pro', quota: 10_000, used: 0 });
    });

    it('does not exist while it is inactive, and begins anew when it is active again', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      travelTo(context.clock, '2026-01-10');
      const inactive = await changeDevice(context, 'operator', device.slot_id, { status: 'inactive' });
      expect(inactive).toMatchObject({
        status: 'inactive',
        activated_at: null,
        period_start: null,
        period_end: null,
        quota: 10_000,
        used: 0,
      });
      travelTo(context.clock, '2026-01-15');
      const active = await changeDevice(context, 'operator', device.slot_id, { status: 'active' });
      expect(active).toMatchObject({
        period_start: '2026-01-15T00:00:00.000Z',
        period_end: '2026-02-15T00:00:00.000Z',
      });
    });

    it('goes on, with its counter, while the number is suspended', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      await countSends(context, device.slot_id, 3);
      travelTo(context.clock, '2026-01-10');
      await changeDevice(context, 'operator', device.slot_id, { status: 'suspended' });
      const active = await changeDevice(context, 'operator', device.slot_id, { status: 'active' });
      expect(active).toEqual({ ...device, used: 3 });
    });

    it('begins later for a number that is registered inactive', async () => {
      const context = begin();
      const { account_id } = await newAccount(context);
      const given = { phone: newPhone(), plan: 'pro', status: 'inactive' } as const;
      const device = await registerDevice(context, 'operator', account_id, given);
      expect(device).toMatchObject({ status: 'inactive', activated_at: null, period_start: null });
      travelTo(context.clock, '2026-06-05');
      expect(await changeDevice(context, 'operator', device.slot_id, { status: 'active' })).toMatchObject({
        activated_at: '2026-06-05T00:00:00.000Z',
      });
    });
  });

  describe('of a partner', () => {
    const limits = (perPeriod: number) => ({ partner_limits: { per_minute: 100, per_period: perPeriod } });

    it('may send what was negotiated, also what is negotiated in the middle of a period', async () => {
      const context = begin();
      const { account, device } = await newNumber(context, 'partner');
      expect(device.quota).toBe(50_000);
      await countSends(context, device.slot_id, 5);
      travelTo(context.clock, '2026-01-15');
      await changeAccount(context, 'operator', account.account_id, limits(250_000));
      expect(await getDevice(context, device.slot_id)).toMatchObject({ quota: 250_000, used: 5 });
      travelTo(context.clock, '2026-02-15');
      expect(await getDevice(context, device.slot_id)).toMatchObject({ quota: 250_000, used: 0 });
    });

    it('leaves the account’s numbers on public plans, and other accounts, alone', async () => {
      const context = begin();
      const { account } = await newNumber(context, 'partner');
      const pro = await registerDevice(context, 'operator', account.account_id, {
        phone: newPhone(),
        plan: 'pro',
      });
      const stranger = await newNumber(context, 'partner');
      await changeAccount(context, 'operator', account.account_id, limits(7));
      expect((await getDevice(context, pro.slot_id)).quota).toBe(10_000);
      expect((await getDevice(context, stranger.device.slot_id)).quota).toBe(50_000);
    });

    it('cannot be promised more than any database can count', async () => {
      const context = begin();
      const { account } = await newNumber(context, 'partner');
      const change = changeAccount(context, 'operator', account.account_id, limits(1e300));
      await expect(change).rejects.toMatchObject({
        status: 400,
        message: 'partner_limits.per_period must be at most 1000000000',
      });
    });
  });

  describe('of a free account', () => {
    const another = (plan: 'free' | 'pro') => ({ phone: newPhone(), plan });

    it.each(['free', 'pro'] as const)('is its only one: no %s number comes beside it', async (plan) => {
      const context = begin();
      const { account } = await newNumber(context, 'free');
      const second = registerDevice(context, 'operator', account.account_id, another(plan));
      await expect(second).rejects.toMatchObject({ code: 'free_plan_holds_one_number' });
      expect((await listDevices(context, account.account_id)).items).toHaveLength(1);
    });

    it('does not come beside another number', async () => {
      const context = begin();
      const { account } = await newNumber(context, 'pro');
      const second = registerDevice(context, 'operator', account.account_id, another('free'));
      await expect(second).rejects.toMatchObject({ code: 'free_plan_holds_one_number' });
    });

    it('may go to a better plan, and back only while it is alone', async () => {
      const context = begin();
      const { account, device } = await newNumber(context, 'free');
      await changeDevice(context, 'operator', device.slot_id, { plan: 'pro' });
      await changeDevice(context, 'operator', device.slot_id, { plan: 'free' });
      await changeDevice(context, 'operator', device.slot_id, { plan: 'pro' });
      await registerDevice(context, 'operator', account.account_id, another('pro'));
      const back = changeDevice(context, 'operator', device.slot_id, { plan: 'free' });
      await expect(back).rejects.toMatchObject({ code: 'free_plan_holds_one_number' });
    });

    it('stays the only one when two are registered in the same moment', async () => {
      const context = begin();
      const { account_id } = await newAccount(context);
      const both = await Promise.allSettled(
        ['free', 'free'].map(() => registerDevice(context, 'operator', account_id, another('free'))),
      );
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await listDevices(context, account_id)).items).toHaveLength(1);
    });
  });

  it('belongs to one account alone, also when two claim it in the same moment', async () => {
    const context = begin();
    const accounts = await Promise.all([newAccount(context), newAccount(context)]);
    const given = { phone: newPhone(), plan: 'pro' } as const;
    const claims = await Promise.allSettled(
      accounts.map(({ account_id }) => registerDevice(context, 'operator', account_id, given)),
    );
    const refused = claims.filter((claim) => claim.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(['phone_taken']);
  });

  it('is not found under an id that does not exist', async () => {
    const context = begin();
    await expect(getDevice(context, 'slot_none')).rejects.toMatchObject({ code: 'device_not_found' });
    const change = changeDevice(context, 'operator', 'slot_none', { plan: 'pro' });
    await expect(change).rejects.toMatchObject({ code: 'device_not_found' });
    const given = { phone: newPhone(), plan: 'pro' } as const;
    const orphan = registerDevice(context, 'operator', 'acc_none', given);
    await expect(orphan).rejects.toMatchObject({ code: 'account_not_found' });
  });
});
