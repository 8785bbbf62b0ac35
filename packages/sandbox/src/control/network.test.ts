import { expect, test } from 'vitest';
import { ada, ben, handset, linked, listen, settled, text, unregistered } from '../world/fixture.ts';
import { createTestControl, onePixel } from './fixture.ts';

test('typing shows on the other side until it stops', async () => {
  const { get, post } = createTestControl();
  const type = (body: object) => post(`/phones/${ada}/typing`, body);
  expect(await type({ to: ben, typing: true, media: 'audio' })).toEqual({ status: 204, body: undefined });
  expect((await get(`/phones/${ben}`)).body.typing).toEqual([
    { chat_jid: `${ada}@s.whatsapp.net`, sender_jid: `${ada}@s.whatsapp.net`, media: 'audio' },
  ]);
  await type({ to: ben, typing: false });
  expect((await get(`/phones/${ben}`)).body.typing).toEqual([]);
  expect((await type({ typing: true })).body).toEqual({ error: 'to is required' });
  expect((await type({ to: ben, media: 'video' })).body).toEqual({
    error: 'media must be one of text, audio',
  });
  expect((await type({ to: unregistered })).status).toBe(404);
});

test('presence is as the phone set it', async () => {
  const { get, post } = createTestControl();
  await post(`/phones/${ada}/presence`, { online: true });
  expect((await get(`/phones/${ada}`)).body.online).toBe(true);
  expect(await post(`/phones/${ada}/presence`, { online: false, last_seen_unix: 1_700_000_000 })).toEqual({
    status: 204,
    body: undefined,
  });
  expect((await get(`/phones/${ada}`)).body).toMatchObject({ online: false, last_seen_unix: 1_700_000_000 });
  expect((await post(`/phones/${ada}/presence`, {})).body).toEqual({ error: 'online is required' });
});

test('a call rings, and ends once', async () => {
  const { world, get, post } = createTestControl();
  const desk = linked(world, ben);
  const call = await post(`/phones/${ada}/calls`, { to: ben, video: true });
  expect(call).toEqual({ status: 201, body: { call_id: expect.any(String) } });
  const end = () => post(`/phones/${ada}/calls/${call.body.call_id}/terminate`, { reason: 'busy' });
  expect(await end()).toEqual({ status: 204, body: undefined });
  expect((await end()).status).toBe(410);
  expect((await post(`/phones/${ada}/calls/none/terminate`)).status).toBe(404);
  await settled();
  expect(desk.news('call').map(({ event, reason }) => [event, reason])).toEqual([
    ['offer', undefined],
    ['terminate', 'busy'],
  ]);
  expect((await get(`/phones/${ada}`)).body.calls).toMatchObject([
    { direction: 'outgoing', peer_jid: `${ben}@s.whatsapp.net`, video: true, state: 'ended', reason: 'busy' },
  ]);
});

test("a group is created with the body of the gateway's endpoint", async () => {
  const { world, get, post } = createTestControl();
  const made = await post(`/phones/${ada}/groups`, {
    name: 'Club',
    participants: [`${ben}@s.whatsapp.net`],
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    name: 'Club',
    description: '',
    owner_jid: `${world.phones.get(ada).lid}@lid`,
    announce: false,
    locked: false,
    participants: [
      { phone_jid: `${ada}@s.whatsapp.net`, is_admin: true, is_super_admin: true },
      { phone_jid: `${ben}@s.whatsapp.net`, is_admin: false, is_super_admin: false },
    ],
  });
  expect((await get(`/phones/${ben}`)).body.groups).toEqual([made.body]);
  const long = await post(`/phones/${ada}/groups`, { name: 'x'.repeat(26), participants: [] });
  expect(long).toEqual({ status: 400, body: { error: 'name must be at most 25 characters' } });
});

