import type { Bubble, ChatState } from '@parley/sandbox/world';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatChange } from '../../operations.ts';
import { bubble, catchUp, defined, failureOf, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { TINY_PNG } from './pictures.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

export function describeChats(createHarness: CreateHarness): void {
  describe('chats and the profile as the owner sees them', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone();
      await catchUp(stage, me, ada);
      // The phone shares the required keys a moment after the link.
      await stage.eventually(() => change({ type: 'pin', on: false }));
    });

    const change = (order: ChatChange, chat = ada.jid): Promise<void> => me.session.chats.change(chat, order);
    /** State on the owner's own phone. */
    const shown = (chat = ada.jid): Promise<ChatState> =>
      stage.eventually(() =>
        defined(
          stage.world.chatStates.of(me.phone).find(({ chat: { jid } }) => jid === chat),
          'state of the chat',
        ),
      );
    const onPhone = (messageId: string): Bubble => bubble(stage.world, me, messageId);

    it('are marked read or unread, archived, pinned and muted, on the phone too', async () => {
      const until = 1_900_000_000_000;
      for (const on of [true, false]) {
        await change({ type: 'read', on: !on });
        await change({ type: 'archive', on });
        await change({ type: 'pin', on });
        await change({ type: 'mute', until: on ? until : null });
        expect(await shown()).toMatchObject({
          unread: on,
          archived: on,
          pinned: on,
          mutedUntil: on ? until : undefined,
        });
      }
    });

    it('work the same for groups', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Lunch', participants: [me.jid] });
      await change({ type: 'archive', on: true }, group.jid);
      expect(await shown(group.jid)).toMatchObject({ archived: true, pinned: false });
    });

    it('are reported as read when the owner reads on the phone, in groups too', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Supper', participants: [me.jid] });
      for (const [to, chat] of [
        [me.jid, ada.jid],
        [group.jid, group.jid],
      ] as const) {
        const id = say(stage, ada, to, 'Read this');
        const { timestamp } = await stage.eventually(() => defined(me.witness.message(id), 'message event'));
        stage.world.messages.mark(me.phone, id, 'read');
        const { change } = await stage.eventually(() =>
          defined(
            me.witness.of('chat').find((event) => event.chat === chat && event.id.endsWith(id)),
            'chat event',
          ),
        );
        expect(change).toMatchObject({ type: 'read', on: true, upTo: expect.any(Number) });
        expect('upTo' in change && change.upTo).toBeGreaterThanOrEqual(timestamp);
      }
    });

    it('send read receipts to the sender of a message, in groups too', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Dinner', participants: [me.jid] });
      const chats = [ada.jid, group.jid];
      const ids = [say(stage, ada, me.jid, 'Seen?'), say(stage, ada, group.jid, 'Seen by all?')];
      await catchUp(stage, me, ada);
      for (const [index, chat] of chats.entries()) {
        const id = ids[index] ?? '';
        await me.session.chats.sendReadReceipts(chat, [id], chat === group.jid ? ada.jid : null);
        const read = { type: 'read', person: expect.objectContaining({ phone: me.phone }) };
        await stage.eventually(() =>
          expect(bubble(stage.world, ada, id).receipts).toContainEqual(expect.objectContaining(read)),
        );
      }
    });

    it('star messages, and delete them for the owner alone', async () => {
      const kept = say(stage, ada, me.jid, 'Keep this');
      const gone = say(stage, ada, me.jid, 'Not this');
      await catchUp(stage, me, ada);
      const message = { messageId: kept, fromMe: false };
      await change({ type: 'star', message, on: true });
      expect(onPhone(kept)).toMatchObject({ starred: true });
      await change({ type: 'star', message, on: false });
      expect(onPhone(kept)).toMatchObject({ starred: false });

      await change({ type: 'delete_message', message: { messageId: gone, fromMe: false } });
      expect(stage.world.messages.find(me.phone, gone)).toBeUndefined();
      expect(stage.world.messages.find(ada.phone, gone)).toBeDefined();
    });

    it('lose their content when they are deleted, and return with the next message', async () => {
      const other = stage.someone('Other');
      const before = say(stage, other, me.jid, 'Before');
      await catchUp(stage, me, other);
      await change({ type: 'delete' }, other.jid);
      expect(stage.world.messages.find(me.phone, before)).toBeUndefined();
      const after = say(stage, other, me.jid, 'After');
      expect(stage.world.messages.find(me.phone, after)).toBeDefined();
    });

    it('have a name, and a picture or none', async () => {
      await me.session.contacts.setOwnName('Harbour');
      await stage.eventually(() => expect(stage.world.phones.get(me.phone).name).toBe('Harbour'));
      const image = await stage.file(TINY_PNG, 'image/png');
      const id = await me.session.contacts.setOwnPhoto(image);
      expect(stage.world.photos.idOf(me.phone)).toBe(id);
      expect(await me.session.contacts.setOwnPhoto(null)).toBe('');
      expect(stage.world.photos.idOf(me.phone)).toBeUndefined();
    });

    it('stay unchanged while there is no connection', async () => {
      const number = await stage.online();
      await number.session.close();
      const failure = await failureOf(number.session.chats.change(ada.jid, { type: 'pin', on: true }));
      expect(failure.kind).toBe('offline');
    });
  });
}
