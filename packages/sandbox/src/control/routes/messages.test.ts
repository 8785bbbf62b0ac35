import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ada, ben, cleo, handset, unregistered } from '../../world/fixture.ts';
import { createTestControl, onePixel } from '../fixture.ts';

const jid = (phone: string) => `${phone}@s.whatsapp.net`;

/** Ada writes to Ben; returns what Ben's phone shows. */
async function sent(body: object) {
  const control = createTestControl();
  const answer = await control.post(`/phones/${ada}/messages`, { to: ben, ...body });
  expect(answer).toEqual({ status: 201, body: { message_id: expect.any(String) } });
  const { messages } = (await control.get(`/phones/${ben}/messages`)).body;
  return { ...control, message: messages.at(-1), id: answer.body.message_id };
}

test('a text arrives and looks the same on both phones', async () => {
  const { get, message, id, world } = await sent({ text: 'hello' });
  expect(message).toEqual({
    message_id: id,
    chat_jid: jid(ada),
    sender_jid: jid(ada),
    sender_phone: jid(ada),
    from_me: false,
    is_group: false,
    broadcast: false,
    type: 'text',
    text: 'hello',
    timestamp_unix: world.clock.now() / 1_000,
    expires_in_seconds: 0,
    receipts: [{ jid: jid(ben), type: 'delivered', timestamp_unix: world.clock.now() / 1_000 }],
    edited: false,
    revoked: false,
    reactions: [],
  });
  const [own] = (await get(`/phones/${ada}/messages?chat=${ben}`)).body.messages;
  expect(own).toMatchObject({ from_me: true, chat_jid: jid(ben), receipts: [{ type: 'delivered' }] });
  expect((await get(`/phones/${ada}/messages?chat=${cleo}`)).body).toEqual({ messages: [] });
});

test('the file of a message is served by its name', async () => {
  const { get, message } = await sent({
    media_type: 'image',
    media_base64: onePixel.toString('base64'),
    mimetype: 'image/png',
  });
  expect(await get(`/media/${message.media.sha256}`)).toEqual({
    status: 200,
    body: { media_base64: onePixel.toString('base64') },
  });
  expect(await get('/media/none')).toEqual({ status: 404, body: { error: 'there is no file none' } });
});

test('replies and forwards carry their marks', async () => {
  const { message } = await sent({
    text: 'yes',
    forwarded: true,
    quoted_message_id: 'Q',
    quoted_text: 'sure?',
  });
  expect(message).toMatchObject({
    forwarded: true,
    quoted_message_id: 'Q',
    quoted_participant: jid(ben),
    quoted_text: 'sure?',
  });
});

test('a phone mentions people, sends a view-once file and a live location', async () => {
  const named = await sent({ text: '@Cleo', mentions: [cleo, jid(ben)] });
  expect(named.message).toMatchObject({ mentions: [jid(cleo), jid(ben)] });
  const media = { media_type: 'image', media_base64: onePixel.toString('base64'), mimetype: 'image/png' };
  expect((await sent({ ...media, view_once: true })).message).toMatchObject({ view_once: true });
  const place = { type: 'location', latitude: 1, longitude: 2 };
  expect((await sent({ ...place, live: true })).message).toMatchObject({ location: { live: true } });
  expect((await sent(place)).message.location).not.toHaveProperty('live');
});

test.each([
  [{ text: 'hi', mentions: [unregistered] }, `mentions: unknown address ${unregistered}`],
  [{ text: 'hi', mentions: 'Ben' }, 'mentions must be an array'],
  [{ text: 'hi', view_once: true }, 'view_once applies to images, videos and audios only'],
  [{ text: 'hi', live: true }, 'live applies to locations only'],
  [
    { type: 'location', latitude: 1, longitude: 2, mentions: [ben] },
    'mentions apply to texts, images and videos only',
  ],
])('a mark that does not fit is refused: %j', async (body, error) => {
  const { post } = createTestControl();
  expect(await post(`/phones/${ada}/messages`, { to: ben, ...body })).toEqual({
    status: 400,
    body: { error },
  });
});

