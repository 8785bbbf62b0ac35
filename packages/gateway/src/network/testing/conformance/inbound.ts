import { type BubbleContent, type Content, statusJid } from '@parley/sandbox/world';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EventOf } from './event-recorder.ts';
import { catchUp, defined, expectPerson, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

const TEA = { type: 'quick_reply', text: 'Yes', id: 'yes' } as const;

/** Absent unless they apply. */
const MARKS = ['quote', 'mentions', 'forwarded', 'ephemeralSeconds', 'viewOnce', 'senderUsername'];

function card(name: string, digits: string): string {
  return `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${digits}:+${digits}\nEND:VCARD`;
}

export function describeInbound(createHarness: CreateHarness): void {
  describe('incoming messages', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone();
    });

    const arrival = (messageId: string): Promise<EventOf<'message'>> =>
      stage.eventually(() => defined(me.witness.message(messageId), 'message event'));

    const receive = (content: Content, { from = ada, to = me.jid } = {}): Promise<EventOf<'message'>> => {
      const { id } = stage.world.messages.send(from.actor, {
        id: stage.world.messages.newId(),
        to,
        content,
      });
      return arrival(id);
    };

    it('have all attributes of a text from a direct chat', async () => {
      const sent = stage.world.messages.send(ada.actor, {
        id: stage.world.messages.newId(),
        to: me.jid,
        content: { type: 'text', text: 'Hi, is this Parley?' },
      });

      const event = await arrival(sent.id);

      expect(event).toMatchObject({
        messageId: sent.id,
        chat: ada.jid,
        sender: ada.jid,
        senderName: ada.name,
        isGroup: false,
        broadcast: false,
        timestamp: Math.floor(sent.at / 1_000),
        content: { kind: 'text', text: 'Hi, is this Parley?' },
      });
      expect([undefined, ada.jid]).toContain(event.senderPhone);
      expect(event.senderLid).toBe(ada.lid);
      for (const mark of MARKS) expect(event).not.toHaveProperty(mark);
    });

    it('name a direct chat by the number, also for a sender with the hidden address', async () => {
      const hidden = stage.someone('Hidden', { lidMode: true });
      expect(await receive({ type: 'text', text: 'Psst' }, { from: hidden })).toMatchObject({
        chat: hidden.jid,
        sender: hidden.jid,
        isGroup: false,
      });
    });

    it('name the sender in a group', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Lunch', participants: [me.jid] });

      expect(await receive({ type: 'text', text: 'Hungry' }, { to: group.jid })).toMatchObject({
        chat: group.jid,
        sender: ada.lid,
        senderPhone: ada.jid,
        senderLid: ada.lid,
        senderName: ada.name,
        isGroup: true,
        broadcast: false,
        content: { kind: 'text', text: 'Hungry' },
      });
    });

    it('are in the direct chat when they went to a broadcast list', async () => {
      const ben = stage.someone('Ben');
      const content = { type: 'text', text: 'Closed on Friday' } as const;
      const id = stage.world.messages.newId();
      stage.world.messages.broadcast(ada.actor, { id, to: [ben.jid, me.jid], content });
      expect(await arrival(id)).toMatchObject({
        chat: ada.jid,
        sender: ada.jid,
        senderLid: ada.lid,
        isGroup: false,
        broadcast: false,
        content: { kind: 'text', text: 'Closed on Friday' },
      });
    });

    it("mark a contact's story", async () => {
      const { phone, name } = me;
      stage.world.contacts.save(ada.actor, { phone, firstName: name, fullName: name });

      const event = await receive({ type: 'text', text: 'On the beach' }, { to: statusJid });

      expect(event).toMatchObject({
        chat: statusJid,
        broadcast: true,
        isGroup: false,
        content: { kind: 'text', text: 'On the beach' },
      });
      expectPerson(event.sender, ada);
    });

    it('name the message that they answer', async () => {
      const question = stage.newMessageId();
      await me.session.send({ messageId: question, to: ada.jid, content: { kind: 'text', text: 'Coming?' } });

      const { quote } = await receive({
        type: 'text',
        text: 'Yes',
        quote: { id: question, sender: me.phone, text: 'Coming?' },
      });

      expect(quote).toMatchObject({ messageId: question, text: 'Coming?' });
      expectPerson(quote?.participant, me);
    });

    it('include a location with its name and address', async () => {
      const place = { latitude: 48.8584, longitude: 2.2945, name: 'Eiffel Tower', address: 'Champ de Mars' };
      expect((await receive({ type: 'location', ...place })).content).toEqual({ kind: 'location', ...place });
    });

    it('include a reaction and its removal', async () => {
      const targetId = stage.newMessageId();
      await me.session.send({ messageId: targetId, to: ada.jid, content: { kind: 'text', text: 'Done' } });

      for (const emoji of ['🎉', '']) {
        const { content } = await receive({ type: 'reaction', target: targetId, emoji });
        expect(content).toEqual({ kind: 'reaction', targetId, emoji });
      }
    });

    it('include a poll with its options', async () => {
      const poll = { name: 'When?', options: ['Today', 'Tomorrow'], selectableCount: 1 };
      const secret = Buffer.alloc(32, 7).toString('base64');
      expect((await receive({ type: 'poll', ...poll, secret })).content).toEqual({ kind: 'poll', ...poll });
    });

    it('include the pressed button', async () => {
      const messageId = stage.newMessageId();
      const buttons = [
        { type: 'quick_reply', text: 'Yes, please', id: 'yes' },
        { type: 'quick_reply', text: 'No', id: 'no' },
      ] as const;
      const content = { kind: 'interactive', body: 'Sugar?', buttons } as const;
      await me.session.send({ messageId, to: ada.jid, content });

      const press = stage.world.messages.pressButton(ada.phone, messageId, 'yes');

      const event = await arrival(press.id);
      expect(event.content).toMatchObject({
        kind: 'button_response',
        selectedId: 'yes',
        selectedText: 'Yes, please',
      });
    });

    it('include contact cards as `other`, with their names and numbers', async () => {
      const ben = card('Ben', '15550002002');
      expect((await receive({ type: 'contact', displayName: 'Ben', vcard: ben })).content).toEqual({
        kind: 'other',
        text: 'Ben',
        contacts: [{ name: 'Ben', phones: ['15550002002'], vcard: ben }],
      });
      const cleo = card('Cleo', '15550002003');
      const both = { type: 'contact', displayName: '2 contacts', vcard: `${ben}\n${cleo}` } as const;
      expect((await receive(both)).content).toEqual({
        kind: 'other',
        text: '2 contacts',
        contacts: [
          { name: 'Ben', phones: ['15550002002'], vcard: ben },
          { name: 'Cleo', phones: ['15550002003'], vcard: cleo },
        ],
      });
    });

    it('mark a location that is shared live', async () => {
      const place = { latitude: 48.8584, longitude: 2.2945, live: true } as const;
      expect((await receive({ type: 'location', ...place })).content).toEqual({ kind: 'location', ...place });
    });

    it('have mentions, and marks for forwarded and view-once messages', async () => {
      const ben = stage.someone('Ben');
      const { group } = stage.world.groups.create(ada.actor, {
        name: 'Lunch',
        participants: [me.jid, ben.jid],
      });
      const text = { type: 'text', text: '@me @Ben', mentions: [me.phone, ben.phone] } as const;
      const named = await receive({ ...text, mentions: [...text.mentions] }, { to: group.jid });
      expect(named).toMatchObject({ mentions: [me.lid, ben.lid] });
      expect(named).not.toHaveProperty('forwarded');

      const forwarded = await receive({ type: 'text', text: 'Chain message', forwarded: true });
      expect(forwarded).toMatchObject({ forwarded: true });
      expect(forwarded).not.toHaveProperty('mentions');

      const media = stage.world.media.put(Buffer.from('a picture'), 'image/jpeg');
      const once = await receive({ type: 'image', media, viewOnce: true });
      expect(once).toMatchObject({ viewOnce: true });
      expect(once.content).toEqual({ kind: 'other', text: '', unavailable: 'view_once' });
      expect(await receive({ type: 'image', media })).not.toHaveProperty('viewOnce');
    });

    it('report the timer of a chat: when it is set, on later messages, and when it is turned off', async () => {
      const brief = stage.someone('Brief');
      const from = { from: brief };
      expect(await receive({ type: 'text', text: 'Before' }, from)).not.toHaveProperty('ephemeralSeconds');
      for (const seconds of [86_400, 0]) {
        expect(await receive({ type: 'disappearing', seconds }, from)).toMatchObject({
          content: { kind: 'other', text: '' },
          ephemeralSeconds: seconds,
        });
        const next = await receive({ type: 'text', text: 'Now' }, from);
        if (seconds > 0) expect(next).toMatchObject({ ephemeralSeconds: seconds });
        else expect(next).not.toHaveProperty('ephemeralSeconds');
      }
    });

    it.each<[string, BubbleContent, string]>([
      ['buttons', { type: 'interactive', body: 'Tea?', buttons: [TEA] }, 'Tea?'],
      ['what has no name here', { type: 'other' }, ''],
    ])('include %s as `other`, with its text', async (_, content, text) => {
      expect((await receive(content)).content).toEqual({ kind: 'other', text });
    });

    it('include edits with the new text and deletions as `other`, with their target', async () => {
      const target = say(stage, ada, me.jid, 'Teh end');
      await arrival(target);

      const edit = await receive({ type: 'edit', target, text: 'The end' });
      expect(edit.content).toEqual({ kind: 'other', text: 'The end', editedId: target });
      const revoke = await receive({ type: 'revoke', target });
      expect(revoke.content).toEqual({ kind: 'other', text: '', revokedId: target });
    });

    it('give every copy of a message the same event id', async () => {
      const order = {
        id: stage.world.messages.newId(),
        to: me.jid,
        content: { type: 'text', text: 'Once' },
      } as const;
      stage.world.messages.send(ada.actor, order);
      stage.world.messages.send(ada.actor, order);

      await catchUp(stage, me, ada);

      const copies = me.witness.of('message').filter(({ messageId }) => messageId === order.id);
      expect(new Set(copies.map(({ id }) => id)).size).toBe(1);
    });
  });
}
