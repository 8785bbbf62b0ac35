import type { Bubble } from '@parley/sandbox/world';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OutboundContent } from '../../content.ts';
import { bubble, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

export function describeSending(createHarness: CreateHarness): void {
  describe('sending', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone();
    });

    const send = async (content: OutboundContent, to: string | undefined = ada.jid): Promise<string> => {
      const messageId = stage.newMessageId();
      await me.session.send({ messageId, to, content });
      return messageId;
    };

    /** Sends to Ada and returns what her phone shows, which must be there once the send has resolved. */
    const sendToAda = async (content: OutboundContent): Promise<Bubble['content']> =>
      bubble(stage.world, ada, await send(content)).content;

    it('delivers a text to the phone under exactly the given id', async () => {
      const messageId = await send({ kind: 'text', text: 'Good morning' });

      expect(bubble(stage.world, ada, messageId)).toMatchObject({
        id: messageId,
        chat: { kind: 'direct', jid: me.jid },
        sender: { phone: me.phone },
        fromMe: false,
        content: { type: 'text', text: 'Good morning' },
      });
    });

    it('reaches a person by the address that hides the number', async () => {
      const messageId = await send({ kind: 'text', text: 'Hello there' }, ada.lid);
      expect(bubble(stage.world, ada, messageId).chat).toMatchObject({ kind: 'direct', jid: me.jid });
    });

    it('reaches a person by another spelling of the number, and knows the chat by its own', async () => {
      const other = '5511987650001';
      const rui = stage.someone('Rui', { otherSpelling: other });
      const typed = `${other}@s.whatsapp.net`;
      expect(await me.session.contacts.lookUp([other])).toEqual([{ number: other, jid: rui.jid }]);
      expect(await me.session.contacts.identify(typed)).toMatchObject({ jid: rui.jid });
      const messageId = await send({ kind: 'text', text: 'Hello there' }, typed);
      expect(bubble(stage.world, rui, messageId).chat).toMatchObject({ kind: 'direct', jid: me.jid });
      expect(await me.session.chatOf(typed)).toBe(rui.jid);
    });

    it('treats the two addresses of a person as one chat, and leaves other addresses unchanged', async () => {
      await send({ kind: 'text', text: 'Hello' });
      expect(await me.session.chatOf(ada.lid)).toBe(ada.jid);
      expect(await me.session.chatOf(ada.jid)).toBe(ada.jid);
      const group = '120363000000000000@g.us';
      expect(await me.session.chatOf(group)).toBe(group);
      expect(await me.session.chatOf('999999999999999@lid')).toBe('999999999999999@lid');
    });

    it('delivers a message once, however often it is sent under one id', async () => {
      const ben = stage.someone('Ben');
      const message = {
        messageId: stage.newMessageId(),
        to: ben.jid,
        content: { kind: 'text', text: 'Only once' },
      } as const;

      await me.session.send(message);
      await me.session.send(message);

      expect(stage.world.messages.seenBy(ben.phone)).toMatchObject([{ id: message.messageId }]);
    });

    it('includes the given link preview, and mentions', async () => {
      const url = 'https://harbour.example.com/tides';
      const linkPreview = { url, title: 'Tides', description: 'Day by day' };
      expect(await sendToAda({ kind: 'text', text: `See ${url}`, linkPreview })).toMatchObject({
        linkPreview,
      });
      const named = await sendToAda({ kind: 'text', text: `@${ada.phone}!`, mentions: [ada.jid] });
      expect(named).toMatchObject({ mentions: [ada.phone] });
      const plain = await sendToAda({ kind: 'text', text: `See ${url}` });
      expect(plain).toEqual({ type: 'text', text: `See ${url}` });
    });

    it('marks a text as forwarded and as an answer', async () => {
      const question = say(stage, ada, me.jid, 'How are you?');
      const quote = { messageId: question, participant: ada.jid, text: 'How are you?' };

      expect(await sendToAda({ kind: 'text', text: 'Fine', quote, forwarded: true })).toMatchObject({
        type: 'text',
        text: 'Fine',
        quote: { id: question, sender: ada.phone, text: 'How are you?' },
        forwarded: true,
      });
    });

    it.each([
      ['image', 'image/png'],
      ['video', 'video/mp4'],
    ] as const)('brings an %s with its caption, byte for byte', async (kind, mimetype) => {
      const file = await stage.file(`the bytes of an ${kind}`, mimetype);
      const content = await sendToAda({ kind, file, caption: 'Look', forwarded: true });
      expect(content).toMatchObject({ type: kind, caption: 'Look', forwarded: true });
      expectMedia(content, `the bytes of an ${kind}`, mimetype);
    });

    it('delivers an audio file, byte for byte', async () => {
      const file = await stage.file('the bytes of a song', 'audio/mpeg');
      const content = await sendToAda({ kind: 'audio', file });
      expect(content.type).toBe('audio');
      expectMedia(content, 'the bytes of a song', 'audio/mpeg');
    });

    it.each([
      ['Opus in Ogg as a voice message', 'audio/ogg; codecs=opus', true],
      ['any other sound in Ogg as a file', 'audio/ogg', undefined],
    ])('brings %s', async (_what, mimetype, voice) => {
      const file = await stage.file('the bytes of a voice', mimetype);
      const content = await sendToAda({ kind: 'audio', file });
      expect(content).toMatchObject({ type: 'audio', media: { mimetype } });
      expect('voice' in content ? content.voice : undefined).toBe(voice);
    });

    it('delivers a document with its name and caption, as an answer', async () => {
      const question = say(stage, ada, me.jid, 'The invoice, please');
      const file = await stage.file('the bytes of an invoice', 'application/pdf');
      const content = await sendToAda({
        kind: 'document',
        file,
        fileName: 'invoice.pdf',
        caption: 'Here',
        quote: { messageId: question, participant: ada.jid },
      });
      expect(content).toMatchObject({
        type: 'document',
        fileName: 'invoice.pdf',
        caption: 'Here',
        quote: { id: question },
      });
      expectMedia(content, 'the bytes of an invoice', 'application/pdf');
    });

    it('delivers a sticker', async () => {
      const file = await stage.file('the bytes of a sticker', 'image/webp');
      const content = await sendToAda({ kind: 'sticker', file });
      expect(content.type).toBe('sticker');
      expectMedia(content, 'the bytes of a sticker', 'image/webp');
    });

    const expectMedia = (content: Bubble['content'], bytes: string, mimetype: string): void => {
      if (!('media' in content)) throw new Error(`${content.type} carries no media`);
      expect(content.media).toMatchObject({ mimetype, size: bytes.length });
      expect(Buffer.from(stage.world.media.read(content.media.id) ?? []).toString()).toBe(bytes);
    };

    it('delivers a location', async () => {
      const place = {
        latitude: 52.5163,
        longitude: 13.3777,
        name: 'Brandenburg Gate',
        address: 'Pariser Platz',
      };
      expect(await sendToAda({ kind: 'location', ...place })).toMatchObject({ type: 'location', ...place });
    });

    it('delivers a location without a name', async () => {
      const place = { latitude: -33.8568, longitude: 151.2153 };
      expect(await sendToAda({ kind: 'location', ...place })).toMatchObject({ type: 'location', ...place });
    });

    it('delivers a contact card', async () => {
      const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben\nTEL:+15550002002\nEND:VCARD';
      const card = { displayName: 'Ben', vcard };
      expect(await sendToAda({ kind: 'contact', ...card })).toMatchObject({ type: 'contact', ...card });
    });

    it('adds a reaction to a message and removes it', async () => {
      const target = { messageId: say(stage, ada, me.jid, 'Nice?'), fromMe: false };

      await send({ kind: 'reaction', target, emoji: '👍' });
      expect(bubble(stage.world, ada, target.messageId).reactions).toMatchObject([
        { person: { phone: me.phone }, emoji: '👍' },
      ]);

      await send({ kind: 'reaction', target, emoji: '' });
      expect(bubble(stage.world, ada, target.messageId).reactions).toEqual([]);
    });

    it('deletes an own message for everyone', async () => {
      const messageId = await send({ kind: 'text', text: 'Oops' });
      await send({ kind: 'revoke', target: { messageId, fromMe: true } });
      expect(bubble(stage.world, ada, messageId).revoked).toMatchObject({ by: { phone: me.phone } });
    });

    it('edits an own message', async () => {
      const targetId = await send({ kind: 'text', text: 'Teh best' });
      await send({ kind: 'edit', targetId, text: 'The best' });
      expect(bubble(stage.world, ada, targetId).edited).toMatchObject({ text: 'The best' });
    });

    it.each([0, 1, 2])('delivers a poll that accepts %i choices', async (selectableCount) => {
      const poll = { name: 'Lunch?', options: ['Soup', 'Salad', 'Nothing'], selectableCount };
      expect(await sendToAda({ kind: 'poll', ...poll })).toMatchObject({ type: 'poll', ...poll });
    });

    it('sets the disappearing timer of a chat and turns it off', async () => {
      const ben = stage.someone('Ben');
      const timerOfNext = async (): Promise<number> =>
        bubble(stage.world, ben, await send({ kind: 'text', text: 'Soon gone' }, ben.jid)).expiresInSeconds;

      await send({ kind: 'disappearing', seconds: 604_800 }, ben.jid);
      expect(await timerOfNext()).toBe(604_800);
      await send({ kind: 'disappearing', seconds: 0 }, ben.jid);
      expect(await timerOfNext()).toBe(0);
    });

    it('delivers every kind of button', async () => {
      const interactive = {
        body: 'What would you like?',
        footer: 'Parley',
        buttons: [
          { type: 'quick_reply', text: 'Yes', id: 'yes' },
          { type: 'cta_url', text: 'Menu', url: 'https://example.com/menu' },
          { type: 'cta_copy', text: 'Voucher', copyCode: 'SOUP10' },
          { type: 'cta_call', text: 'Call', phoneNumber: '+15550002001' },
          {
            type: 'single_select',
            text: 'Choose',
            sections: [
              { title: 'Soups', rows: [{ id: 's1', title: 'Lentil', description: 'Hot' }] },
              { title: 'Salads', rows: [{ id: 's2', title: 'Green' }] },
            ],
          },
        ],
      } as const;
      expect(await sendToAda({ kind: 'interactive', ...interactive })).toMatchObject({
        type: 'interactive',
        ...interactive,
      });
    });
  });
}