test('media comes inside the body or by URL', async () => {
  const media_base64 = onePixel.toString('base64');
  const sha256 = createHash('sha256').update(onePixel).digest('hex');
  const inside = await sent({ media_type: 'image', media_base64, mimetype: 'image/png', caption: 'dot' });
  expect(inside.message).toMatchObject({
    type: 'image',
    text: 'dot',
    media: { mimetype: 'image/png', file_length: onePixel.length, sha256 },
  });
  const byUrl = await sent({
    media_type: 'document',
    media_url: 'https://files.example.com/a/My%20file.png?x=1',
  });
  expect(byUrl.message.media).toEqual({
    mimetype: 'image/png',
    file_length: onePixel.length,
    sha256,
    filename: 'My file.png',
  });
  const sticker = await sent({ type: 'sticker', media_base64, mimetype: 'image/webp' });
  expect(sticker.message).toMatchObject({ type: 'sticker', media: { mimetype: 'image/webp' } });
  const named = await sent({
    media_type: 'document',
    media_base64,
    mimetype: 'application/pdf',
    file_name: 'Invoice.pdf',
  });
  expect(named.message.media.filename).toBe('Invoice.pdf');
});

const largest = 64 * 1024 * 1024;
const document = (media_base64: string) => ({
  media_type: 'document',
  media_base64,
  mimetype: 'application/octet-stream',
});

test('a file of 64 MB comes inside the body unchanged', async () => {
  const file = Buffer.alloc(largest, 'parley');
  const { message, world } = await sent(document(file.toString('base64')));
  expect(message.media).toMatchObject({ file_length: largest });
  expect(file.equals(world.media.read(message.media.sha256) ?? Buffer.alloc(0))).toBe(true);
});

test('a file above 64 MB, and a large one that is not base64, are refused in one sentence', async () => {
  const { post } = createTestControl();
  const refused = async (media_base64: string, error: string) =>
    expect(await post(`/phones/${ada}/messages`, { to: ben, ...document(media_base64) })).toEqual({
      status: 400,
      body: { error },
    });
  await refused(Buffer.alloc(largest + 1).toString('base64'), 'media_base64 is larger than 64 MB');
  const large = Buffer.alloc(8 * 1024 * 1024).toString('base64');
  const notBase64 = 'media_base64 must be standard base64';
  await refused(`${large.slice(0, -1)}-`, notBase64);
  await refused(`${large.slice(0, -1)} `, notBase64);
  await refused(`${large}A`, notBase64);
  await refused(`${large}====`, notBase64);
  await refused(`${large}A===`, notBase64);
  await refused(`${large.slice(0, 4)}AA==${large}`, notBase64);
});

test('a send is validated like one of the gateway', async () => {
  const { post } = createTestControl();
  const refused = async (body: object, status: number, error: string) =>
    expect(await post(`/phones/${ada}/messages`, body)).toEqual({ status, body: { error } });
  await refused({ to: ben }, 400, 'text, or media_type and media_url, is required');
  await refused({ to: ben, text: 'x', session_id: 's' }, 400, 'unknown field session_id');
  await refused({ to: ben, txt: 'x' }, 400, 'unknown field txt');
  await refused({ to: ben, media_type: 'image' }, 400, 'media_type and media_url are required together');
  await refused(
    { to: ben, media_type: 'image', media_base64: 'AA==' },
    400,
    'media_base64 and mimetype are required together',
  );
  await refused(
    { to: ben, media_type: 'image', media_base64: '?', mimetype: 'image/png' },
    400,
    'media_base64 must be standard base64',
  );
  await refused(
    { to: ben, media_type: 'image', media_url: 'https://elsewhere.example.com/x' },
    400,
    'media_url could not be downloaded',
  );
  await refused({ to: unregistered, text: 'x' }, 404, `${jid(unregistered)} is not on this network`);
  await refused({ to: '1@g.us', text: 'x' }, 404, 'there is no group 1@g.us');
});

