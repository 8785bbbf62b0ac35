import { optionHash } from '@parley/sandbox/world';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OutboundContent } from '../../content.ts';
import type { EventOf } from './event-recorder.ts';
import { catchUp, expectPerson } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

export function describeReceipts(createHarness: CreateHarness): void {
  describe('receipts and votes', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone();
    });

    const send = async (to: string, content: OutboundContent): Promise<string> => {
      const messageId = stage.newMessageId();
      await me.session.send({ messageId, to, content });
      return messageId;
    };

    const receiptsOf = (messageId: string): EventOf<'receipt'>[] =>
      me.witness.of('receipt').filter((receipt) => receipt.messageId === messageId);

    const typesOf = (messageId: string): string[] => receiptsOf(messageId).map(({ type }) => type);

    it('report that a message was delivered, and later that it was read', async () => {
      const messageId = await send(ada.jid, { kind: 'text', text: 'Read me' });
      await stage.eventually(() => expect(typesOf(messageId)).toEqual(['delivered']));

      stage.world.messages.mark(ada.phone, messageId, 'read');
      await stage.eventually(() => expect(typesOf(messageId)).toEqual(['delivered', 'read']));

      const [delivered, read] = receiptsOf(messageId);
      expect(delivered).toMatchObject({ recipient: ada.jid, timestamp: expect.any(Number) });
      expect(read).toMatchObject({ recipient: ada.jid });
      expect(delivered?.id).not.toBe(read?.id);
    });

    it('keep delivered and read apart when they arrive at the same moment', async () => {
      const eager = stage.someone('Eager', { autoRead: true });
      const messageId = await send(eager.jid, { kind: 'text', text: 'Read me at once' });
      await stage.eventually(() => expect(typesOf(messageId)).toEqual(['delivered', 'read']));
    });

    it('name the recipient by the number, also for one with the hidden address', async () => {
      const hidden = stage.someone('Hidden', { lidMode: true });
      const messageId = await send(hidden.jid, { kind: 'text', text: 'Psst' });
      await stage.eventually(() => expect(receiptsOf(messageId)).toMatchObject([{ recipient: hidden.jid }]));
    });

    it('report that an audio was played, apart from read', async () => {
      const file = await stage.file('the bytes of a voice', 'audio/ogg');
      const messageId = await send(ada.jid, { kind: 'audio', file });

      stage.world.messages.mark(ada.phone, messageId, 'read');
      stage.world.messages.mark(ada.phone, messageId, 'played');

      await stage.eventually(() => expect(typesOf(messageId)).toEqual(['delivered', 'read', 'played']));
    });

    it('report each member of a group separately', async () => {
      const ben = stage.someone('Ben');
      const { group } = stage.world.groups.create(ada.actor, {
        name: 'Lunch',
        participants: [me.jid, ben.jid],
      });
      const messageId = await send(group.jid, { kind: 'text', text: 'All here?' });
      await stage.eventually(() => expect(typesOf(messageId)).toEqual(['delivered', 'delivered']));

      stage.world.messages.mark(ben.phone, messageId, 'read');

      await stage.eventually(() => expect(typesOf(messageId)).toContain('read'));
      const [first, second, read] = receiptsOf(messageId);
      expect(first?.recipient).not.toBe(second?.recipient);
      expectPerson(read?.recipient, ben);
      expect(read?.group).toBe(group.jid);
    });

    it('include receipts that arrived while the session was closed', async () => {
      const number = await stage.online();
      const messageId = stage.newMessageId();
      await number.session.send({ messageId, to: ada.jid, content: { kind: 'text', text: 'Later' } });
      await number.session.close();
      stage.world.messages.mark(ada.phone, messageId, 'read');

      const again = stage.open(number);

      await stage.eventually(() =>
        expect(again.witness.of('receipt')).toContainEqual(
          expect.objectContaining({ messageId, recipient: ada.jid, type: 'read' }),
        ),
      );
    });

    const poll = { kind: 'poll', name: 'Lunch?', options: ['Soup', 'Salad'], selectableCount: 0 } as const;

    const votesOn = (pollMessageId: string): EventOf<'poll_vote'>[] =>
      me.witness.of('poll_vote').filter((vote) => vote.pollMessageId === pollMessageId);

    it('report a vote by the chosen options and their hashes, and its withdrawal', async () => {
      const messageId = await send(ada.jid, poll);

      stage.world.messages.vote(ada.phone, messageId, ['Soup', 'Salad']);
      await stage.eventually(() => expect(votesOn(messageId)).toHaveLength(1));
      stage.world.messages.vote(ada.phone, messageId, []);
      await stage.eventually(() => expect(votesOn(messageId)).toHaveLength(2));

      const [vote, withdrawn] = votesOn(messageId);
      expect(vote).toMatchObject({ chat: ada.jid, voter: ada.jid, timestamp: expect.any(Number) });
      expect(vote?.selectedHashes.toSorted()).toEqual([optionHash('Soup'), optionHash('Salad')].toSorted());
      expect(vote?.selectedOptions?.toSorted()).toEqual(['Salad', 'Soup']);
      expect(withdrawn).toMatchObject({ voter: ada.jid, selectedHashes: [], selectedOptions: [] });
      expect(vote?.id).not.toBe(withdrawn?.id);
    });

    it("resolve the options of another person's poll, also after a restart", async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Lunch', participants: [me.jid] });
      const { name, options, selectableCount } = poll;
      const secret = stage.world.messages.newSecret();
      const content = { type: 'poll', name, options: [...options], selectableCount, secret } as const;
      const asked = stage.world.messages.send(ada.actor, {
        id: stage.world.messages.newId(),
        to: group.jid,
        content: { ...content, options: [...options] },
      });
      await catchUp(stage, me, ada);

      await stage.harness.restart();
      me = stage.open(me);
      stage.world.messages.vote(ada.phone, asked.id, ['Soup']);

      await stage.eventually(() => expect(votesOn(asked.id)).toMatchObject([{ selectedOptions: ['Soup'] }]));
      // Pending events arrive before the connection counts as open, and the next test sends.
      await stage.eventually(() => expect(me.session.state.kind).toBe('connected'));
    });

    it('report a vote in a group, and not as a message', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Lunch', participants: [me.jid] });
      const messageId = await send(group.jid, poll);

      const vote = stage.world.messages.vote(ada.phone, messageId, ['Salad']);
      await catchUp(stage, me, ada);

      expect(votesOn(messageId)).toMatchObject([{ chat: group.jid, selectedHashes: [optionHash('Salad')] }]);
      expectPerson(votesOn(messageId)[0]?.voter, ada);
      expect(me.witness.message(vote.id)).toBeUndefined();
    });
  });
}
