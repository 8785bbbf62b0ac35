import type { Content } from '@parley/sandbox/world';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EventOf } from './event-recorder.ts';
import { catchUp, defined, expectPerson, messageIdsOf, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

export function describeOwnMessages(createHarness: CreateHarness): void {
  describe('messages of the number from other devices', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone();
    });

    const published = (messageId: string, number = me): Promise<EventOf<'message'>> =>
      stage.eventually(() => defined(number.witness.message(messageId), 'message event'));

    const write = (content: Content, to = ada.jid): Promise<EventOf<'message'>> => {
      const id = stage.world.messages.newId();
      stage.world.messages.send(me.actor, { id, to, content });
      return published(id);
    };

    it('are reported as its own when its owner writes with the phone', async () => {
      expect(await write({ type: 'text', text: 'I take over' })).toMatchObject({
        fromMe: true,
        chat: ada.jid,
        sender: me.jid,
        senderPhone: me.jid,
        senderLid: me.lid,
        isGroup: false,
        content: { kind: 'text', text: 'I take over' },
      });
    });

    it('are reported once when they went to a broadcast list, in the chat of the list', async () => {
      const id = stage.world.messages.newId();
      const ben = stage.someone('Ben');
      const list = stage.world.messages.broadcast(me.actor, {
        id,
        to: [ada.jid, ben.jid],
        content: { type: 'text', text: 'Closed on Friday' },
      });
      expect(await published(id)).toMatchObject({
        fromMe: true,
        chat: list,
        sender: me.jid,
        isGroup: false,
        broadcast: false,
        content: { kind: 'text', text: 'Closed on Friday' },
      });
      await catchUp(stage, me, ada);
      expect(me.witness.of('message').filter(({ messageId }) => messageId === id)).toHaveLength(1);
    });

    it('are reported in groups too', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Lunch', participants: [me.jid] });
      const event = await write({ type: 'text', text: 'Coming' }, group.jid);
      expect(event).toMatchObject({ fromMe: true, chat: group.jid, isGroup: true, senderPhone: me.jid });
      expectPerson(event.sender, me);
    });

    it('are reported for reactions, edits and deletions', async () => {
      const target = (await write({ type: 'text', text: 'Teh end' })).messageId;
      expect(await write({ type: 'edit', target, text: 'The end' })).toMatchObject({
        fromMe: true,
        content: { kind: 'other', text: 'The end', editedId: target },
      });
      const question = say(stage, ada, me.jid, 'Really?');
      await published(question);
      expect(await write({ type: 'reaction', target: question, emoji: '👍' })).toMatchObject({
        fromMe: true,
        content: { kind: 'reaction', targetId: question },
      });
      expect(await write({ type: 'revoke', target })).toMatchObject({
        fromMe: true,
        content: { kind: 'other', revokedId: target },
      });
    });

    it('are reported to one linked device when another one writes, and not to that one', async () => {
      const other = await stage.online(me);
      const messageId = stage.newMessageId();
      await other.session.send({ messageId, to: ada.jid, content: { kind: 'text', text: 'By the bot' } });

      expect(await published(messageId)).toMatchObject({
        fromMe: true,
        chat: ada.jid,
        content: { kind: 'text', text: 'By the bot' },
      });
      await catchUp(stage, other, ada);
      expect(other.witness.message(messageId)).toBeUndefined();
      await other.session.close();
    });

    it('do not include votes', async () => {
      const secret = stage.world.messages.newSecret();
      const poll = {
        type: 'poll',
        name: 'Tea?',
        options: ['Yes', 'No'],
        selectableCount: 1,
        secret,
      } as const;
      const id = stage.world.messages.newId();
      stage.world.messages.send(ada.actor, {
        id,
        to: me.jid,
        content: { ...poll, options: [...poll.options] },
      });
      const vote = stage.world.messages.vote(me.phone, id, ['Yes']);
      await catchUp(stage, me, ada);
      expect(me.witness.message(vote.id)).toBeUndefined();
      expect(me.witness.of('poll_vote')).toEqual([]);
    });

    it('are repeated after a crash, once, in order with those of others', async () => {
      const number = await stage.online();
      number.witness.hold();
      const sent = [
        say(stage, number, ada.jid, 'mine'),
        say(stage, ada, number.jid, 'hers'),
        say(stage, number, ada.jid, 'mine again'),
      ];
      await stage.eventually(() => expect(number.witness.offered).not.toEqual([]));
      await stage.harness.restart();
      const again = stage.open(number);

      await stage.eventually(() => expect(messageIdsOf(again.witness.taken)).toEqual(sent));
      me = stage.open(me);
    });
  });
}