test('location, contact and timer arrive with their fields', async () => {
  const place = await sent({ type: 'location', latitude: 1.5, longitude: -2, loc_name: 'Pier' });
  expect(place.message.location).toEqual({ latitude: 1.5, longitude: -2, name: 'Pier', address: '' });
  const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Cleo\nEND:VCARD';
  const card = await sent({ type: 'contact', display_name: 'Cleo', vcard });
  expect(card.message.contact).toEqual({ display_name: 'Cleo', vcard });
  const timer = await sent({ type: 'disappearing', disappearing_timer: '24h' });
  expect(timer.message).toMatchObject({ type: 'disappearing', disappearing_seconds: 86_400 });
});

test('an edit, a deletion and a reaction show on the message', async () => {
  const { get, post, message, id } = await sent({ text: 'helo' });
  await post(`/phones/${ada}/messages`, { to: ben, type: 'edit', edit_message_id: id, text: 'hello' });
  await post(`/phones/${ben}/messages`, { to: ada, type: 'reaction', reacted_message_id: id, emoji: '👍' });
  const shown = async () => (await get(`/phones/${ben}/messages`)).body.messages;
  expect(await shown()).toEqual([
    {
      ...message,
      text: 'hello',
      edited: true,
      reactions: [{ jid: jid(ben), emoji: '👍', timestamp_unix: message.timestamp_unix }],
    },
  ]);
  const late = await post(`/phones/${ben}/messages`, {
    to: ada,
    type: 'revoke',
    revoked_message_id: id,
    revoked_from_me: true,
  });
  expect(late).toEqual({ status: 403, body: { error: 'only the author may delete a message' } });
  await post(`/phones/${ada}/messages`, {
    to: ben,
    type: 'revoke',
    revoked_message_id: id,
    revoked_from_me: true,
  });
  expect((await shown())[0]).toMatchObject({ revoked: true, text: '' });
});

test('a poll shows its voters by option', async () => {
  const { get, post, id } = await sent({
    type: 'poll',
    poll_name: 'Tea?',
    poll_options: ['yes', 'no'],
    poll_selectable_count: 1,
  });
  const vote = (phone: string, options: string[]) =>
    post(`/phones/${phone}/votes`, { poll_message_id: id, options });
  expect(await vote(ben, ['yes'])).toEqual({ status: 204, body: undefined });
  expect(await vote(ben, ['coffee'])).toEqual({
    status: 400,
    body: { error: 'the poll has no such option' },
  });
  expect((await vote(cleo, ['yes'])).status).toBe(404);
  const [poll] = (await get(`/phones/${ada}/messages`)).body.messages;
  expect(poll.poll).toEqual({
    name: 'Tea?',
    options: ['yes', 'no'],
    selectable_count: 1,
    votes: [{ jid: jid(ben), options: ['yes'] }],
  });
});

test('a pressed button answers', async () => {
  const buttons = [
    { type: 'quick_reply', display_text: 'Yes', id: 'yes' },
    { type: 'cta_url', display_text: 'See', url: 'https://example.com' },
    {
      type: 'single_select',
      display_text: 'More',
      sections: [{ title: 'S', rows: [{ id: 'r', title: 'Row' }] }],
    },
  ];
  const { get, post, message, id } = await sent({
    type: 'interactive',
    interactive_body: 'Well?',
    interactive_buttons: buttons,
  });
  expect(message.interactive).toEqual({ body: 'Well?', footer: '', buttons });
  const press = (button: string) => post(`/phones/${ben}/button-presses`, { message_id: id, id: button });
  expect(await press('yes')).toEqual({ status: 201, body: { message_id: expect.any(String) } });
  expect((await press('nope')).status).toBe(404);
  const answer = (await get(`/phones/${ada}/messages`)).body.messages.at(-1);
  expect(answer).toMatchObject({
    type: 'button_response',
    text: 'Yes',
    button_response: {
      message_id: id,
      selected_id: 'yes',
      selected_text: 'Yes',
      params_json: '{"id":"yes"}',
    },
  });
});

