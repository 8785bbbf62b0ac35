import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import {
  type LinkedNumber,
  link,
  linkedNumber,
  newPhoneNumber,
  register,
  type Someone,
  someone,
} from './numbers.ts';
import { accepted, type Body, messagesOn, record, send, untilStatus } from './sends.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
let me: LinkedNumber;
let free: LinkedNumber;
let pro: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  [me, free, pro, ada] = await Promise.all([
    linkedNumber(gateway),
    linkedNumber(gateway, { plan: 'free' }),
    linkedNumber(gateway, { plan: 'pro' }),
    someone(gateway),
  ]);
});

const GROUP = '120363041234567890@g.us';
const IMAGE = { media_type: 'image', media_url: 'https://files.example.com/a.jpg' };
const button = { type: 'quick_reply', display_text: 'Yes', id: 'y' };

describe('a body that cannot be sent is refused with 400 and the reason', () => {
  test.each<[string, Body, string | RegExp]>([
    ['media_type alone', { media_type: 'image' }, 'media_type and media_url are required together'],
    ['media_url alone', { media_url: IMAGE.media_url }, 'media_type and media_url are required together'],
    ['nothing to say', {}, /text/],
    ['no recipient', { to: undefined, text: 'x' }, /to/],
    ['a channel as recipient', { to: '120363041234567890@newsletter', text: 'x' }, /to/],
    ['an unknown type', { type: 'carrier_pigeon', text: 'x' }, /type/],
    ['an unknown field', { text: 'x', txet: 'y' }, /txet/],
    ['an unknown media type', { ...IMAGE, media_type: 'hologram' }, /media_type/],
    ['a media url that is none', { ...IMAGE, media_url: 'ftp://example.com/a.jpg' }, /media_url/],
    ['a location without longitude', { type: 'location', latitude: 1 }, /longitude/],
    ['a latitude beyond the pole', { type: 'location', latitude: 91, longitude: 1 }, /latitude/],
    ['a contact without vcard', { type: 'contact', display_name: 'Ben' }, /vcard/],
    ['a reaction to nothing', { type: 'reaction', emoji: '👍' }, /reacted_message_id/],
    ['a reaction without emoji', { type: 'reaction', reacted_message_id: 'M1' }, /emoji/],
    ['a revocation of nothing', { type: 'revoke', revoked_from_me: true }, /revoked_message_id/],
    ['a revocation of a foreign message', { type: 'revoke', revoked_message_id: 'M1' }, /revoked_from_me/],
    [
      'a sticker that is not a WebP',
      { type: 'sticker', sticker_url: 'https://example.com/a.png' },
      /sticker_url/,
    ],
    ['an edit without text', { type: 'edit', edit_message_id: 'M1' }, /text/],
    ['a poll with one option', { type: 'poll', poll_name: 'When?', poll_options: ['Tue'] }, /poll_options/],
    ['an unknown timer', { type: 'disappearing', disappearing_timer: '1h' }, /disappearing_timer/],
    ['an unknown status', { type: 'status', status_type: 'audio' }, /status_type/],
    ['an invitation to nothing', { type: 'group_invite' }, /group_invite_jid/],
    [
      'no buttons',
      { type: 'interactive', interactive_body: 'x', interactive_buttons: [] },
      /interactive_buttons/,
    ],
    [
      'four buttons',
      { type: 'interactive', interactive_body: 'x', interactive_buttons: [button, button, button, button] },
      /interactive_buttons/,
    ],
    [
      'a link without url',
      {
        type: 'interactive',
        interactive_body: 'x',
        interactive_buttons: [{ type: 'cta_url', display_text: 'x' }],
      },
      /url/,
    ],
    [
      'a quote in a group without its author',
      { to: GROUP, text: 'x', quoted_message_id: 'M1' },
      /quoted_participant/,
    ],
  ])('%s', async (_what, body, words) => {
    const answer = await send(me, { to: ada.phone, ...body });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(words) } });
  });

  test('no key, a key that is too long', async () => {
    const body = { session_id: me.sessionId, to: ada.phone, text: 'Hello' };
    expect(await me.call('POST', '/messages', body)).toMatchObject({
      status: 400,
      body: { error: 'Idempotency-Key header is required' },
    });
    expect(await send(me, body, 'x'.repeat(256))).toMatchObject({
      status: 400,
      body: { error: 'Idempotency-Key must be at most 255 characters' },
    });
  });

  test('to an unknown username, or without its key', async () => {
    const username = `guarded_${newPhoneNumber()}`;
    await someone(gateway, { username, username_key: '1234' });
    for (const [to, status, error] of [
      [`@free_${username}`, 404, 'no account has this username'],
      [`@${username}`, 400, 'this username is guarded by a key of four digits; give it as @username:1234'],
      [`@${username}:4321`, 400, 'the key of this username is another one'],
    ] as const) {
      expect(await send(me, { to, text: 'Hello' })).toMatchObject({ status, body: { error } });
    }
  });

  test('an edit of a message of another author', async () => {
    const edit = { to: ada.phone, type: 'edit', edit_message_id: '3EB0C767D71C5A4F1D2B', text: 'x' };
    expect(await send(me, edit)).toMatchObject({
      status: 400,
      body: { error: 'only messages sent by this session can be edited' },
    });
  });
});

