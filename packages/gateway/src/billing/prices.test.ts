import { expect, it, vi } from 'vitest';
import { changeDevice } from '#accounts';
import { createSteppedClock } from '#kernel';
import type { Store, Writer } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { runInvoices, startInvoicing } from './invoicing.ts';
import { getInvoice, listInvoices, markPaid, reopen } from './issued-invoices.ts';
import { shareOf } from './prices.ts';
import { toCsv } from './routes.ts';
import { changeAccountBilling, changeBilling, getBilling } from './settings.ts';
import { auditLog, countSends, createHarness, newNumber, travelTo } from './testing/harness.ts';
import { previewPlan, readUsage } from './usage.ts';

const GENERAL = {
  currency: 'EUR',
  tax_percent: 19,
  prices: { pro: 1_900, max: 4_900 },
  seller: { name: 'Parley Hosting', address: '2 Pier Road\nPortsmouth', tax_id: 'GB1' },
  number_prefix: 'R-',
};

describeOnEachDatabase(
  'prices',
  (test) => {
    const begin = async () => {
      const context = createHarness(test);
      await changeBilling(context, 'operator', GENERAL);
      return context;
    };
    const sums = async (context: Awaited<ReturnType<typeof begin>>) =>
      (await listInvoices(context)).map(
        ({ number, currency, net, tax, total }) => `${number} ${currency} ${net}+${tax}=${total}`,
      );

    it('make invoices of net, tax and total, in a row of numbers without gaps', async () => {
      const context = await begin();
      await newNumber(context, 'pro');
      await newNumber(context, 'max');
      await newNumber(context, 'free');
      travelTo(context.clock, '2026-02-10');
      await Promise.all([runInvoices(context, 'system'), runInvoices(context, 'system')]);
      const issued = await listInvoices(context);
      expect(issued.map(({ number }) => number).sort()).toEqual(['R-00001', 'R-00002', null]);
      expect((await sums(context)).map((line) => line.replace(/^\S+ /, '')).sort()).toEqual([
        'EUR 1900+361=2261',
        'EUR 4900+931=5831',
        'null null+null=null',
      ]);
      const invoice = issued.find(({ plan }) => plan === 'pro');
      expect(invoice).toMatchObject({
        status: 'open',
        tax_percent: 19,
        due_at: '2026-02-24T00:00:00.000Z',
        seller: { name: 'Parley Hosting', tax_id: 'GB1' },
        buyer: { name: 'Ada', address: '' },
        lines: [{ description: expect.stringMatching(/^Plan Pro for \+1555\d+, 1 Jan 2026 – 1 Feb 2026$/) }],
      });
    });

    it('of an account come before the general ones; in another currency the general ones do not count', async () => {
      const context = await begin();
      const { account } = await newNumber(context, 'pro');
      const agree = (terms: object) => changeAccountBilling(context, 'operator', account.account_id, terms);
      await agree({ prices: { pro: 1_000 }, tax_percent: 0, buyer: { name: 'Ada Ltd', tax_id: 'DE2' } });
      travelTo(context.clock, '2026-02-10');
      await runInvoices(context, 'system');
      await agree({ currency: 'JPY', prices: { pro: null } });
      travelTo(context.clock, '2026-03-10');
      await runInvoices(context, 'system');
      await agree({ prices: { pro: 3_000 }, tax_percent: 7.7 });
      travelTo(context.clock, '2026-04-10');
      await runInvoices(context, 'system');
      expect(await sums(context)).toEqual([
        'R-00001 EUR 1000+0=1000',
        'null null null+null=null',
        'R-00002 JPY 3000+231=3231',
      ]);
      const [first] = await listInvoices(context);
      expect(first?.buyer).toMatchObject({ name: 'Ada Ltd', tax_id: 'DE2' });
    });

    it('that change hold from now on: what is over already is owed on those of before', async () => {
      const context = await begin();
      await newNumber(context, 'pro');
      travelTo(context.clock, '2026-02-10');
      await changeBilling(context, 'operator', { prices: { pro: 9_900 } });
      travelTo(context.clock, '2026-03-10');
      await runInvoices(context, 'system');
      expect(await sums(context)).toEqual(['R-00001 EUR 1900+361=2261', 'R-00002 EUR 9900+1881=11781']);
    });

    it('of a period that a change of plan has ended are asked by the days; what was used counts on', async () => {
      const context = await begin();
      const { device, account } = await newNumber(context, 'pro');
      await countSends(context, device.slot_id, 600);
      travelTo(context.clock, '2026-01-11');
      expect(await previewPlan(context, device.slot_id, 'free')).toMatchObject({
        current: { plan: 'pro', quota: 10_000, price: { total: 2_261 } },
        next: { plan: 'free', quota: 500, per_minute: 10, price: { total: null } },
        used: 600,
        period_end: '2026-02-11T00:00:00.000Z',
        closing: { net: shareOf(1_900, 10, 31) },
      });
      const changed = await changeDevice(context, 'operator', device.slot_id, { plan: 'max' });
      expect(changed.used).toBe(600);
      await runInvoices(context, 'system');
      expect(await listInvoices(context)).toMatchObject([
        { net: 613, used: 600, lines: [{ description: expect.stringContaining('until the plan changed') }] },
      ]);
      travelTo(context.clock, '2026-01-21');
      await countSends(context, device.slot_id, 1_000);
      expect((await readUsage(context, account.account_id)).numbers).toMatchObject([
        // 1,000 in 10 days go on for 21 more.
        { plan: 'max', used: 1_600, forecast_used: 3_700, quota_ends_at: null, price: { total: 5_831 } },
      ]);
      await countSends(context, device.slot_id, 40_000);
      const [full] = (await readUsage(context, account.account_id)).numbers;
      expect(full?.forecast_used).toBe(50_000);
      expect(full?.quota_ends_at?.slice(0, 10)).toBe('2026-01-23');
    });

    it('are counted on through a month that is shorter than the period: switching never fills up the quota', async () => {
      const context = await begin();
      travelTo(context.clock, '2026-01-31');
      const { device } = await newNumber(context, 'pro');
      travelTo(context.clock, '2026-02-28');
      await changeDevice(context, 'operator', device.slot_id, { status: 'suspended' });
      await countSends(context, device.slot_id, 700);
      travelTo(context.clock, '2026-03-30');
      context.clock.advance(3_600_000);
      for (const plan of ['max', 'pro'] as const) {
        const { used } = await changeDevice(context, 'operator', device.slot_id, { plan });
        expect(used).toBe(700);
        context.clock.advance(1);
      }
    });

    it('are refused when they cannot be, and nothing changes', async () => {
      const context = await begin();
      await newNumber(context, 'pro');
      travelTo(context.clock, '2026-02-10');
      await runInvoices(context, 'system');
      for (const [wrong, text] of [
        [{ currency: 'XYZ' }, 'currency must be a currency of ISO 4217 such as EUR'],
        [{ tax_percent: 1.23456 }, 'tax_percent must have at most 3 decimals'],
        [{ next_number: 1, prices: { pro: 1 } }, /^next_number cannot be changed once/],
      ] as const)
        await expect(changeBilling(context, 'operator', wrong)).rejects.toMatchObject({
          status: 400,
          message: text instanceof RegExp ? expect.stringMatching(text) : text,
        });
      expect(await getBilling(context)).toMatchObject({
        currency: 'EUR',
        prices: { pro: 1_900 },
        next_number: 2,
      });
    });

    it('an invoice that could not be written gives its number back', async () => {
      const context = await begin();
      await newNumber(context, 'pro');
      travelTo(context.clock, '2026-02-10');
      const full: Store = {
        ...context.store,
        transaction: <T>(work: (trx: Writer) => Promise<T>) =>
          context.store.transaction<T>(async (trx) => {
            await work(trx);
            throw new Error('disk full');
          }),
      };
      await expect(runInvoices({ ...context, store: full }, 'system')).rejects.toThrow('disk full');
      await runInvoices(context, 'system');
      expect((await listInvoices(context)).map(({ number }) => number)).toEqual(['R-00001']);
      expect(
        (await auditLog(context.store)).filter(({ action }) => action === 'invoice.issued'),
      ).toHaveLength(1);
    });

    it('are issued automatically, also after a time without any process, once by several processes', async () => {
      const context = await begin();
      await newNumber(context, 'pro');
      await newNumber(context, 'max');
      travelTo(context.clock, '2026-04-10');
      const machineClock = createSteppedClock();
      const log = { debug() {}, error: (details: object) => expect(details).toBeUndefined() };
      const elsewhere = { ...context, store: await test.openAgain() };
      const jobs = [context, elsewhere].map((each) => startInvoicing(each, { machineClock, log }));
      await vi.waitFor(async () => expect(await listInvoices(context)).toHaveLength(6));
      await Promise.all(jobs.map((job) => job.stop()));
      const numbers = (await listInvoices(context)).map(({ number }) => number).sort();
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6].map((n) => `R-0000${n}`));
    });

    it('are paid elsewhere: an invoice is marked, once, and can be opened again', async () => {
      const context = await begin();
      await newNumber(context, 'pro');
      await newNumber(context, 'free');
      travelTo(context.clock, '2026-02-10');
      await runInvoices(context, 'system');
      const [{ invoice_id: id } = { invoice_id: '' }] = await listInvoices(context, { status: 'open' });
      const [free] = await listInvoices(context, { status: 'no_charge' });
      const paid = await markPaid(context, 'operator', id, { reference: '=bank 7' });
      expect(paid).toMatchObject({ status: 'paid', payment_reference: '=bank 7' });
      context.clock.advance(1);
      expect(await markPaid(context, 'operator', id, {})).toEqual(paid);
      expect(await listInvoices(context, { status: 'open' })).toEqual([]);
      const [heading, row] = toCsv([paid]).split('\r\n');
      expect(heading).toMatch(/^number,invoice_id,account_id,buyer,/);
      // What a spreadsheet would take for a formula is shown.
      expect(row).toMatch(/^R-00001,inv_.*,EUR,19\.00,19,3\.61,22\.61,paid,.*,'=bank 7$/);
      expect(await reopen(context, 'operator', id)).toMatchObject({ status: 'open', paid_at: null });
      await expect(markPaid(context, 'operator', free?.invoice_id ?? '', {})).rejects.toMatchObject({
        status: 409,
      });
      await expect(markPaid(context, 'operator', 'inv_none', {})).rejects.toMatchObject({ status: 404 });
      await expect(getInvoice(context, id, 'acc_other')).rejects.toMatchObject({ status: 404 });
      const future = { paid_at: '2027-01-01T00:00:00Z' };
      await expect(markPaid(context, 'operator', id, future)).rejects.toMatchObject({ status: 400 });
    });
  },
  'new for each test',
);

it('shares are rounded half up, without errors of floating point', () => {
  expect(shareOf(1_000_000_000, 2_678_399_999, 2_678_400_000)).toBe(1_000_000_000);
  expect([shareOf(5, 1, 2), shareOf(4, 1, 8), shareOf(3, 1, 8)]).toEqual([3, 1, 0]);
});