test('a read receipt is sent, and a played receipt needs playable media', async () => {
  const { get, post, id } = await sent({ text: 'hello' });
  const mark = (type: string, message_id = id) => post(`/phones/${ben}/receipts`, { message_id, type });
  expect(await mark('read')).toEqual({ status: 204, body: undefined });
  expect((await mark('played')).status).toBe(400);
  expect((await mark('read', 'unknown')).status).toBe(404);
  expect((await mark('eaten')).body).toEqual({ error: 'type must be one of read, played' });
  const [message] = (await get(`/phones/${ada}/messages`)).body.messages;
  expect(message.receipts.map(({ type }: { type: string }) => type)).toEqual(['delivered', 'read']);
});

test('a story reaches the contacts of its author', async () => {
  const { get, post } = createTestControl();
  await post(`/phones/${ada}/contacts`, { phone: ben, first_name: 'Ben', full_name: 'Ben' });
  await post(`/phones/${ada}/messages`, { type: 'status', status_type: 'text', text: 'sun' });
  await post(`/phones/${ada}/messages`, {
    type: 'status',
    status_type: 'image',
    media_base64: onePixel.toString('base64'),
    mimetype: 'image/png',
    caption: 'look',
  });
  const { messages } = (await get(`/phones/${ben}/messages?chat=status%40broadcast`)).body;
  expect(messages).toMatchObject([
    { chat_jid: 'status@broadcast', broadcast: true, type: 'text', text: 'sun', sender_jid: jid(ada) },
    { type: 'image', text: 'look' },
  ]);
  expect((await get(`/phones/${cleo}/messages`)).body.messages).toEqual([]);
});

test('in a group people are addressed by LID, with the number beside it', async () => {
  const { world, get, post } = createTestControl();
  const { group } = world.groups.create(handset(ada), { name: 'Club', participants: [ben, cleo] });
  await post(`/phones/${ada}/messages`, { to: group.jid, text: 'all' });
  const [message] = (await get(`/phones/${ben}/messages?chat=${encodeURIComponent(group.jid)}`)).body
    .messages;
  expect(message).toMatchObject({
    is_group: true,
    chat_jid: group.jid,
    sender_jid: `${world.phones.get(ada).lid}@lid`,
    sender_phone: jid(ada),
  });
  const invite = await post(`/phones/${ada}/messages`, {
    to: cleo,
    type: 'group_invite',
    group_invite_jid: group.jid,
    caption: 'come',
  });
  expect(invite.status).toBe(201);
  const shown = (await get(`/phones/${cleo}/messages?chat=${ada}`)).body.messages.at(-1);
  expect(shown).toMatchObject({
    text: 'come',
    group_invite: {
      group_jid: group.jid,
      name: 'Club',
      code: world.groups.inviteCode(handset(ada), group.jid),
    },
  });
});

test('only the newest messages are shown with a limit', async () => {
  const { get, post } = createTestControl();
  for (const text of ['one', 'two', 'three']) await post(`/phones/${ada}/messages`, { to: ben, text });
  const { messages } = (await get(`/phones/${ben}/messages?limit=2`)).body;
  expect(messages.map(({ text }: { text: string }) => text)).toEqual(['two', 'three']);
});

test('an unknown query parameter is refused', async () => {
  const { get } = createTestControl();
  expect((await get(`/phones/${ada}/messages?limit=0`)).body).toEqual({
    error: 'limit must be an integer of at least 1',
  });
  expect(await get(`/phones/${ada}/messages?caht=1`)).toEqual({
    status: 400,
    body: { error: 'unknown field caht' },
  });
});
