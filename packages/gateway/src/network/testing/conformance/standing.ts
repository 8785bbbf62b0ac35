import { describe, expect, it } from 'vitest';
import type { StandingNews } from '../../port.ts';
import { failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type Someone, useStage } from './stage.ts';

const HOUR_S = 3_600;
const MINUTE_MS = 60_000;
/** One that the library has no name for. */
const TYPE = 'RESTRICT_ALL_COMPANIONS';

/** What a driver tells about how the network treats a number. */
export function describeStanding(createHarness: CreateHarness): void {
  describe('the standing of a number', () => {
    const stage = useStage(createHarness);

    const told = <Kind extends StandingNews['kind']>(
      { witness }: OpenNumber,
      kind: Kind,
    ): Extract<StandingNews, { kind: Kind }>[] =>
      witness.standing.filter((news): news is Extract<StandingNews, { kind: Kind }> => news.kind === kind);

    const untilTold = (number: OpenNumber, news: StandingNews): Promise<void> =>
      stage.eventually(() => expect(number.witness.standing).toContainEqual(news));

    /** When the network says that it ends: in whole seconds. */
    const lockOf = ({ phone }: Someone): StandingNews => {
      const { endsAt = 0, type = '' } = stage.world.standing.lockOf(phone) ?? {};
      return { kind: 'reachout_lock', active: true, type, endsAt: Math.floor(endsAt / 1_000) * 1_000 };
    };

    const restrict = (number: Someone, seconds = HOUR_S): void =>
      stage.world.standing.restrict(number.phone, { type: TYPE, seconds });

    const text = (number: OpenNumber, to: Someone): Promise<void> =>
      number.session.send({
        messageId: stage.newMessageId(),
        to: to.jid,
        content: { kind: 'text', text: 'hello' },
      });

    const writesTo = (author: Someone, to: Someone): void => {
      const content = { type: 'text', text: 'hi' } as const;
      stage.world.messages.send(author.actor, { id: stage.newMessageId(), to: to.phone, content });
    };

    it('is told with each connection', async () => {
      const me = await stage.online();
      await untilTold(me, { kind: 'reachout_lock', active: false });
      expect(told(me, 'new_chat_cap')).toEqual([]);
      await me.session.close();
      restrict(me);
      stage.world.standing.cap(me.phone, { quota: 50, used: 40, cycleSeconds: HOUR_S });
      const again = stage.open(me);
      await untilTold(again, lockOf(me));
      const { cycleEndsAt = 0 } = stage.world.standing.capOf(me.phone) ?? {};
      await untilTold(again, {
        kind: 'new_chat_cap',
        quota: 50,
        used: 40,
        cycleEndsAt: Math.floor(cycleEndsAt / 1_000) * 1_000,
        warning: 'first',
      });
    });

    it('is told when it changes, whatever the network calls it', async () => {
      const me = await stage.online();
      await untilTold(me, { kind: 'reachout_lock', active: false });
      restrict(me);
      await untilTold(me, lockOf(me));
      restrict(me, 0);
      await stage.eventually(() =>
        expect(told(me, 'reachout_lock').map(({ active }) => active)).toEqual([false, true, false]),
      );
      stage.world.standing.cap(me.phone, { quota: 10, used: 10, cycleSeconds: HOUR_S });
      await stage.eventually(() =>
        expect(told(me, 'new_chat_cap')).toMatchObject([{ quota: 10, used: 10, warning: 'capped' }]),
      );
    });

    it('lets a restricted number answer and not begin, by its number 463, and is asked for once a minute', async () => {
      const me = await stage.online();
      const [known, ...strangers] = [stage.someone('Ben'), stage.someone('Cleo'), stage.someone('Dan')];
      writesTo(known, me);
      await untilTold(me, { kind: 'reachout_lock', active: false });
      restrict(me);
      await untilTold(me, lockOf(me));
      await text(me, known);
      const before = told(me, 'reachout_lock').length;
      for (const stranger of strangers) {
        expect(await failureOf(text(me, stranger))).toMatchObject({ kind: 'permanent', code: 463 });
        expect(stage.world.messages.seenBy(stranger.phone)).toEqual([]);
      }
      await stage.eventually(() => expect(told(me, 'reachout_lock')).toHaveLength(before + 1));
      await stage.harness.advance(MINUTE_MS);
      await failureOf(text(me, stage.someone('Eve')));
      await stage.eventually(() => expect(told(me, 'reachout_lock')).toHaveLength(before + 2));
    });

    it('comes with the number of any refusal', async () => {
      const me = await stage.online();
      stage.world.faults.arm(me.sessionId, { kind: 'send_permanent', count: 1, ms: 0, code: 479 });
      expect(await failureOf(text(me, stage.someone('Ben')))).toMatchObject({ kind: 'permanent', code: 479 });
    });

    it.each(['users', 'groups'] as const)(
      'suffers from asking too often: %s are not asked for, may be later, and nothing else is concerned',
      async (kind) => {
        const me = await stage.online();
        const { groups, contacts } = me.session;
        const ask = { users: () => contacts.lookUp([me.phone]), groups: () => groups.list() };
        const other = kind === 'users' ? 'groups' : 'users';
        stage.world.standing.limit(me.phone, kind, 60);
        expect(await failureOf(ask[kind]())).toMatchObject({ kind: 'transient', code: 429 });
        await untilTold(me, { kind: 'rate_overlimit', what: kind });
        await ask[other]();
        expect(await failureOf(ask[kind]())).toMatchObject({ kind: 'transient', code: 429 });
        await stage.harness.advance(MINUTE_MS);
        await ask[kind]();
      },
    );

    it('counts messages that could not be read, which come all the same', async () => {
      const me = await stage.online();
      const friend = stage.someone('Ben');
      stage.world.faults.arm(me.sessionId, { kind: 'undecryptable', count: 1, ms: 0 });
      writesTo(friend, me);
      writesTo(friend, me);
      await stage.eventually(() => expect(me.witness.of('message')).toHaveLength(2));
      expect(told(me, 'undecryptable')).toHaveLength(1);
    });

    it('is deaf where nothing is heard or answered: it is made anew, said so, and nothing is lost', async () => {
      const me = await stage.online();
      const friend = stage.someone('Ben');
      await stage.eventually(() => expect(told(me, 'reachout_lock')).not.toEqual([]));
      // By now all that was asked before is answered.
      await me.session.probe();
      stage.world.faults.arm(me.sessionId, { kind: 'deaf', count: 1, ms: 0 });
      writesTo(friend, me);
      // More often than the watchdog asks: on a busy machine what was under way before may be heard after the second.
      for (let asked = 0; asked < 4; asked++) {
        const probe = failureOf(me.session.probe());
        await stage.harness.advance(MINUTE_MS);
        expect(await probe).toMatchObject({ kind: 'transient', unanswered: true });
      }
      expect(me.session.state.kind).toBe('connected');
      expect(told(me, 'deaf')).toEqual([]);
      me.session.reconnect();
      await stage.eventually(() => expect(me.witness.of('message')).toHaveLength(1));
      expect(told(me, 'deaf')).toHaveLength(1);
      me.session.reconnect();
      await stage.eventually(() => expect(me.witness.timesConnected).toBe(3));
      expect(told(me, 'deaf')).toHaveLength(1);
    });
  });
}
