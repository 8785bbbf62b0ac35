import { type RawBuilder, sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { createIds, createSteppedClock, systemRandom } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { acceptMessage } from '../accept/write-commands.ts';
import { dropOldMessages, keepParts } from '../retention.ts';
import { addMessage, commandModules, itemOf, messagesOf, newNumber, quiet } from '../testing/rows.ts';
import { listParts, weeksFrom } from './partition-queries.ts';

const DAY = 86_400_000;
const KEPT = 90 * DAY;
/** A Wednesday. */
const START = Date.UTC(2026, 6, 1, 12);

it('a week begins on Monday, and the next where it ends', () => {
  const [first, second] = weeksFrom(START, 1);
  expect(first?.name).toBe('messages_20260629');
  expect(second?.name).toBe('messages_20260706');
  expect(first?.to).toBe(second?.from);
  expect(weeksFrom(Date.UTC(2026, 6, 5, 23, 59, 59, 999), 0)).toEqual([first]);
  expect(weeksFrom(Date.UTC(2026, 6, 6), 0)).toEqual([second]);
});

describeOnEachDatabase(
  'messages by weeks',
  (test, database) => {
    const isSqlite = database === 'SQLite';

    /** The partition of each message. */
    async function whereabouts(ids: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string; part: string }>`
        select id, tableoid::regclass::text as part from messages where id in (${sql.join(ids)})`.execute(
        test.store.read,
      );
      return ids.map((id) => rows.find((row) => row.id === id)?.part ?? 'nowhere');
    }
    const names = async (): Promise<string[]> => (await listParts(test.store)).map(({ name }) => name);
    const keep = (now: number): Promise<void> => keepParts(test.store, now, now - KEPT);

    it('are dropped a week at a time, and the coming weeks have parts', async () => {
      const { store } = test;
      if (store.dialect === 'sqlite') return expect(await keep(START)).toBeUndefined();
      const number = await newNumber(store);
      await keep(START);
      expect(await names()).toEqual([
        'messages_20260629',
        'messages_20260706',
        'messages_20260713',
        'messages_rest',
      ]);
      // At the borders of weeks, behind the last of them and before the first.
      const border = Date.UTC(2026, 6, 6);
      const at = [border - 1_000, border, Date.UTC(2026, 6, 19, 23, 59, 59), Date.UTC(2026, 6, 20), 0];
      const added = [];
      for (const time of at) added.push(await addMessage(store, number, time, 'read'));
      expect(await whereabouts(added)).toEqual([
        'messages_20260629',
        'messages_20260706',
        'messages_20260713',
        'messages_rest',
        'messages_rest',
      ]);
      await expect(keep(START)).resolves.toBeUndefined();
      // Rows that came too early stay where they are, and so does their week.
      await keep(START + 7 * DAY);
      expect(await names()).not.toContain('messages_20260720');
      await keep(START + 14 * DAY);
      expect(await names()).toContain('messages_20260727');

      // Six months, three weeks at a time.
      for (let now = START; now < START + 180 * DAY; now += 21 * DAY) await keep(now);
      const last = await names();
      expect(last.at(0)).toBe('messages_20260914');
      expect(last.filter((name) => name !== 'messages_rest')).toHaveLength(16);
      expect(await whereabouts(added)).toEqual([
        'nowhere',
        'nowhere',
        'nowhere',
        'messages_rest',
        'messages_rest',
      ]);
    });

    it.skipIf(isSqlite)('are read from one part by id, and from no older ones by time', async () => {
      const { store } = test;
      for (const now of [START, START + 21 * DAY]) await keep(now);
      const partsOf = async (query: RawBuilder<unknown>): Promise<string[]> => {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(store.read);
        const text = rows.map((row) => row['QUERY PLAN']).join('\n');
        return [...new Set(text.match(/(?<= on )messages_(?:\d+|rest)\b/g))].toSorted();
      };
      const [week, next] = weeksFrom(START, 1);
      const id = `${week?.from}0000000000`;
      expect(await partsOf(sql`select * from messages where id = ${id}`)).toEqual([week?.name]);
      expect(await partsOf(sql`select * from messages where id = any(${`{${id}}`}) for update`)).toEqual([
        week?.name,
      ]);
      expect(await partsOf(sql`select 1 from messages where slot_id = '1' and id >= ${next?.from}`)).toEqual(
        (await names()).filter((name) => name !== week?.name),
      );
    });

    it.skipIf(isSqlite)(
      'are kept until ninety days after their week, and longer while they wait to be sent',
      async () => {
        const { store } = test;
        const clock = createSteppedClock(START);
        const ids = createIds({ clock, random: systemRandom });
        const number = await newNumber(store);
        const looks = vi.spyOn(clock, 'sleep');
        const looked = (times: number) => vi.waitFor(() => expect(looks).toHaveBeenCalledTimes(times));
        const retention = dropOldMessages({ store, clock, log: quiet });
        await looked(1);
        const sent = await addMessage(store, number, clock.now(), 'read');
        const item = itemOf(number, { idempotencyKey: 'waits', messageId: ids.message(), now: clock.now() });
        await store.run(acceptMessage, item);
        const remaining = async () => (await messagesOf(store, number)).map(({ id }) => id).toSorted();
        const both = [sent, item.messageId].toSorted();

        // To the last moment of Sunday's ninetieth day.
        clock.advance(Date.UTC(2026, 6, 6) + KEPT - 1 - clock.now());
        await looked(2);
        expect(await remaining()).toEqual(both);
        clock.advance(60_000);
        await looked(3);
        expect(await remaining()).toEqual([item.messageId]);
        expect(await whereabouts([item.messageId])).toEqual(['messages_rest']);
        expect(await names()).not.toContain('messages_20260629');
        await retention.stop();
      },
    );

    it.skipIf(isSqlite)('are maintained by one of several processes', async () => {
      await Promise.all(Array.from({ length: 4 }, () => keep(START)));
      await keep(START);
      expect(await names()).toHaveLength(4);
      const later = START + 200 * DAY;
      await Promise.all(Array.from({ length: 4 }, () => keep(later)));
      await keep(later);
      const weeks = weeksFrom(later, 2).map(({ name }) => name);
      expect(await names()).toEqual([...weeks, 'messages_rest']);
    });
  },
  'new for each test',
  commandModules,
);
