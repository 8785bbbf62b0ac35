import { createHash } from 'node:crypto';
import type { Group } from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { FILES, useFileServer } from './file-server.ts';
import { newPhoneNumber, type Someone, someone, WATCHING } from './numbers.ts';
import { accepted, type Body, createFleet, messagesOn, record, send, shownOn, untilStatus } from './sends.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const files = useFileServer();
const sender = createFleet(gateway);
let ada: Someone;

beforeAll(async () => {
  ada = await someone(gateway);
});

/** Sends to Ada and returns the message on her phone. */
async function shown(body: Body) {
  const id = await accepted(await sender(), { to: ada.phone, ...body });
  return shownOn(gateway, ada, id);
}

describe('text and media', () => {
  test('text arrives, and its progress can be followed', async () => {
    const me = await sender();
    const id = await accepted(me, { to: ada.phone, text: 'Hello, Ada' }, 'order-1042');
    expect(await shownOn(gateway, ada, id)).toMatchObject({
      type: 'text',
      text: 'Hello, Ada',
      sender_phone: me.jid,
      from_me: false,
    });
    expect(await untilStatus(me, id, 'delivered')).toEqual({
      message_id: id,
      request_id: 'order-1042',
      session_id: me.sessionId,
      to: ada.jid,
      type: 'text',
      status: 'delivered',
      network_message_id: id,
      accepted_at_unix: expect.any(Number),
      updated_at_unix: expect.any(Number),
    });
    await gateway.sandbox('POST', `/phones/${ada.phone}/receipts`, { message_id: id, type: 'read' });
    await untilStatus(me, id, 'read');
  });

  test.each([
    ['a JID', () => ada.jid],
    ['a lid', () => ada.lid],
    ['a number with a plus', () => `+${ada.phone}`],
    ['a JID as other clients write it', () => `${ada.phone}@c.us`],
  ])('the recipient may be %s', async (_what, to) => {
    expect(await shown({ to: to(), text: 'Hello' })).toMatchObject({ text: 'Hello' });
  });

  test('the recipient may be a number in another spelling, and the next message leaves right behind it', {
    tags: 'anywhere',
  }, async () => {
    const me = await sender(2);
    const other = newPhoneNumber();
    const rui = await someone(gateway, { other_spelling: other });
    const first = await accepted(me, { to: other, text: 'Hello, Rui' });
    const behind = await accepted(me, { to: ada.phone, text: 'Hello, Ada' });
    expect(await shownOn(gateway, rui, first)).toMatchObject({ text: 'Hello, Rui' });
    await shownOn(gateway, ada, behind);
    for (const id of [first, behind]) await untilStatus(me, id, 'delivered');
    expect(await me.on('POST', '/validate', { numbers: [other] })).toMatchObject({
      body: { results: [{ query: `+${other}`, on_messenger: true, jid: rui.jid }] },
    });
  });

  test('the session may be given without its device', { tags: 'anywhere' }, async () => {
    for (const name of ['jid', 'phone'] as const) {
      const me = await sender();
      const id = await accepted(me, { session_id: me[name], to: ada.phone, text: 'Hello', caption: null });
      expect(await untilStatus(me, id, 'delivered')).toMatchObject({ session_id: me.sessionId });
    }
  });

  test('a reply quotes, and a forwarded message is marked', { tags: 'anywhere' }, async () => {
    const me = await sender();
    const { message_id: question } = await gateway.sandbox<{ message_id: string }>(
      'POST',
      `/phones/${ada.phone}/messages`,
      { to: me.phone, text: 'When?' },
    );
    const id = await accepted(me, {
      to: ada.phone,
      text: 'At nine',
      forwarded: true,
      quoted_message_id: question,
      quoted_participant: ada.jid,
      quoted_text: 'When?',
    });
    expect(await shownOn(gateway, ada, id)).toMatchObject({
      text: 'At nine',
      forwarded: true,
      quoted_message_id: question,
      quoted_participant: ada.jid,
      quoted_text: 'When?',
    });
  });

  test('a reply to the number’s own message in a direct chat quotes the number as its author', {
    tags: 'anywhere',
  }, async () => {
    const me = await sender(3);
    const said = await accepted(me, { to: ada.phone, text: 'At nine' });
    const quoting = { to: ada.phone, text: 'Make it ten', quoted_message_id: said, quoted_text: 'At nine' };
    for (const named of [{}, { quoted_participant: me.sessionId }]) {
      const id = await accepted(me, { ...quoting, ...named });
      expect(await shownOn(gateway, ada, id)).toMatchObject({
        quoted_message_id: said,
        quoted_participant: me.jid,
      });
    }
  });

  test.each([
    ['image', '/picture.png', 'image/png'],
    ['video', '/film.mp4', 'video/mp4'],
    ['audio', '/voice.ogg', 'audio/ogg'],
    ['document', '/tides.pdf', 'application/pdf'],
  ] as const)('%s arrives byte for byte', async (media_type, path, mimetype) => {
    const bytes = FILES[path];
    const caption = media_type === 'audio' ? {} : { caption: 'Look' };
    const message = await shown({ media_type, media_url: files.url(path), ...caption });
    expect(message).toMatchObject({
      type: media_type,
      text: caption.caption ?? '',
      media: { file_length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    });
    expect(JSON.stringify(message.media)).toContain(mimetype);
  });

  test('a document is named after its URL by default', { tags: 'anywhere' }, async () => {
    const document = { media_type: 'document', media_url: files.url('/tides.pdf') };
    expect(await shown(document)).toMatchObject({ media: { filename: 'tides.pdf' } });
    expect(await shown({ ...document, file_name: 'Tides.pdf' })).toMatchObject({
      media: { filename: 'Tides.pdf' },
    });
  });
});

describe('the other kinds', { tags: 'anywhere' }, () => {
  test('sticker', async () => {
    expect(await shown({ type: 'sticker', sticker_url: files.url('/sticker.webp') })).toMatchObject({
      type: 'sticker',
      media: { mimetype: 'image/webp', file_length: FILES['/sticker.webp'].length },
    });
  });

  test('location', async () => {
    const place = { latitude: 53.5, longitude: 10, loc_name: 'Harbour', loc_address: 'Pier 1' };
    expect(await shown({ type: 'location', ...place })).toMatchObject({
      type: 'location',
      location: { latitude: 53.5, longitude: 10, name: 'Harbour', address: 'Pier 1' },
    });
  });

  test('contact', async () => {
    const contact = { display_name: 'Ben', vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben\nEND:VCARD' };
    expect(await shown({ type: 'contact', ...contact })).toMatchObject({ type: 'contact', contact });
  });

  test('poll', async () => {
    const poll = { poll_name: 'When?', poll_options: ['Tue', 'Thu'], poll_selectable_count: 1 };
    expect(await shown({ type: 'poll', ...poll })).toMatchObject({
      type: 'poll',
      poll: { name: 'When?', options: ['Tue', 'Thu'], selectable_count: 1 },
    });
  });

  test('interactive', async () => {
    const buttons = [
      { type: 'quick_reply', display_text: 'Yes', id: 'yes' },
      { type: 'cta_url', display_text: 'More', url: 'https://example.com/more' },
      { type: 'cta_copy', display_text: 'Copy', copy_code: 'C0DE' },
    ];
    const sections = [{ title: 'Days', rows: [{ id: 'tue', title: 'Tuesday' }] }];
    const more = [
      { type: 'cta_call', display_text: 'Call', phone_number: '+15550002001' },
      { type: 'single_select', display_text: 'Choose', sections },
    ];
    for (const interactive_buttons of [buttons, more]) {
      const body = { interactive_body: 'Coming?', interactive_footer: 'Please answer', interactive_buttons };
      expect(await shown({ type: 'interactive', ...body })).toMatchObject({
        type: 'interactive',
        interactive: { body: 'Coming?', footer: 'Please answer', buttons: interactive_buttons },
      });
    }
  });

  test('reaction, edit and revocation change the message of their id', async () => {
    const me = await sender(5);
    const id = await accepted(me, { to: ada.phone, text: 'At nine' });
    const about = { to: ada.phone, reacted_message_id: id, reacted_from_me: true };
    const untilShown = (expected: Body) =>
      vi.waitFor(async () => expect(await shownOn(gateway, ada, id)).toMatchObject(expected), WATCHING);

    await accepted(me, { ...about, type: 'reaction', emoji: '👍' });
    await untilShown({ reactions: [{ emoji: '👍' }] });
    await accepted(me, { ...about, type: 'reaction', emoji: '' });
    await untilShown({ reactions: [] });
    await accepted(me, { to: ada.phone, type: 'edit', edit_message_id: id, text: 'At ten' });
    await untilShown({ edited: true, text: 'At ten' });
    await accepted(me, { to: ada.phone, type: 'revoke', revoked_message_id: id, revoked_from_me: true });
    await untilShown({ revoked: true, text: '' });
  });

  test('a timer is a setting: it has no id', async () => {
    const me = await sender(2);
    const answer = await send(me, { to: ada.jid, type: 'disappearing', disappearing_timer: '24h' });
    expect(answer).toMatchObject({ status: 202, body: { status: 'accepted' } });
    expect(answer.body).not.toHaveProperty('message_id');
    const id = await accepted(me, { to: ada.phone, text: 'Gone tomorrow' });
    expect(await shownOn(gateway, ada, id)).toMatchObject({ expires_in_seconds: 86_400 });
  });

  test('status goes to the contacts in the address book', async () => {
    const me = await sender(2);
    const contact = { phone: ada.phone, first_name: 'Ada', full_name: 'Ada Lovelace' };
    await gateway.sandbox('POST', `/phones/${me.phone}/contacts`, contact);
    await vi.waitFor(async () => {
      const { body } = await me.on<{ contacts: { jid: string }[] }>('GET', '/contacts');
      expect(body.contacts).toContainEqual(expect.objectContaining({ full_name: 'Ada Lovelace' }));
    }, WATCHING);
    const words = await accepted(me, { type: 'status', status_type: 'text', text: 'Open until 8' });
    expect(await shownOn(gateway, ada, words)).toMatchObject({ broadcast: true, text: 'Open until 8' });
    const media_url = files.url('/picture.png');
    const picture = await accepted(me, { type: 'status', status_type: 'image', media_url, caption: 'New' });
    expect(await shownOn(gateway, ada, picture)).toMatchObject({
      broadcast: true,
      type: 'image',
      text: 'New',
    });
    expect(await untilStatus(me, words, 'delivered')).toMatchObject({ type: 'status', to: '' });
  });
});

describe('groups', () => {
  test('members get messages to the group, and invitations have its name', async () => {
    const me = await sender(3);
    const { body: group } = await me.on<Group>('POST', '/groups', {
      name: 'Launch team',
      participants: [ada.jid],
    });
    const hello = await accepted(me, { to: group.jid, text: 'Hello all' });
    expect(await shownOn(gateway, ada, hello)).toMatchObject({ is_group: true, chat_jid: group.jid });

    const ben = await someone(gateway, { name: 'Ben' });
    const invitation = { type: 'group_invite', group_invite_jid: group.jid, caption: 'Join us' };
    const id = await accepted(me, { to: ben.phone, ...invitation });
    expect(await shownOn(gateway, ben, id)).toMatchObject({
      type: 'group_invite',
      text: 'Join us',
      group_invite: { group_jid: group.jid, name: 'Launch team' },
    });
  });

  test('a message to a foreign group fails', async () => {
    const me = await sender();
    const { jid } = await gateway.sandbox<Group>('POST', `/phones/${ada.phone}/groups`, {
      name: 'Others',
      participants: [],
    });
    const id = await accepted(me, { to: jid, text: 'Let me in' });
    expect(await untilStatus(me, id, 'failed')).toMatchObject({ reason: 'SEND_FAILED' });
  });
});

describe('what cannot arrive fails with a reason', { tags: 'anywhere' }, () => {
  test('a number that is not on the network', async () => {
    const me = await sender();
    const id = await accepted(me, { to: newPhoneNumber(), text: 'Hello?' });
    const failed = await untilStatus(me, id, 'failed');
    expect(failed).toMatchObject({ reason: 'INVALID_RECIPIENT' });
    expect(failed).not.toHaveProperty('network_message_id');
  });

  test.each([
    ['a group that does not exist', '120363000000000000@g.us'],
    ['an unknown LID', '99999999999999@lid'],
  ])('%s', async (_what, to) => {
    const me = await sender();
    const id = await accepted(me, { to, text: 'Hello?' });
    expect(await untilStatus(me, id, 'failed')).toMatchObject({ reason: 'INVALID_RECIPIENT' });
  });

  test.each([
    ['a file that is not there', { media_type: 'image', path: '/nothing.png' }],
    ['a page that is no image', { media_type: 'image', path: '/page.html' }],
    ['an image that is no video', { media_type: 'video', path: '/picture.png' }],
  ])('%s', async (_what, { media_type, path }) => {
    const me = await sender();
    const id = await accepted(me, { to: ada.phone, media_type, media_url: files.url(path) });
    expect(await untilStatus(me, id, 'failed')).toMatchObject({ type: 'media', reason: 'MEDIA_FAILED' });
  });

  test('a sticker that is not a WebP', async () => {
    const me = await sender();
    const sticker_url = files.url('/no-sticker.webp');
    const id = await accepted(me, { to: ada.phone, type: 'sticker', sticker_url });
    expect(await untilStatus(me, id, 'failed')).toMatchObject({ type: 'sticker', reason: 'MEDIA_FAILED' });
  });

  test.each([463, 479])('a permanent refusal of the network, with %i', async (code) => {
    const me = await sender(2);
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'send_permanent', code });
    const [refused, next] = [
      await accepted(me, { to: ada.phone, text: 'Refused' }),
      await accepted(me, { to: ada.phone, text: 'Next' }),
    ];
    expect(await untilStatus(me, refused, 'failed')).toMatchObject({ reason: 'SEND_FAILED' });
    await untilStatus(me, next, 'delivered');
  });

  test('a transient refusal of the network is retried, in order', async () => {
    const me = await sender(2);
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'send_transient', count: 1 });
    const ids = [
      await accepted(me, { to: ada.phone, text: 'Later' }),
      await accepted(me, { to: ada.phone, text: 'After that' }),
    ];
    for (const id of ids) await untilStatus(me, id, 'delivered');
    const seen = (await messagesOn(gateway, ada)).map(({ message_id }) => message_id);
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
  });
});

test('a message of another account is not found', async () => {
  const [me, they] = [await sender(), await createFleet(gateway)()];
  const id = await accepted(me, { to: ada.phone, text: 'Mine' });
  expect(await record(they, id)).toMatchObject({ status: 404, body: { error: 'message not found' } });
});
