import { expect, it } from 'vitest';
import { noteHealth, readHealth, writeInbound } from '#health';
import type { OwnedNumber } from '#platform/http';
import type { NumberHealthRow } from '#platform/store';
import { describeOnEachDatabase, untilLockWaiter } from '#testing';
import { settlementOf } from '../outbox/outcome.ts';
import { settleMessage } from '../outbox/write-commands.ts';
import {
  commandModules,
  eventLogOf,
  eventsOf,
  itemOf,
  linkNumber,
  newNumber,
  outboxOf,
  START,
  sessionIdOf,
} from '../testing/rows.ts';
import type { AcceptItem, AcceptResult } from './batch.ts';
import { acceptMessage } from './write-commands.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const jid = (index: number): string => `1555000${String(index).padStart(4, '0')}@s.whatsapp.net`;

describeOnEachDatabase(
  'pacing',
  (test) => {
    /** A number whose sends are only held back by pacing. */
    async function linked() {
      const number = await newNumber(test.store);
      await linkNumber(test.store, number);
      await note(number, {
        kind: 'connected',
        linkId: `link of ${number.slotId}`,
        sessionId: sessionIdOf(number),
      });
      return number;
    }

    /** Twenty seconds apart, below every rate. */
    let clock = START;
    async function send(number: OwnedNumber, to: string, changes: Partial<AcceptItem> = {}) {
      clock += 20_000;
      const item = itemOf(number, { to, now: clock, ...changes });
      return { item, result: await test.store.run(acceptMessage, item) };
    }

    const outcomeOf = ({ result }: { result: AcceptResult }): string =>
      result.kind === 'refused' && result.code === 'held_back' ? result.hold.reason : result.kind;

    async function end({ item }: { item: AcceptItem }, code?: number): Promise<void> {
      const queue = await outboxOf(test.store, { ...item, phone: '', plan: 'max' });
      const settlement = settlementOf({
        fence: 1,
        head: {
          slot_id: item.slotId,
          seq: queue.find(({ message_id }) => message_id === item.messageId)?.seq ?? 0,
          message_id: item.messageId,
          account_id: item.accountId,
          request_id: item.idempotencyKey,
          to_jid: item.to,
          session_id: item.sessionId,
        },
        outcome:
          code === undefined ? { kind: 'sent' } : { kind: 'failed', reason: 'SEND_FAILED', detail: '', code },
        now: item.now,
        prepare: eventLogOf(test.store).prepare,
      });
      expect(await test.store.run(settleMessage, settlement)).toBe(true);
    }

    const note = ({ accountId, slotId, ...number }: OwnedNumber, ...signals: Parameters<typeof noteOf>[1]) =>
      test.store.run(noteHealth, noteOf({ accountId, slotId, ...number }, signals));
    function noteOf(
      number: OwnedNumber,
      signals: Parameters<typeof noteHealth.postgres>[1][number]['signals'],
    ) {
      const { accountId, slotId } = number;
      return { accountId, slotId, sessionId: sessionIdOf(number), at: clock, fence: null, signals };
    }

    const answered = (number: OwnedNumber, person: string, isOwn = false) =>
      test.store.run(writeInbound, {
        events: [],
        kept: [],
        inbound: [
          {
            accountId: number.accountId,
            slotId: number.slotId,
            sessionId: '',
            people: [person],
            isOwn,
            at: clock,
          },
        ],
      });

    /** Another process records an answer that is still uncommitted when the message ends. */
    async function meanwhileAnswered(
      number: OwnedNumber,
      person: string,
      ending: () => Promise<void>,
    ): Promise<void> {
      // SQLite has one writer.
      if (test.store.dialect === 'sqlite') return answered(number, person).then(ending);
      const elsewhere = await test.openAgain();
      let ended: Promise<void> | undefined;
      await elsewhere.transaction(async (trx) => {
        const known = trx.updateTable('known_people').set({ answered_at: clock });
        await known.where('slot_id', '=', number.slotId).where('person', '=', person).execute();
        ended = ending();
        await untilLockWaiter(elsewhere);
      });
      await ended;
    }

    /** Counts of the number over all days. */
    async function countsOf(number: OwnedNumber): Promise<Record<string, number>> {
      const context = { store: test.store, clock: { now: () => clock }, defaults: { dailyNewChats: 0 } };
      const counts: Record<string, number> = {};
      for (const { day: _, ...ofDay } of (await readHealth(context, number)).days)
        for (const [name, count] of Object.entries(ofDay))
          if (count > 0) counts[name] = (counts[name] ?? 0) + count;
      return counts;
    }

    const healthOf = ({ slotId }: OwnedNumber): Promise<NumberHealthRow | undefined> =>
      test.store.read
        .selectFrom('number_health')
        .selectAll()
        .where('slot_id', '=', slotId)
        .executeTakeFirst();

    it('counts new chats, and the people who are reached and who answer', async () => {
      const number = await linked();
      const first = await send(number, jid(1));
      const again = await send(number, jid(1));
      const second = await send(number, jid(2));
      await send(number, '120363041234567890@g.us');
      for (const each of [first, again, second]) await end(each);
      await answered(number, jid(1));
      await answered(number, jid(1));
      // A person who writes first does not answer.
      await answered(number, jid(3));
      expect(outcomeOf(await send(number, jid(3)))).toBe('admitted');
      expect(await countsOf(number)).toEqual({ sent: 3, new_chats: 2, replies: 1 });
      expect(await healthOf(number)).toMatchObject({ state: 'healthy', inbound_at: expect.any(Number) });
    });

    it('counts each new chat once, also after its day', async () => {
      const number = await linked();
      for (const index of [1, 2]) await send(number, jid(index));
      clock += 26 * HOUR;
      await send(number, jid(3));
      clock += 30 * HOUR;
      for (const index of [4, 5]) await send(number, jid(index));
      expect(await countsOf(number)).toEqual({ new_chats: 5 });
    });

    it('holds back new chats while the network has locked them, and lets known chats go on', async () => {
      const number = await linked();
      const [reached, waiting] = [await send(number, jid(1)), await send(number, jid(2))];
      await end(reached);
      await answered(number, jid(3));
      await answered(number, jid(5), true);
      const endsAt = clock + HOUR;
      await note(number, { kind: 'reachout_lock', active: true, type: 'RESTRICT_ALL_COMPANIONS', endsAt });
      expect(outcomeOf(await send(number, jid(1)))).toBe('admitted');
      expect(outcomeOf(await send(number, jid(3)))).toBe('admitted');
      // The owner has a chat with them on the phone.
      expect(outcomeOf(await send(number, jid(5)))).toBe('admitted');
      const held = await send(number, jid(4));
      expect(held.result).toMatchObject({
        kind: 'refused',
        code: 'held_back',
        retryAfterMs: endsAt - held.item.now,
        hold: { reason: 'reachout_timelock', until: endsAt },
      });
      // A message that was once queued for a person does not make them known.
      expect(outcomeOf(await send(number, waiting.item.to))).toBe('reachout_timelock');
      expect(await countsOf(number)).toEqual({ sent: 1, new_chats: 2, held_back: 2 });
      expect(outcomeOf(await send(number, jid(4), { now: endsAt }))).toBe('admitted');
    });

    it('charges nothing for sends it holds back, and answers a replay as before', async () => {
      const number = await linked();
      const first = await send(number, jid(1));
      await note(number, { kind: 'reachout_lock', active: true, endsAt: clock + HOUR });
      const held = await send(number, jid(2));
      expect(outcomeOf(held)).toBe('reachout_timelock');
      expect((await test.store.run(acceptMessage, first.item)).kind).toBe('replayed');
      await note(number, { kind: 'reachout_lock', active: false });
      expect((await test.store.run(acceptMessage, held.item)).kind).toBe('admitted');
      expect(await outboxOf(test.store, number)).toHaveLength(2);
    });

    it('keeps to the quota announced by the network, by its own count', async () => {
      const number = await linked();
      const ends = clock + DAY;
      await note(number, { kind: 'new_chat_cap', quota: 5, used: 3, cycleEndsAt: ends, warning: 'none' });
      const outcomes = [];
      for (const index of [1, 2, 2, 3]) outcomes.push(outcomeOf(await send(number, jid(index))));
      expect(outcomes).toEqual(['admitted', 'admitted', 'admitted', 'new_chat_cap']);
      expect(await healthOf(number)).toMatchObject({ quota_used: 3, quota_spent: 2 });
      // The network has counted the first; the second is still queued.
      const counted = {
        kind: 'new_chat_cap',
        quota: 5,
        used: 4,
        cycleEndsAt: ends,
        warning: 'none',
      } as const;
      await note(number, counted);
      expect(await healthOf(number)).toMatchObject({ quota_used: 4, quota_spent: 1 });
      expect(outcomeOf(await send(number, jid(3)))).toBe('new_chat_cap');
      // A repetition without change does not count the second.
      await note(number, counted);
      expect(await healthOf(number)).toMatchObject({ quota_used: 4, quota_spent: 0 });
      expect(outcomeOf(await send(number, jid(3)))).toBe('admitted');
    });

    it('pauses after repeated refusals of new chats, and forgets people who were not reached', async () => {
      const number = await linked();
      await end(await send(number, jid(9)));
      for (const index of [1, 2, 3]) {
        const sent = await send(number, jid(index));
        expect(outcomeOf(sent)).toBe('admitted');
        await end(sent, 463);
      }
      await end(await send(number, jid(9)), 463);
      await end(await send(number, jid(9)), 479);
      expect(outcomeOf(await send(number, jid(1)))).toBe('refused_new_chats');
      expect(outcomeOf(await send(number, jid(9)))).toBe('admitted');
      expect(await countsOf(number)).toEqual({
        sent: 1,
        new_chats: 4,
        refused_463_unknown: 3,
        refused_463_known: 1,
        refused_479: 1,
        held_back: 1,
      });
      const published = (await eventsOf(test.store, number)).filter(({ kind }) => kind === 'health');
      expect(published).toMatchObject([{ previous_state: 'healthy', state: 'watch' }]);
    });

    it('forgets people not reached for this number only, and keeps those who answer at that moment', async () => {
      const [number, another] = [await linked(), await linked()];
      const knownTo = async ({ slotId }: OwnedNumber) => {
        const rows = test.store.read
          .selectFrom('known_people')
          .select('person')
          .where('slot_id', '=', slotId);
        return (await rows.orderBy('person').execute()).map(({ person }) => person);
      };
      await send(another, jid(1));
      await send(number, jid(2));
      await end(await send(number, jid(1)), 463);
      expect(await knownTo(number)).toEqual([jid(2)]);
      expect(await knownTo(another)).toEqual([jid(1)]);

      const refused = await send(number, jid(3));
      await meanwhileAnswered(number, jid(3), () => end(refused, 463));
      expect(await knownTo(number)).toEqual([jid(2), jid(3)]);
    });

    it('keeps to a budget within one batch and across batches', async () => {
      const number = await linked();
      const all = Array.from({ length: 4 }, (_, index) =>
        test.store.run(acceptMessage, itemOf(number, { to: jid(index), now: clock, dailyNewChats: 30 })),
      );
      // Of the full 30, the first of fifteen days has two.
      expect((await Promise.all(all)).map((result) => outcomeOf({ result }))).toEqual([
        'admitted',
        'admitted',
        'new_chat_budget',
        'new_chat_budget',
      ]);
      expect(outcomeOf(await send(number, jid(5), { dailyNewChats: 30 }))).toBe('new_chat_budget');
      expect(outcomeOf(await send(number, jid(5), { dailyNewChats: 0 }))).toBe('admitted');
      expect(await countsOf(number)).toEqual({ new_chats: 3, held_back: 3 });
    });
  },
  'shared by all tests',
  commandModules,
);
