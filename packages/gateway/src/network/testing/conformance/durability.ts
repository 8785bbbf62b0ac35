import { beforeAll, describe, expect, it } from 'vitest';
import { catchUp, defined, idsOf, messageIdsOf, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type TestContact, useStage } from './stage.ts';

export function describeDurability(createHarness: CreateHarness): void {
  describe('durability', () => {
    const stage = useStage(createHarness);
    let ada: TestContact;
    let ben: TestContact;

    beforeAll(() => {
      ada = stage.someone('Ada');
      ben = stage.someone('Ben');
    });

    it('keeps messages that arrive while the session is closed, in order', async () => {
      const me = await stage.link();
      const sent = [ada, ben, ada, ada, ben].map((from, n) => say(stage, from, me.jid, `message ${n}`));

      const { witness } = stage.open(me);

      await stage.eventually(() => expect(messageIdsOf(witness.taken)).toEqual(sent));
    });

    it('keeps the order of many messages in a row, and gives each its own id', async () => {
      const me = await stage.online();
      const sent = Array.from({ length: 60 }, (_, n) =>
        say(stage, n % 3 ? ada : ben, me.jid, `message ${n}`),
      );

      await stage.eventually(() => expect(messageIdsOf(me.witness.taken)).toEqual(sent));

      expect(new Set(idsOf(me.witness.taken)).size).toBe(me.witness.taken.length);
    });

    it('makes one call at a time', async () => {
      const me = await stage.online();
      const release = me.witness.hold();
      const sent = [say(stage, ada, me.jid, 'first')];
      await stage.eventually(() => expect(me.witness.offered).not.toEqual([]));
      sent.push(say(stage, ada, me.jid, 'second'), say(stage, ben, me.jid, 'third'));

      await stage.eventually(() => {
        release();
        expect(messageIdsOf(me.witness.taken)).toEqual(sent);
      });

      expect(me.witness.mostCallsAtOnce).toBe(1);
      me.witness.answerWith(async () => {});
    });

    it('repeats a refused event under the same id and before anything newer', async () => {
      const me = await stage.online();
      let refusals = 2;
      me.witness.answerWith(async () => {
        refusals -= 1;
        if (refusals >= 0) throw new Error('the store is busy');
      });

      const sent = [say(stage, ada, me.jid, 'refused at first'), say(stage, ada, me.jid, 'newer')];

      await stage.eventually(() => expect(messageIdsOf(me.witness.taken)).toEqual(sent));
      const offers = me.witness.offered.filter(
        (event) => event.kind === 'message' && event.messageId === sent[0],
      );
      expect(offers.length).toBeGreaterThanOrEqual(3);
      expect(new Set(idsOf(offers)).size).toBe(1);
    });

    it('repeats after a crash, under the same id, events that were not accepted', async () => {
      const me = await stage.online();
      me.witness.hold();
      const sent = [say(stage, ada, me.jid, 'one'), say(stage, ben, me.jid, 'two')];
      await stage.eventually(() => expect(me.witness.offered).not.toEqual([]));
      const offeredBefore = me.witness.offered.filter(({ kind }) => kind === 'message');

      await stage.harness.restart();
      const { witness } = stage.open(me);

      await stage.eventually(() => expect(messageIdsOf(witness.taken)).toEqual(sent));
      expect(idsOf(witness.taken)).toEqual(expect.arrayContaining(idsOf(offeredBefore)));
    });

    it('repeats after a crash a receipt, a vote and a channel message that were not accepted', async () => {
      const me = await stage.online();
      const channel = stage.world.channels.create(ada.actor, { name: 'News', description: '' });
      await me.session.channels.follow({ jid: channel.jid });
      const messageId = stage.newMessageId();
      const poll = { kind: 'poll', name: 'Tea?', options: ['Yes', 'No'], selectableCount: 1 } as const;
      await me.session.send({ messageId, to: ada.jid, content: poll });
      await catchUp(stage, me, ada);

      me.witness.hold();
      stage.world.messages.mark(ada.phone, messageId, 'read');
      stage.world.messages.vote(ada.phone, messageId, ['Yes']);
      const id = stage.world.messages.newId();
      stage.world.channels.send(ada.actor, channel.jid, { id, content: { type: 'text', text: 'Hot' } });
      await stage.eventually(() => expect(me.witness.offered.at(-1)?.kind).not.toBe('message'));
      await stage.harness.restart();
      const { witness } = stage.open(me);

      await stage.eventually(() => {
        expect(witness.of('receipt')).toContainEqual(expect.objectContaining({ messageId, type: 'read' }));
        expect(witness.of('poll_vote')).toMatchObject([{ pollMessageId: messageId }]);
        expect(witness.of('channel_message')).toMatchObject([{ messageId: id }]);
      });
    });

    it('never repeats an accepted event', async () => {
      const me = await stage.online();
      const taken = say(stage, ada, me.jid, 'taken');
      await stage.eventually(() => defined(me.witness.message(taken)));
      await catchUp(stage, me, ada);

      await stage.harness.restart();
      const again = stage.open(me);
      await catchUp(stage, again, ada);

      // The last event before the end may not have been accepted yet.
      expect(messageIdsOf(again.witness.offered)).not.toContain(taken);
    });

    it('neither loses nor repeats events in progress when the connection is lost', async () => {
      const me = await stage.online();
      const release = me.witness.hold();
      const sent = [say(stage, ada, me.jid, 'under way')];
      await stage.eventually(() => expect(me.witness.offered).not.toEqual([]));

      stage.world.faults.arm(me.sessionId, { kind: 'disconnect', count: 1, ms: 0 });
      sent.push(say(stage, ada, me.jid, 'meanwhile'));
      await stage.eventually(() => expect(me.witness.timesConnected).toBe(2));
      me.witness.answerWith(async () => {});
      release();
      await catchUp(stage, me, ben);

      expect(messageIdsOf(me.witness.offered).slice(0, -1)).toEqual(sent);
    });

    it('leaves undelivered events to the process that replaced it', async () => {
      const me = await stage.online();
      me.witness.answerWith(() => Promise.reject(new Error('the store is busy')));
      const waiting = say(stage, ada, me.jid, 'for the other one');
      await stage.eventually(() => expect(me.witness.offered).not.toEqual([]));

      const other = stage.world.mailboxes.attach(me.sessionId, { item() {}, closed() {} });
      await stage.eventually(() => expect(me.session.state.kind).toBe('ended'));
      const offers = me.witness.offered.length;
      for (let step = 0; step < 60; step += 1) await stage.harness.advance(1_000);

      expect(me.witness.offered).toHaveLength(offers);
      other.detach();
      await me.session.close();
      const next = stage.open(me);
      await stage.eventually(() => defined(next.witness.message(waiting), 'message'));
    });

    it('waits at close for the call in progress, and its events stay accepted', async () => {
      const me = await stage.online();
      const release = me.witness.hold();
      const underWay = say(stage, ada, me.jid, 'under way');
      await stage.eventually(() => expect(me.witness.offered).not.toEqual([]));

      let closed = false;
      const closing = me.session.close().then(() => {
        closed = true;
      });
      await stage.eventually(() =>
        expect(stage.world.devices.get(me.sessionId)).toMatchObject({ attached: false }),
      );
      expect(closed).toBe(false);
      release();
      await closing;

      expect(messageIdsOf(me.witness.taken)).toEqual([underWay]);
      const again = stage.open(me);
      await catchUp(stage, again, ben);
      expect(messageIdsOf(again.witness.offered)).not.toContain(underWay);
    });
  });
}
