import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ada, ben, type Sender, useTestHarness } from '../testing/harness.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom0000isomiso2')]);
const OGG = Buffer.from('OggS and some sound');
const PDF = Buffer.from('%PDF-1.4 high water at nine');
const FILES: Record<string, Buffer> = {
  // Names and types lie on purpose: only the bytes count.
  '/picture.exe': PNG,
  '/sticker.webp': WEBP,
  '/film': MP4,
  '/voice.txt': OGG,
  '/tides.pdf': PDF,
};

const handset = (phone: string) => ({ phone, device: 0 });

describe('a message of each kind arrives unchanged', () => {
  const harness = useTestHarness();
  beforeEach(() => void harness.start());
  const server = createServer((request, response) => response.end(FILES[request.url ?? '']));
  const url = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)));
  afterAll(() => new Promise((closed) => server.close(closed)));

  async function sent(me: Sender, body: Record<string, unknown>): Promise<string> {
    const id = await me.send(body);
    await harness.untilStatus(id, 'sent');
    return id;
  }

  /** Sends it to Ada and returns what her phone shows. */
  async function shown(body: Record<string, unknown>) {
    const me = await harness.newSender();
    const id = await sent(me, { to: ada, ...body });
    expect(readdirSync(harness.folder)).toEqual([]);
    return harness.world.messages.find(ada, id)?.content;
  }
  const bytesOf = (content: unknown): Uint8Array | undefined =>
    harness.world.media.read((content as { media: { id: string } }).media.id);

  it('text', async () => {
    expect(await shown({ text: 'Hello' })).toEqual({ type: 'text', text: 'Hello' });
  });

  it('a reply, and a forwarded message', async () => {
    const me = await harness.newSender();
    const { id } = harness.world.messages.send(handset(ada), {
      id: 'QUESTION',
      to: me.number.phone,
      content: { type: 'text', text: 'When?' },
    });
    const quoting = {
      quoted_message_id: id,
      quoted_participant: `${ada}@s.whatsapp.net`,
      quoted_text: 'When?',
    };
    const answer = await sent(me, { to: ada, text: 'At nine', forwarded: true, ...quoting });
    expect(harness.world.messages.find(ada, answer)?.content).toEqual({
      type: 'text',
      text: 'At nine',
      forwarded: true,
      quote: { id, sender: ada, text: 'When?' },
    });
  });

  it('a reply to the number’s own message in a direct chat, quoted with its own author', async () => {
    const me = await harness.newSender();
    const own = `${me.number.phone}@s.whatsapp.net`;
    const said = await sent(me, { to: ada, text: 'At nine' });
    const quoting = { to: ada, text: 'Make it ten', quoted_message_id: said, quoted_text: 'At nine' };
    for (const named of [{}, { quoted_participant: own }, { quoted_participant: me.device.sessionId }]) {
      const answer = await sent(me, { ...quoting, ...named });
      expect(harness.world.messages.find(ada, answer)?.content).toMatchObject({
        quote: { id: said, sender: me.number.phone, text: 'At nine' },
      });
    }
    const others = await sent(await harness.newSender(), quoting);
    expect(harness.world.messages.find(ada, others)?.content).not.toMatchObject({
      quote: { sender: me.number.phone },
    });
  });

  it.each([
    ['image', '/picture.exe', PNG, 'image/png'],
    ['video', '/film', MP4, 'video/mp4'],
  ])('%s with a caption', async (media_type, path, bytes, mimetype) => {
    const content = await shown({ media_type, media_url: url(path), caption: 'Look' });
    expect(content).toMatchObject({
      type: media_type,
      caption: 'Look',
      media: { mimetype, size: bytes.length },
    });
    expect(bytesOf(content)).toEqual(new Uint8Array(bytes));
  });

  it('audio', async () => {
    const content = await shown({ media_type: 'audio', media_url: url('/voice.txt') });
    expect(content).toMatchObject({ type: 'audio', media: { mimetype: 'audio/ogg', size: OGG.length } });
  });

  it('document, named by its URL or by the caller', async () => {
    const document = { media_type: 'document', media_url: url('/tides.pdf') };
    expect(await shown(document)).toMatchObject({
      type: 'document',
      fileName: 'tides.pdf',
      media: { mimetype: 'application/pdf' },
    });
    expect(await shown({ ...document, file_name: 'Tides.pdf', caption: 'For tomorrow' })).toMatchObject({
      fileName: 'Tides.pdf',
      caption: 'For tomorrow',
    });
  });

  it('sticker', async () => {
    const content = await shown({ type: 'sticker', sticker_url: url('/sticker.webp') });
    expect(content).toMatchObject({ type: 'sticker', media: { mimetype: 'image/webp' } });
  });

  it('location', async () => {
    const place = { latitude: 53.5, longitude: 10, loc_name: 'Harbour', loc_address: 'Pier 1' };
    expect(await shown({ type: 'location', ...place })).toEqual({
      type: 'location',
      latitude: 53.5,
      longitude: 10,
      name: 'Harbour',
      address: 'Pier 1',
    });
  });

  it('contact', async () => {
    const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben\nEND:VCARD';
    expect(await shown({ type: 'contact', display_name: 'Ben', vcard })).toEqual({
      type: 'contact',
      displayName: 'Ben',
      vcard,
    });
  });

  it('poll, with any number of choices by default', async () => {
    const poll = { type: 'poll', poll_name: 'When?', poll_options: ['Tue', 'Thu'] };
    const expected = { type: 'poll', name: 'When?', options: ['Tue', 'Thu'] };
    expect(await shown(poll)).toMatchObject({ ...expected, selectableCount: 0 });
    expect(await shown({ ...poll, poll_selectable_count: 1 })).toMatchObject({
      ...expected,
      selectableCount: 1,
    });
  });

  it('interactive, with every kind of button', async () => {
    const sections = [{ title: 'Days', rows: [{ id: 'tue', title: 'Tuesday', description: 'morning' }] }];
    const content = (buttons: object[]) =>
      shown({
        type: 'interactive',
        interactive_body: 'Choose',
        interactive_footer: 'or not',
        interactive_buttons: buttons,
      });
    expect(
      await content([
        { type: 'quick_reply', display_text: 'Yes', id: 'y' },
        { type: 'cta_url', display_text: 'More', url: 'https://example.com' },
        { type: 'cta_copy', display_text: 'Copy', copy_code: 'C0DE' },
      ]),
    ).toEqual({
      type: 'interactive',
      body: 'Choose',
      footer: 'or not',
      buttons: [
        { type: 'quick_reply', text: 'Yes', id: 'y' },
        { type: 'cta_url', text: 'More', url: 'https://example.com' },
        { type: 'cta_copy', text: 'Copy', copyCode: 'C0DE' },
      ],
    });
    expect(
      await content([
        { type: 'cta_call', display_text: 'Call', phone_number: '+15550002001' },
        { type: 'single_select', display_text: 'Days', sections },
      ]),
    ).toMatchObject({
      buttons: [
        { type: 'cta_call', text: 'Call', phoneNumber: '+15550002001' },
        { type: 'single_select', text: 'Days', sections },
      ],
    });
  });

  it('group invitation, with the network’s code and name', async () => {
    const me = await harness.newSender();
    const { group } = harness.world.groups.create(me.device, { name: 'Launch team', participants: [ben] });
    const invitation = { type: 'group_invite', group_invite_jid: group.jid, caption: 'Join us' };
    const id = await sent(me, { to: ada, ...invitation });
    expect(harness.world.messages.find(ada, id)?.content).toEqual({
      type: 'group_invite',
      group: group.jid,
      name: 'Launch team',
      caption: 'Join us',
      code: harness.world.groups.inviteCode(me.device, group.jid),
    });
  });

  it('disappearing, which is a setting of the chat', async () => {
    expect(await shown({ type: 'disappearing', disappearing_timer: '7d' })).toEqual({
      type: 'disappearing',
      seconds: 604_800,
    });
  });

  it('a message in a group', async () => {
    const me = await harness.newSender();
    const participants = [ada, ben];
    const { group } = harness.world.groups.create(me.device, { name: 'Launch team', participants });
    const id = await sent(me, { to: group.jid, text: 'Hello all' });
    for (const phone of participants) {
      expect(harness.world.messages.find(phone, id)).toMatchObject({
        chat: { kind: 'group', jid: group.jid },
      });
    }
  });

  it('status, for the contacts in the address book', async () => {
    const me = await harness.newSender();
    harness.world.contacts.save(me.device, { phone: ada, firstName: 'Ada', fullName: 'Ada Lovelace' });
    const words = await sent(me, { type: 'status', status_type: 'text', text: 'Open' });
    const media_url = url('/picture.exe');
    const picture = await sent(me, { type: 'status', status_type: 'image', media_url, caption: 'New' });
    expect(harness.world.messages.find(ada, words)).toMatchObject({
      chat: { kind: 'status' },
      content: { type: 'text', text: 'Open' },
    });
    expect(harness.world.messages.find(ada, picture)?.content).toMatchObject({
      type: 'image',
      caption: 'New',
    });
    expect(harness.world.messages.find(ben, words)).toBeUndefined();
  });

  it('reaction, edit and revocation change the message that they name', async () => {
    const me = await harness.newSender();
    const id = await sent(me, { to: ada, text: 'At nine' });
    await sent(me, { to: ada, type: 'reaction', reacted_message_id: id, reacted_from_me: true, emoji: '👍' });
    await sent(me, { to: ada, type: 'edit', edit_message_id: id, text: 'At ten' });
    expect(harness.world.messages.find(ada, id)).toMatchObject({
      edited: { text: 'At ten' },
      reactions: [{ emoji: '👍', person: { phone: me.number.phone } }],
    });
    await sent(me, { to: ada, type: 'reaction', reacted_message_id: id, reacted_from_me: true, emoji: '' });
    expect(harness.world.messages.find(ada, id)?.reactions).toEqual([]);
    await sent(me, { to: ada, type: 'revoke', revoked_message_id: id, revoked_from_me: true });
    expect(harness.world.messages.find(ada, id)?.revoked).toMatchObject({ by: { phone: me.number.phone } });
  });
});
