import { expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { createThroughput } from './throughput.ts';
import { countsSince } from './throughput-queries.ts';

const START = Date.UTC(2026, 0, 1, 10, 30, 20);
const HOUR_MS = 3_600_000;
const silent = { accepted() {}, sendTried() {}, received() {}, deliveryEnded() {} };

describeOnEachDatabase(
  'how much the gateway does',
  (test) => {
    it('is summed by minute and by hour, over all processes', async () => {
      const clock = createSteppedClock(START);
      const processes = [1, 2].map(() => createThroughput({ store: test.store, clock }));
      for (const each of processes) {
        const work = each.watch(silent);
        work.accepted('text');
        work.sendTried('sent', undefined, 1);
        work.sendTried('postponed', undefined, 1);
        work.received('message');
        work.received('receipt');
        work.deliveryEnded('delivered');
        work.deliveryEnded('dead');
        await each.flush();
      }
      clock.advance(60_000);
      const [first] = processes;
      first?.watch(silent).accepted('text');
      await first?.flush();
      await first?.flush();
      const minute = { span: 'minute', accepted: 2, sent: 2, received: 2, delivered: 2 };
      expect(await countsSince(test.store.read, 'minute', START - HOUR_MS)).toMatchObject([
        { ...minute, starts_at: START - 20_000 },
        { accepted: 1, sent: 0 },
      ]);
      expect(await countsSince(test.store.read, 'hour', START - HOUR_MS)).toMatchObject([
        { ...minute, span: 'hour', accepted: 3, starts_at: Date.UTC(2026, 0, 1, 10) },
      ]);
    });

    it('is kept for a day by minute and for a month by hour', async () => {
      const clock = createSteppedClock(START);
      const throughput = createThroughput({ store: test.store, clock });
      const work = throughput.watch(silent);
      for (let hours = 0; hours < 40 * 24; hours += 12) {
        work.accepted('text');
        await throughput.flush();
        clock.advance(12 * HOUR_MS);
      }
      expect((await countsSince(test.store.read, 'minute', 0)).length).toBeLessThanOrEqual(3);
      expect((await countsSince(test.store.read, 'hour', 0)).length).toBeLessThanOrEqual(65);
    });
  },
  'new for each test',
);
