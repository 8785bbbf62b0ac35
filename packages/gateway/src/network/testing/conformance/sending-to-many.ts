import { beforeAll, describe, expect, it } from 'vitest';
import type { OutboundContent } from '../../content.ts';
import { bubble, failureOf, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

export function describeSendingToMany(createHarness: CreateHarness): void {
  describe('sending to groups and stories', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;
    let ben: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone('Ada');
      ben = stage.someone('Ben');
    });

    const send = async (content: OutboundContent, to?: string): Promise<string> => {
      const messageId = stage.newMessageId();
      await me.session.send({ messageId, to, content });
      return messageId;
    };

    const groupOf = (founder: TestContact, ...others: TestContact[]): string =>
      stage.world.groups.create(founder.actor, { name: 'Lunch', participants: others.map(({ jid }) => jid) })
        .group.jid;

    it('delivers a group message to every member', async () => {
      const group = groupOf(ada, me, ben);

      const messageId = await send({ kind: 'text', text: 'Who is hungry?' }, group);

      for (const member of [ada, ben]) {
        expect(bubble(stage.world, member, messageId)).toMatchObject({
          chat: { kind: 'group', jid: group },
          sender: { phone: me.phone },
          content: { type: 'text', text: 'Who is hungry?' },
        });
      }
    });

    it('still reaches every member after the group has changed', async () => {
      const group = groupOf(ada, me);
      await send({ kind: 'text', text: 'Just us two' }, group);

      stage.world.groups.participants(ada.actor, group, 'add', [ben.jid]);
      const messageId = await send({ kind: 'text', text: 'Welcome' }, group);

      // A message that crosses the change is undecryptable at first for the new member, who requests it again.
      await stage.eventually(() =>
        expect(bubble(stage.world, ben, messageId).content).toMatchObject({ text: 'Welcome' }),
      );
    });

    it('addresses members by their number, and the text by the group’s address form', async () => {
      const group = groupOf(ada, me, ben);
      const text = (digits: string | undefined) => `@${digits} and @1: lunch?`;

      const messageId = await send({ kind: 'text', text: text(ben.phone), mentions: [ben.jid] }, group);

      const { content } = bubble(stage.world, ben, messageId);
      expect(content).toMatchObject({ type: 'text', mentions: [ben.phone] });
      const words = content.type === 'text' ? content.text : '';
      expect([text(ben.phone), text(ben.lid.split('@')[0])]).toContain(words);
    });

    it('answers and reacts to a member by the hidden address', async () => {
      const group = groupOf(ada, me, ben);
      const question = say(stage, ada, group, 'Soup?');

      const answer = await send(
        {
          kind: 'text',
          text: 'Gladly',
          quote: { messageId: question, participant: ada.lid, text: 'Soup?' },
        },
        group,
      );
      const target = { messageId: question, fromMe: false, participant: ada.lid };
      await send({ kind: 'reaction', target, emoji: '🍲' }, group);

      expect(bubble(stage.world, ben, answer).content).toMatchObject({
        quote: { id: question, sender: ada.phone, text: 'Soup?' },
      });
      expect(bubble(stage.world, ben, question).reactions).toMatchObject([
        { person: { phone: me.phone }, emoji: '🍲' },
      ]);
    });

    it("deletes another member's message as admin of the group", async () => {
      const group = groupOf(me, ada, ben);
      const messageId = say(stage, ada, group, 'Rude words');

      await send({ kind: 'revoke', target: { messageId, fromMe: false, participant: ada.lid } }, group);

      expect(bubble(stage.world, ben, messageId).revoked).toMatchObject({ by: { phone: me.phone } });
    });

    it("fails to delete another member's message while the number is no admin, and sends nothing", async () => {
      const group = groupOf(ada, me, ben);
      const messageId = say(stage, ada, group, 'Rude words');
      const revokeIt = () =>
        send({ kind: 'revoke', target: { messageId, fromMe: false, participant: ada.lid } }, group);

      const failure = await failureOf(revokeIt());

      expect(failure).toMatchObject({ kind: 'refused', failure: 'other' });
      expect(bubble(stage.world, ben, messageId)).toMatchObject({ content: { text: 'Rude words' } });
      expect(bubble(stage.world, ben, messageId).revoked).toBeUndefined();
      const seen = stage.world.messages.seenBy(ben.phone, { chat: group });
      expect(seen.map(({ id }) => id)).toEqual([messageId]);

      stage.world.groups.participants(ada.actor, group, 'promote', [me.jid]);
      await revokeIt();
      expect(bubble(stage.world, ben, messageId).revoked).toMatchObject({ by: { phone: me.phone } });
    });

    it('sets the disappearing timer of a group', async () => {
      const group = groupOf(me, ada);
      await send({ kind: 'disappearing', seconds: 86_400 }, group);
      expect(stage.world.groups.get(ada.actor, group).disappearingSeconds).toBe(86_400);
    });

    it('invites to a group with its code and name', async () => {
      const group = groupOf(me, ben);

      const messageId = await send({ kind: 'group_invite', group, caption: 'Join us' }, ada.jid);

      expect(bubble(stage.world, ada, messageId).content).toMatchObject({
        type: 'group_invite',
        group,
        name: 'Lunch',
        code: stage.world.groups.inviteCode(me.actor, group),
        caption: 'Join us',
      });
    });

    it('does not invite to a group whose admin the number is not', async () => {
      const group = groupOf(ben, me);
      const invite = send({ kind: 'group_invite', group }, ada.jid);
      expect((await failureOf(invite)).kind).toBe('refused');
    });

    describe('stories', () => {
      let stranger: TestContact;

      beforeAll(async () => {
        stranger = stage.someone('Stranger');
        for (const { phone, name } of [ada, ben]) {
          stage.world.contacts.save(me.actor, { phone, firstName: name, fullName: name });
        }
        await stage.eventually(async () => {
          const known = (await me.session.contacts.list()).map(({ jid }) => jid);
          expect(known).toEqual(expect.arrayContaining([ada.jid, ben.jid]));
        });
      });

      it('shows a text to the own contacts and to no others', async () => {
        const messageId = await send({ kind: 'status_text', text: 'At the lake' });

        for (const friend of [ada, ben]) {
          expect(bubble(stage.world, friend, messageId)).toMatchObject({
            chat: { kind: 'status' },
            sender: { phone: me.phone },
            content: { type: 'text', text: 'At the lake' },
          });
        }
        expect(stage.world.messages.find(stranger.phone, messageId)).toBeUndefined();
      });

      it.each([
        ['image', 'image/png'],
        ['video', 'video/mp4'],
      ] as const)('shows an %s with its caption', async (media, mimetype) => {
        const file = await stage.file(`a story in ${media}`, mimetype);

        const messageId = await send({ kind: 'status_media', media, file, caption: 'Sunset' });

        expect(bubble(stage.world, ada, messageId)).toMatchObject({
          chat: { kind: 'status' },
          content: { type: media, caption: 'Sunset', media: { mimetype, size: file.size } },
        });
      });
    });
  });
}
