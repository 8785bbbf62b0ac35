import type { Invoice } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { changeAccount, changeDevice } from '#accounts';
import { describeOnEachDatabase } from '#testing';
import { runInvoices } from './invoicing.ts';
import { listInvoices } from './issued-invoices.ts';
import { auditLog, countSends, createHarness, newNumber, travelTo } from './testing/harness.ts';

/** `2026-01-01 – 2026-02-01 pro 3/10000` */
function lines(invoices: Invoice[]): string[] {
  const day = (iso: string): string => iso.slice(0, 10);
  return invoices
    .map(
      ({ period_start, period_end, plan, used, quota }) =>
        `${day(period_start)} – ${day(period_end)} ${plan} ${used}/${quota}`,
    )
    .sort();
}

describeOnEachDatabase(
  'invoices',
  (test) => {
    const begin = () => createHarness(test);

    it('close each finished period once, with what was used in it', async () => {
      const context = begin();
      const { device, account } = await newNumber(context, 'pro');
      await countSends(context, device.slot_id, 3);
      travelTo(context.clock, '2026-02-10');
      const issued = await runInvoices(context, 'operator');
      expect(lines(issued)).toEqual(['2026-01-01 – 2026-02-01 pro 3/10000']);
      expect(issued[0]).toMatchObject({
        account_id: account.account_id,
        phone: device.phone,
        issued_at: '2026-02-10T00:00:00.000Z',
      });
      expect(await listInvoices(context)).toEqual(issued);
    });

    it('are the same however often they are run, and by however many at once', async () => {
      const context = begin();
      await newNumber(context, 'pro');
      await newNumber(context, 'max');
      travelTo(context.clock, '2026-03-10');
      const runs = await Promise.all([1, 2, 3].map(() => runInvoices(context, 'operator')));
      expect(runs.flat()).toHaveLength(4);
      expect(await runInvoices(context, 'operator')).toEqual([]);
      expect(await listInvoices(context)).toHaveLength(4);
    });

    it('count sends under each plan once, although they count on in the next', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      await countSends(context, device.slot_id, 30);
      travelTo(context.clock, '2026-01-20');
      await changeDevice(context, 'operator', device.slot_id, { plan: 'max' });
      await countSends(context, device.slot_id, 4);
      travelTo(context.clock, '2026-02-25');
      expect(lines(await runInvoices(context, 'operator'))).toEqual([
        '2026-01-01 – 2026-01-20 pro 30/10000',
        '2026-01-20 – 2026-02-20 max 4/50000',
      ]);
    });

    it('leave the running period open', async () => {
      const context = begin();
      await newNumber(context, 'pro');
      travelTo(context.clock, '2026-01-31');
      expect(await runInvoices(context, 'operator')).toEqual([]);
      travelTo(context.clock, '2026-02-01');
      expect(await runInvoices(context, 'operator')).toHaveLength(1);
    });

    describe('of silent periods', () => {
      it('are owed although nothing was sent', async () => {
        const context = begin();
        await newNumber(context, 'free');
        travelTo(context.clock, '2026-04-15');
        expect(lines(await runInvoices(context, 'operator'))).toEqual([
          '2026-01-01 – 2026-02-01 free 0/500',
          '2026-02-01 – 2026-03-01 free 0/500',
          '2026-03-01 – 2026-04-01 free 0/500',
        ]);
      });

      it('are owed also between two months that were not silent', async () => {
        const context = begin();
        const { device } = await newNumber(context, 'pro');
        await countSends(context, device.slot_id, 1);
        travelTo(context.clock, '2026-03-10');
        await changeDevice(context, 'operator', device.slot_id, { status: 'suspended' });
        await countSends(context, device.slot_id, 2);
        travelTo(context.clock, '2026-04-10');
        expect(lines(await runInvoices(context, 'operator'))).toEqual([
          '2026-01-01 – 2026-02-01 pro 1/10000',
          '2026-02-01 – 2026-03-01 pro 0/10000',
          '2026-03-01 – 2026-04-01 pro 2/10000',
        ]);
      });

      it('are owed on the plan that was in force, when it changed before invoices were run', async () => {
        const context = begin();
        const { device } = await newNumber(context, 'pro');
        travelTo(context.clock, '2026-03-10');
        await changeDevice(context, 'operator', device.slot_id, { plan: 'max' });
        travelTo(context.clock, '2026-04-10');
        expect(lines(await runInvoices(context, 'operator'))).toEqual([
          '2026-01-01 – 2026-02-01 pro 0/10000',
          '2026-02-01 – 2026-03-01 pro 0/10000',
          '2026-03-01 – 2026-03-10 pro 0/10000',
          '2026-03-10 – 2026-04-10 max 0/50000',
        ]);
      });

      it('carry the partner’s quota of their own time', async () => {
        const context = begin();
        const { account } = await newNumber(context, 'partner');
        travelTo(context.clock, '2026-02-10');
        const partner_limits = { per_minute: 60, per_period: 90_000 };
        await changeAccount(context, 'operator', account.account_id, { partner_limits });
        travelTo(context.clock, '2026-03-10');
        expect(lines(await runInvoices(context, 'operator'))).toEqual([
          '2026-01-01 – 2026-02-01 partner 0/50000',
          '2026-02-01 – 2026-03-01 partner 0/90000',
        ]);
      });
    });

    it('end with a number that goes out of service, and begin again with it', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      await countSends(context, device.slot_id, 4);
      travelTo(context.clock, '2026-01-10');
      await changeDevice(context, 'operator', device.slot_id, { status: 'inactive' });
      travelTo(context.clock, '2026-05-10');
      expect(lines(await runInvoices(context, 'operator'))).toEqual(['2026-01-01 – 2026-01-10 pro 4/10000']);
      await changeDevice(context, 'operator', device.slot_id, { status: 'active' });
      travelTo(context.clock, '2026-06-10');
      expect(lines(await runInvoices(context, 'operator'))).toEqual(['2026-05-10 – 2026-06-10 pro 0/10000']);
    });

    it('ask nothing for a period that was over in the moment it began', async () => {
      const context = begin();
      const { device } = await newNumber(context, 'pro');
      await changeDevice(context, 'operator', device.slot_id, { status: 'inactive' });
      travelTo(context.clock, '2026-06-10');
      expect(await runInvoices(context, 'operator')).toEqual([]);
    });

    it('can be run up to a moment in the past, and not into the future or to a day that never was', async () => {
      const context = begin();
      await newNumber(context, 'pro');
      travelTo(context.clock, '2026-04-10');
      const untilMarch = await runInvoices(context, 'operator', {
        until: Date.parse('2026-03-01T00:00:00Z'),
      });
      expect(lines(untilMarch)).toEqual([
        '2026-01-01 – 2026-02-01 pro 0/10000',
        '2026-02-01 – 2026-03-01 pro 0/10000',
      ]);
      for (const wrong of [context.clock.now() + 1, Number.NaN]) {
        await expect(runInvoices(context, 'operator', { until: wrong })).rejects.toMatchObject({
          status: 400,
        });
      }
      expect(await runInvoices(context, 'operator')).toHaveLength(1);
    });

    it('are in the audit log, each once', async () => {
      const context = begin();
      await newNumber(context, 'pro');
      travelTo(context.clock, '2026-03-10');
      const issued = await runInvoices(context, 'system');
      await runInvoices(context, 'system');
      const logged = (await auditLog(context.store)).filter(({ action }) => action === 'invoice.issued');
      expect(logged.map(({ subject }) => subject).sort()).toEqual(
        issued.map(({ invoice_id }) => invoice_id).sort(),
      );
    });
  },
  'new for each test',
);
