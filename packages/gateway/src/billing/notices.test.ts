import { createHmac } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { createReceivers } from '#webhooks/testing';
import { runInvoices } from './invoicing.ts';
import { listInvoices, markPaid } from './issued-invoices.ts';
import { startNotices } from './notices.ts';
import { changeBilling, getBilling, removeWebhook, setWebhook } from './settings.ts';
import { createHarness, newNumber, travelTo } from './testing/harness.ts';

const URL = 'https://billing.example.com/parley';

describeOnEachDatabase(
  'the operator’s billing system',
  (test) => {
    async function begin() {
      const context = createHarness(test);
      await changeBilling(context, 'operator', { currency: 'EUR', prices: { pro: 1_900 } });
      const { secret } = await setWebhook(context, 'operator', URL);
      await newNumber(context, 'pro');
      await newNumber(context, 'free');
      travelTo(context.clock, '2026-02-10');
      const machineClock = createSteppedClock();
      const receivers = createReceivers(machineClock);
      const log = { debug() {}, error: vi.fn(), warn: vi.fn() };
      const start = (store = context.store) => {
        return startNotices({ ...context, store }, { egress: receivers, machineClock, log });
      };
      return { context, secret, machineClock, receivers, start, log };
    }

    it('receives every invoice with an amount due, once, signed like a webhook', async () => {
      const { context, secret, receivers, start, log } = await begin();
      await runInvoices(context, 'system');
      const jobs = [start(), start(await test.openAgain())];
      await vi.waitFor(async () => expect((await getBilling(context)).webhook).toMatchObject({ waiting: 0 }));
      await Promise.all(jobs.map((job) => job.stop()));
      expect(receivers.received).toHaveLength(1);
      const [{ headers, body, url } = { headers: {}, body: '', url: '' }] = receivers.received;
      expect(url).toBe(URL);
      expect(JSON.parse(body)).toMatchObject({
        type: 'invoice.issued',
        invoice: { number: '00001', total: 1_900 },
      });
      const sent: Record<string, string> = headers;
      const [, timestamp, signature] = /t=(\d+),v1=([0-9a-f]+)/.exec(Object.values(sent).join(' ')) ?? [];
      expect(signature).toBe(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
      expect(log.error).not.toHaveBeenCalled();
    });

    it('receives a notice again until it accepts it, across a restart, and payments as well', async () => {
      const { context, machineClock, receivers, start } = await begin();
      receivers.answer = () => 503;
      await runInvoices(context, 'system');
      const first = start();
      const expectQueue = (waiting: number, last_error: string | null) =>
        vi.waitFor(async () => {
          machineClock.advance(20_000);
          expect((await getBilling(context)).webhook).toEqual({ url: URL, waiting, last_error });
        });
      await expectQueue(1, 'answered 503');
      await first.stop();
      receivers.answer = () => 204;
      const second = start();
      await expectQueue(0, null);
      const [{ invoice_id } = { invoice_id: '' }] = await listInvoices(context, { status: 'open' });
      await markPaid(context, 'operator', invoice_id, { reference: 'bank' });
      await expectQueue(0, null);
      await vi.waitFor(() => {
        machineClock.advance(20_000);
        expect(JSON.parse(receivers.received.at(-1)?.body ?? '{}').type).toBe('invoice.paid');
      });
      await second.stop();
    });

    it('receives no second notice from a process that stalled before it leased the notice', async () => {
      const { context, receivers, start } = await begin();
      receivers.answer = () => 503;
      await runInvoices(context, 'system');
      const store = await test.openAgain();
      const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const claims: unknown[] = [];
      const frozen = start({
        ...store,
        async transaction(work) {
          reached.resolve();
          await release.promise;
          const result = await store.transaction(work);
          claims.push(result);
          return result;
        },
      });
      await reached.promise;
      const other = start();
      await vi.waitFor(async () =>
        expect((await getBilling(context)).webhook).toMatchObject({ last_error: 'answered 503' }),
      );
      await other.stop();
      release.resolve();
      await vi.waitFor(() => expect(claims).toEqual([false]));
      await frozen.stop();
      expect(receivers.received).toHaveLength(1);
    });

    it('can be removed, with its queued notices; a wrong address is refused', async () => {
      const { context } = await begin();
      await runInvoices(context, 'system');
      expect((await getBilling(context)).webhook).toMatchObject({ waiting: 1 });
      await removeWebhook(context, 'operator');
      expect((await getBilling(context)).webhook).toBeNull();
      const strict = { ...context, urlRules: { httpsOnly: true, publicOnly: true } };
      for (const wrong of ['http://billing.example.com/', 'https://127.0.0.1/'])
        await expect(setWebhook(strict, 'operator', wrong)).rejects.toMatchObject({ status: 400 });
    });
  },
  'new for each test',
);