test('a channel is created, posted to and read', async () => {
  const { get, post } = createTestControl();
  const made = await post(`/phones/${ada}/channels`, {
    name: 'News',
    description: 'Daily',
    picture_url: 'https://files.example.com/logo.png',
  });
  expect(made).toEqual({
    status: 201,
    body: {
      jid: expect.stringMatching(/@newsletter$/),
      name: 'News',
      description: 'Daily',
      subscriber_count: 1,
      invite_code: expect.any(String),
    },
  });
  const path = `/channels/${encodeURIComponent(made.body.jid)}/messages`;
  const first = await post(`/phones/${ada}${path}`, { text: 'hello' });
  expect(first).toEqual({ status: 201, body: { message_id: expect.any(String), server_id: 100 } });
  await post(`/phones/${ada}${path}`, {
    media_type: 'image',
    media_base64: onePixel.toString('base64'),
    mimetype: 'image/png',
    caption: 'dot',
  });
  expect((await post(`/phones/${ben}${path}`, { text: 'me too' })).status).toBe(403);
  expect((await post(`/phones/${ada}${path}`, {})).status).toBe(400);
  expect((await post(`/phones/${ada}/channels/1%40newsletter/messages`, { text: 'x' })).status).toBe(404);
  const { messages } = (await get(`/phones/${ben}/messages?chat=${encodeURIComponent(made.body.jid)}`)).body;
  expect(messages).toMatchObject([
    { message_id: first.body.message_id, server_id: 100, type: 'text', text: 'hello', from_me: false },
    { server_id: 101, type: 'image', text: 'dot', media: { mimetype: 'image/png' } },
  ]);
  expect((await get(`/phones/${ada}`)).body.channels).toMatchObject([{ jid: made.body.jid, role: 'owner' }]);
});

test('faults are armed for a session that exists', async () => {
  const { world, post } = createTestControl();
  const { sessionId } = linked(world, ada).device;
  expect(await post('/faults', { session_id: sessionId, fault: 'slow', count: 2, ms: 50 })).toEqual({
    status: 201,
    body: { session_id: sessionId, fault: 'slow', count: 2, ms: 50 },
  });
  expect(world.faults.takeForSend(sessionId)).toMatchObject({ kind: 'slow', ms: 50 });
  expect((await post('/faults', { session_id: sessionId, fault: 'fire' })).body).toEqual({
    error:
      'fault must be one of disconnect, send_transient, send_permanent, slow, no_ack, media_download, media_gone, refuse_login, stream_error, deaf, undecryptable, unavailable, unavailable_hosted, unavailable_bot, passkey_options_missing, passkey_refused, passkey_no_continuation, passkey_second_request, passkey_bare_code, passkey_at_login',
  });
  expect((await post('/faults', { session_id: sessionId, fault: 'slow', count: 0 })).status).toBe(400);
  expect((await post('/faults', { session_id: `${ben}@s.whatsapp.net`, fault: 'slow' })).status).toBe(404);
});

test('the clock advances for the whole network', async () => {
  const { world, get, post } = createTestControl();
  const before = (await get('/clock')).body.now_unix;
  expect(await post('/clock', { advance_seconds: 3_600 })).toEqual({
    status: 200,
    body: { now_unix: before + 3_600 },
  });
  expect(unixNow(world.clock.now())).toBe(before + 3_600);
  expect((await post('/clock', { advance_seconds: -1 })).status).toBe(400);
  expect((await post('/clock', {})).body).toEqual({ error: 'advance_seconds is required' });
});

test('the edit window closes as the clock advances', async () => {
  const { post } = createTestControl();
  const { message_id } = (await post(`/phones/${ada}/messages`, { to: ben, text: 'helo' })).body;
  await post('/clock', { advance_seconds: 20 * 60 + 1 });
  const edit = { to: ben, type: 'edit', edit_message_id: message_id, text: 'hello' };
  expect(await post(`/phones/${ada}/messages`, edit)).toEqual({
    status: 403,
    body: { error: 'a message may be edited for 20 minutes' },
  });
});

test('duplicates are counted where they are dropped', async () => {
  const { world, get } = createTestControl();
  const device = world.devices.link(ada, new Uint8Array([1]));
  listen(world, device);
  for (let copy = 0; copy < 3; copy += 1) {
    world.messages.send(device, { id: 'same', to: ben, content: text('once') });
  }
  world.messages.send(handset(ada), { id: 'other', to: ben, content: text('twice') });
  expect((await get(`/phones/${ben}`)).body.duplicates_dropped).toBe(2);
});

const unixNow = (ms: number) => Math.floor(ms / 1_000);
