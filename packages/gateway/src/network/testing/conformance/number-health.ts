import { describe, expect, it } from 'vitest';
import type { NumberHealthChange } from '../../port.ts';
import { failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

const HOUR_S = 3_600;
const MINUTE_MS = 60_000;
/** A type that the library does not know. */
const TYPE = 'RESTRICT_ALL_COMPANIONS';

/** Reports of a driver about how the network treats a number. */
export function describeStanding(createHarness: CreateHarness): void {
  describe('the health of a number', () => {
    const stage = useStage(createHarness);

    const changesOf = <Kind extends NumberHealthChange['kind']>(
      { witness }: OpenNumber,
      kind: Kind,
    ): Extract<NumberHealthChange, { kind: Kind }>[] =>
      witness.standing.filter(
        (news): news is Extract<NumberHealthChange, { kind: Kind }> => news.kind === kind,
      );

    const untilReported = (number: OpenNumber, news: NumberHealthChange): Promise<void> =>
      stage.eventually(() => expect(number.witness.standing).toContainEqual(news));

    /** The end as the network reports it: in whole seconds. */
    const lockOf = ({ phone }: TestContact): NumberHealthChange => {
      const { endsAt = 0, type = '' } = stage.world.standing.lockOf(phone) ?? {};
      return { kind: 'reachout_lock', active: true, type, endsAt: Math.floor(endsAt / 1_000) * 1_000 };
    };

    const restrict = (number: TestContact, seconds = HOUR_S): void =>
      stage.world.standing.restrict(number.phone, { type: TYPE, seconds });

    const text = (number: OpenNumber, to: TestContact): Promise<void> =>
      number.session.send({
        messageId: stage.newMessageId(),
        to: to.jid,
        content: { kind: 'text', text: 'hello' },
      });

    const writesTo = (author: TestContact, to: TestContact): void => {
      const content = { type: 'text', text: 'hi' } as const;
      stage.world.messages.send(author.actor, { id: stage.newMessageId(), to: to.phone, content });
    };

    it('is reported with each connection', async () => {
      const me = await stage.online();
      await untilReported(me, { kind: 'reachout_lock', active: false });
      expect(changesOf(me, 'new_chat_cap')).toEqual([]);
      await me.session.close();
      restrict(me);
      stage.world.standing.cap(me.phone, { quota: 50, used: 40, cycleSeconds: HOUR_S });
      const again = stage.open(me);
      await untilReported(again, lockOf(me));
      const { cycleEndsAt = 0 } = stage.world.standing.capOf(me.phone) ?? {};
      await untilReported(again, {
        kind: 'new_chat_cap',
        quota: 50,
        used: 40,
        cycleEndsAt: Math.floor(cycleEndsAt / 1_000) * 1_000,
        warning: 'first',
      });
    });

    it('is reported when it changes, whatever type the network uses', async () => {
      const me = await stage.online();
      await untilReported(me, { kind: 'reachout_lock', active: false });
      restrict(me);
      await untilReported(me, lockOf(me));
      restrict(me, 0);
      await stage.eventually(() =>
        expect(changesOf(me, 'reachout_lock').map(({ active }) => active)).toEqual([false, true, false]),
      );
      stage.world.standing.cap(me.phone, { quota: 10, used: 10, cycleSeconds: HOUR_S });
      await stage.eventually(() =>
        expect(changesOf(me, 'new_chat_cap')).toMatchObject([{ quota: 10, used: 10, warning: 'capped' }]),
      );
    });

    it('lets a restricted number answer and not begin, by code 463, and is queried at most once a minute', async () => {
      const me = await stage.online();
      const [known, ...strangers] = [stage.someone('Ben'), stage.someone('Cleo'), stage.someone('Dan')];
      writesTo(known, me);
      await untilReported(me, { kind: 'reachout_lock', active: false });
      restrict(me);
      await untilReported(me, lockOf(me));
      await text(me, known);
      const before = changesOf(me, 'reachout_lock').length;
      for (const stranger of strangers) {
        expect(await failureOf(text(me, stranger))).toMatchObject({ kind: 'permanent', code: 463 });
        expect(stage.world.messages.seenBy(stranger.phone)).toEqual([]);
      }
      await stage.eventually(() => expect(changesOf(me, 'reachout_lock')).toHaveLength(before + 1));
      await stage.harness.advance(MINUTE_MS);
      await failureOf(text(me, stage.someone('Eve')));
      await stage.eventually(() => expect(changesOf(me, 'reachout_lock')).toHaveLength(before + 2));
    });

    it('refuses new chats beyond the quota by code 475, and reports the quota then', async () => {
      const me = await stage.online();
      const [known, stranger] = [stage.someone('Ben'), stage.someone('Cleo')];
      writesTo(known, me);
      await untilReported(me, { kind: 'reachout_lock', active: false });
      stage.world.standing.cap(me.phone, { quota: 10, used: 10, cycleSeconds: HOUR_S });
      await stage.eventually(() => expect(changesOf(me, 'new_chat_cap')).toHaveLength(1));
      await text(me, known);
      expect(await failureOf(text(me, stranger))).toMatchObject({ kind: 'permanent', code: 475 });
      expect(stage.world.messages.seenBy(stranger.phone)).toEqual([]);
      await stage.eventually(() => expect(changesOf(me, 'new_chat_cap')).toHaveLength(2));
    });

    it('includes the code of any refusal', async () => {
      const me = await stage.online();
      stage.world.faults.arm(me.sessionId, { kind: 'send_permanent', count: 1, ms: 0, code: 479 });
      expect(await failureOf(text(me, stage.someone('Ben')))).toMatchObject({ kind: 'permanent', code: 479 });
    });

    it.each(['users', 'groups'] as const)(
      'reports too many queries: %s are refused for a while, and nothing else is affected',
      async (kind) => {
        const me = await stage.online();
        const { groups, contacts } = me.session;
        const ask = { users: () => contacts.lookUp([me.phone]), groups: () => groups.list() };
        const other = kind === 'users' ? 'groups' : 'users';
        stage.world.standing.limit(me.phone, kind, 60);
        expect(await failureOf(ask[kind]())).toMatchObject({ kind: 'transient', code: 429 });
        await untilReported(me, { kind: 'rate_overlimit', what: kind });
        await ask[other]();
        expect(await failureOf(ask[kind]())).toMatchObject({ kind: 'transient', code: 429 });
        await stage.harness.advance(MINUTE_MS);
        await ask[kind]();
      },
    );

    it('counts undecryptable messages, which still arrive', async () => {
      const me = await stage.online();
      const friend = stage.someone('Ben');
      stage.world.faults.arm(me.sessionId, { kind: 'undecryptable', count: 1, ms: 0 });
      writesTo(friend, me);
      writesTo(friend, me);
      await stage.eventually(() => expect(me.witness.of('message')).toHaveLength(2));
      expect(changesOf(me, 'undecryptable')).toHaveLength(1);
    });

    it('reports an unresponsive connection: it is renewed, and nothing is lost', async () => {
      const me = await stage.online();
      const friend = stage.someone('Ben');
      await stage.eventually(() => expect(changesOf(me, 'reachout_lock')).not.toEqual([]));
      // By now all earlier queries are answered.
      await me.session.probe();
      stage.world.faults.arm(me.sessionId, { kind: 'deaf', count: 1, ms: 0 });
      writesTo(friend, me);
      // More often than the watchdog: on a busy machine an earlier answer may arrive after the second.
      for (let asked = 0; asked < 4; asked++) {
        const probe = failureOf(me.session.probe());
        await stage.harness.advance(MINUTE_MS);
        expect(await probe).toMatchObject({ kind: 'transient', unanswered: true });
      }
      expect(me.session.state.kind).toBe('connected');
      expect(changesOf(me, 'deaf')).toEqual([]);
      me.session.reconnect();
      await stage.eventually(() => expect(me.witness.of('message')).toHaveLength(1));
      expect(changesOf(me, 'deaf')).toHaveLength(1);
      me.session.reconnect();
      await stage.eventually(() => expect(me.witness.timesConnected).toBe(3));
      expect(changesOf(me, 'deaf')).toHaveLength(1);
    });
  });
}
