import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { eventsOf, outboxOf } from '../testing/rows.ts';
import { ada, type Sender, useStage } from '../testing/stage.ts';

describe('the outbox', () => {
  const stage = useStage();

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
      return stage.store.transaction((trx) =>
        sql`update ${table} set status = ${now} where ${key} = ${id}`.execute(trx),
      );
    };

    it('lets nothing of it leave, and goes on within a second when that is over', async () => {
      const [me, other] = [await stage.newSender(), await stage.newSender()];
      const [first, second] = [await me.text('first'), await me.text('second')];
      await become(me, status);
      stage.start();
      await stage.untilStatus(await other.text('other'), 'sent');
      for (let look = 0; look < 20; look++) {
        stage.clock.advance(1_000);
        await outboxOf(stage.store, me.number);
      }
      expect(stage.textsOn(ada)).toEqual(['other']);
      expect(await outboxOf(stage.store, me.number)).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);

      await become(me, 'active');
      stage.clock.advance(1_000);
      await stage.untilStatus(second, 'sent');
      expect(stage.textsOn(ada)).toEqual(['other', 'first', 'second']);
      expect((await eventsOf(stage.store, me.number)).map(({ message_id }) => message_id)).toEqual([
        first,
        second,
      ]);
    });

    it('stops between two messages of a queue that is being sent', async () => {
      const me = await stage.newSender();
      stage.world.faults.arm(me.device.sessionId, { kind: 'slow', count: 1, ms: 1_000 });
      const [first, second] = [await me.text('first'), await me.text('second')];
      stage.start();
      await vi.waitFor(() => expect(stage.textsOn(ada)).toEqual(['first']));
      await become(me, status);
      stage.clock.advance(1_000);
      await stage.untilStatus(first, 'sent');
      stage.clock.advance(10_000);
      for (let look = 0; look < 20; look++) await outboxOf(stage.store, me.number);
      expect(await outboxOf(stage.store, me.number)).toMatchObject([{ message_id: second }]);
      expect(stage.textsOn(ada)).toEqual(['first']);
    });

    it('fails what has waited for a day, and says why', async () => {
      const me = await stage.newSender();
      const old = await me.text('old');
      stage.clock.advance(86_400_000);
      const young = await me.text('young');
      await become(me, status);
      stage.start();
      await stage.untilStatus(old, 'failed');
      expect(await eventsOf(stage.store, me.number)).toMatchObject([
        {
          message_id: old,
          status: 'failed',
          reason: 'SEND_FAILED',
          detail: `It could not leave within 24 hours: ${why}.`,
        },
      ]);
      expect(await outboxOf(stage.store, me.number)).toMatchObject([{ message_id: young }]);
      expect(stage.textsOn(ada)).toEqual([]);
    });
  });
});
