import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { ada, type Sender, useTestHarness } from '../testing/harness.ts';
import { eventsOf, outboxOf } from '../testing/rows.ts';

describe('the outbox', () => {
  const harness = useTestHarness();

  describe.each([
    ['account', 'suspended', 'the account is suspended'],
    ['number', 'suspended', 'the number is suspended'],
    ['number', 'inactive', 'the number is inactive'],
  ] as const)('while the %s is %s', (what, status, why) => {
    const table = sql.table(what === 'account' ? 'accounts' : 'devices');
    const become = ({ number }: Sender, now: typeof status | 'active') => {
      const [key, id] =
        what === 'account'
          ? ([sql.ref('id'), number.accountId] as const)
          : ([sql.ref('slot_id'), number.slotId] as const);
      return harness.store.transaction((trx) =>
        sql`update ${table} set status = ${now} where ${key} = ${id}`.execute(trx),
      );
    };

    it('sends nothing of it, and continues within a second after its end', async () => {
      const [me, other] = [await harness.newSender(), await harness.newSender()];
      const [first, second] = [await me.text('first'), await me.text('second')];
      await become(me, status);
      harness.start();
      await harness.untilStatus(await other.text('other'), 'sent');
      for (let look = 0; look < 20; look++) {
        harness.clock.advance(1_000);
        await outboxOf(harness.store, me.number);
      }
      expect(harness.textsOn(ada)).toEqual(['other']);
      expect(await outboxOf(harness.store, me.number)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);

      await become(me, 'active');
      harness.clock.advance(1_000);
      await harness.untilStatus(second, 'sent');
      expect(harness.textsOn(ada)).toEqual(['other', 'first', 'second']);
      expect((await eventsOf(harness.store, me.number)).map(({ message_id }) => message_id)).toEqual([
        first,
        second,
      ]);
    });

    it('stops between two messages of a queue', async () => {
      const me = await harness.newSender();
      harness.world.faults.arm(me.device.sessionId, { kind: 'slow', count: 1, ms: 1_000 });
      const [first, second] = [await me.text('first'), await me.text('second')];
      harness.start();
      await vi.waitFor(() => expect(harness.textsOn(ada)).toEqual(['first']));
      await become(me, status);
      harness.clock.advance(1_000);
      await harness.untilStatus(first, 'sent');
      harness.clock.advance(10_000);
      for (let look = 0; look < 20; look++) await outboxOf(harness.store, me.number);
      expect(await outboxOf(harness.store, me.number)).toMatchObject([{ message_id: second }]);
      expect(harness.textsOn(ada)).toEqual(['first']);
    });

    it('fails messages after a day, with the reason', async () => {
      const me = await harness.newSender();
      const old = await me.text('old');
      harness.clock.advance(86_400_000);
      const young = await me.text('young');
      await become(me, status);
      harness.start();
      await harness.untilStatus(old, 'failed');
      expect(await eventsOf(harness.store, me.number)).toMatchObject([
        {
          message_id: old,
          status: 'failed',
          reason: 'SEND_FAILED',
          detail: `It could not leave within 24 hours: ${why}.`,
        },
      ]);
      expect(await outboxOf(harness.store, me.number)).toMatchObject([{ message_id: young }]);
      expect(harness.textsOn(ada)).toEqual([]);
    });
  });
});