describe('a send without the right to it is refused with the reason', () => {
  const text = () => ({ to: ada.phone, text: 'Hello' });

  test('without a key of the account', async () => {
    for (const token of [undefined, 'pk_unknown']) {
      const answer = await ask(gateway.url, { method: 'POST', path: '/v1/messages', token, body: text() });
      expect(answer).toMatchObject({ status: 401, body: { error: 'api key missing or invalid' } });
    }
  });

  test('with a foreign session', async () => {
    expect(await send(me, { ...text(), session_id: pro.sessionId })).toMatchObject({
      status: 403,
      body: { error: 'session does not belong to this user' },
    });
  });

  test('with a key that has other permissions, or is for another number', async () => {
    const body = { ...text(), session_id: me.sessionId };
    const asked = (token: string) =>
      ask(gateway.url, {
        method: 'POST',
        path: '/v1/messages',
        token,
        body,
        headers: { 'Idempotency-Key': 'a' },
      });
    expect(await asked(await me.makeKey({ permissions: ['groups'] }))).toMatchObject({
      status: 403,
      body: { error: 'api key lacks permission messages' },
    });
    const spare = await gateway.operator<{ phone: string }>('POST', `/accounts/${me.accountId}/devices`, {
      phone: (await someone(gateway)).phone,
      plan: 'max',
    });
    const restricted = await me.makeKey({ phone: spare.phone });
    expect(await asked(restricted)).toMatchObject({
      status: 403,
      body: { error: 'api key is restricted to another number' },
    });
    const id = await accepted(me, text());
    const path = `/v1/messages/${id}`;
    expect(await ask(gateway.url, { method: 'GET', path, token: restricted })).toMatchObject({ status: 403 });
    expect(await record(me, id)).toMatchObject({ status: 200 });
  });

  test('when the number was never linked, or is not linked any more', async () => {
    const offline = { status: 409, body: { error: 'session is not currently hosted by any worker' } };
    const never = await register(gateway);
    const body = { session_id: never.jid, ...text() };
    expect(await never.call('POST', '/messages', body, { 'Idempotency-Key': 'a' })).toMatchObject(offline);

    const { phone } = await someone(gateway);
    const gone = await link(await register(gateway, 'max', phone));
    expect((await gone.on('DELETE', '')).status).toBe(204);
    expect(await send(gone, text())).toMatchObject(offline);
  });

  test('when the device is not active', async () => {
    const { phone } = await someone(gateway);
    const number = await link(await register(gateway, 'max', phone));
    await gateway.operator('PATCH', `/devices/${number.slotId}`, { status: 'suspended' });
    // A change takes a second to reach every process.
    const refused = { status: 403, body: { error: 'device is not active' } };
    await expect.poll(() => send(number, text()), { timeout: 5_000, interval: 500 }).toMatchObject(refused);
  });
});

describe('a plan that does not include the kind', () => {
  test.each<[string, () => LinkedNumber, Body, string]>([
    ['media on Free', () => free, IMAGE, 'plan free does not include media'],
    [
      'a sticker on Free',
      () => free,
      { type: 'sticker', sticker_url: 'https://x.com/a.webp' },
      'plan free does not include sticker',
    ],
    [
      'a picture as status on Free',
      () => free,
      { type: 'status', status_type: 'image', media_url: IMAGE.media_url },
      'plan free does not include media_status',
    ],
    [
      'a location on Free',
      () => free,
      { type: 'location', latitude: 1, longitude: 2 },
      'plan free does not include location',
    ],
    [
      'buttons on Free',
      () => free,
      { type: 'interactive', interactive_body: 'x', interactive_buttons: [button] },
      'plan free does not include interactive',
    ],
    [
      'a poll on Pro',
      () => pro,
      { type: 'poll', poll_name: 'x', poll_options: ['a', 'b'] },
      'plan pro does not include poll',
    ],
    [
      'a timer on Pro',
      () => pro,
      { type: 'disappearing', disappearing_timer: 'off' },
      'plan pro does not include disappearing',
    ],
    [
      'an invitation on Pro',
      () => pro,
      { type: 'group_invite', group_invite_jid: GROUP },
      'plan pro does not include group_invite',
    ],
    ['a group on Pro', () => pro, { to: GROUP, text: 'x' }, 'plan pro does not include groups'],
  ])('refuses %s', async (_what, number, body, error) => {
    expect(await send(number(), { to: ada.phone, ...body })).toMatchObject({ status: 403, body: { error } });
  });

  test('lets Free send text and text status', async () => {
    await accepted(free, { to: ada.phone, text: 'Hello' });
    await accepted(free, { type: 'status', status_type: 'text', text: 'Open' });
  });
});

describe('a repeated request', () => {
  test('gets the first answer and sends nothing again, also at the same moment', async () => {
    const number = await linkedNumber(gateway);
    const body = { to: ada.phone, text: `Once, from ${number.phone}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(number, body, 'once')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body: { message_id } }) => message_id)).size).toBe(1);
    expect(await accepted(number, body, 'once')).toBe(answers[0]?.body.message_id);
    const next = await accepted(number, { to: ada.phone, text: 'next' });
    await untilStatus(number, next, 'delivered');
    const copies = (await messagesOn(gateway, ada)).filter(({ text }) => text === body.text);
    expect(copies).toHaveLength(1);
  });

  test('with another body is refused', async () => {
    const number = await linkedNumber(gateway);
    await accepted(number, { to: ada.phone, text: 'This' }, 'same');
    expect(await send(number, { to: ada.phone, text: 'That' }, 'same')).toMatchObject({
      status: 400,
      body: { error: 'Idempotency-Key was already used with a different request' },
    });
  });
});
