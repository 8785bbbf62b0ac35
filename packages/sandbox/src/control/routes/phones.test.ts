import { expect, test } from 'vitest';
import { ada, ben, linked, settled, unregistered } from '../../world/fixture.ts';
import { createTestControl, onePixel } from '../fixture.ts';

test('a phone is created, listed and shown with everything that belongs to it', async () => {
  const { get, post } = createTestControl();
  const made = await post('/phones', {
    phone: '15550003001',
    name: 'Shop',
    about: 'Open',
    business_name: 'Shop Inc',
    auto_read: true,
    hides_photo: true,
    lid_mode: true,
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    phone: '15550003001',
    jid: '15550003001@s.whatsapp.net',
    name: 'Shop',
    about: 'Open',
    business_name: 'Shop Inc',
    auto_read: true,
    hides_photo: true,
    lid_mode: true,
    online: false,
    duplicates_dropped: 0,
    linked_devices: [],
    contacts: [],
    groups: [],
    channels: [],
  });
  expect((await get('/phones/15550003001')).body).toEqual(made.body);
  const list = await get('/phones');
  expect(list.status).toBe(200);
  expect(list.body.phones.map(({ phone }: { phone: string }) => phone)).toContain('15550003001');
});

test('edits are encrypted unless the phone is of the form before, and a phone by number is migrated once', async () => {
  const { get, post } = createTestControl();
  await post('/phones', { phone: '15550003002', name: 'Lou', addressing: 'pn', edits: 'plain' });
  expect((await get('/phones/15550003002')).body).toMatchObject({ addressing: 'pn', edits: 'plain' });
  const migrated = await post('/phones/15550003002/migrate', {});
  expect(migrated).toMatchObject({ status: 200, body: { addressing: 'lid' } });
  expect((await post('/phones/15550003002/migrate', {})).status).toBe(409);
  const other = await post('/phones', { phone: '15550003003', name: 'Kim' });
  expect(other.body).toMatchObject({ edits: 'encrypted' });
});

test('the other spelling of a number is taken as the number is', async () => {
  const { post } = createTestControl();
  const made = await post('/phones', { phone: '558487654321', name: 'Rui', other_spelling: '5584987654321' });
  expect(made).toMatchObject({ status: 201, body: { other_spelling: '5584987654321' } });
  expect((await post('/phones', { phone: '5584987654321', name: 'Ana' })).status).toBe(409);
  const twice = { phone: '558499999999', name: 'Ana', other_spelling: '558487654321' };
  expect((await post('/phones', twice)).status).toBe(409);
  const malformed = { phone: '558499999999', name: 'Ana', other_spelling: '+55' };
  expect((await post('/phones', malformed)).status).toBe(400);
});

test('a body with unknown or missing fields is refused', async () => {
  const { post, request } = createTestControl();
  const refused = async (body: unknown, status: number, error: string) =>
    expect(await post('/phones', body)).toEqual({ status, body: { error } });
  await refused({ phone: '15550003001' }, 400, 'name is required');
  await refused({ phone: '15550003001', name: 'X', auto_raed: true }, 400, 'unknown field auto_raed');
  await refused(
    { phone: '+1 555', name: 'X' },
    400,
    'phone must be a phone number in international form, digits only',
  );
  await refused({ phone: ada, name: 'Ada' }, 409, `phone ${ada} exists already`);
  await refused([], 400, 'body must be a JSON object');
  expect(await request('POST', '/phones', '{"phone":')).toEqual({
    status: 400,
    body: { error: 'body is not valid JSON' },
  });
});

test('an unknown number is 404 everywhere below it, whatever the body', async () => {
  const { get, post, put } = createTestControl();
  const unknown = { status: 404, body: { error: `there is no virtual phone ${unregistered}` } };
  expect(await get(`/phones/${unregistered}`)).toEqual(unknown);
  expect(await get(`/phones/${unregistered}/messages`)).toEqual(unknown);
  expect(await put(`/phones/${unregistered}/photo`, {})).toEqual(unknown);
  for (const path of ['scan', 'messages', 'receipts', 'typing', 'groups', 'votes', 'calls/x/terminate']) {
    expect(await post(`/phones/${unregistered}/${path}`, { nonsense: 1 })).toEqual(unknown);
  }
});

test('an unknown path is 404, a wrong method 405 with the allowed ones', async () => {
  const { request } = createTestControl();
  expect(await request('GET', '/nowhere')).toEqual({ status: 404, body: { error: 'not found' } });
  expect(await request('DELETE', `/phones/${ada}`)).toEqual({
    status: 405,
    body: { error: 'method not allowed' },
  });
  expect((await request('GET', '/faults')).status).toBe(405);
});

test('scanning or typing a code links a device; an old QR is gone, an unknown one not found', async () => {
  const { get, post } = createTestControl();
  const scan = (qr: string) => post(`/phones/${ada}/scan`, { qr });
  expect(await scan('shown')).toEqual({ status: 200, body: { session_id: `${ada}:1@s.whatsapp.net` } });
  expect(await post(`/phones/${ada}/enter-code`, { code: 'ABCD-1234' })).toEqual({
    status: 200,
    body: { session_id: `${ada}:2@s.whatsapp.net` },
  });
  expect(await scan('expired')).toEqual({ status: 410, body: { error: 'the QR has expired' } });
  expect((await scan('other')).status).toBe(404);
  expect((await post(`/phones/${ada}/enter-code`, {})).body).toEqual({ error: 'code is required' });
  const { linked_devices } = (await get(`/phones/${ada}`)).body;
  expect(linked_devices).toMatchObject([
    { session_id: `${ada}:1@s.whatsapp.net`, device: 1, online: false },
    { device: 2 },
  ]);
});

test('an internal error is not shown to the caller', async () => {
  const { post } = createTestControl();
  expect(await post(`/phones/${ada}/scan`, { qr: 'broken' })).toEqual({
    status: 500,
    body: { error: expect.stringMatching(/^internal error \(request \S+\)$/) },
  });
});

test('a phone unlinks its own devices only, also by the number alone', async () => {
  const { world, post } = createTestControl();
  const desk = linked(world, ada);
  const { sessionId } = desk.device;
  expect((await post(`/phones/${ben}/unlink`, { session_id: sessionId })).status).toBe(404);
  expect(await post(`/phones/${ada}/unlink`, { session_id: `${ada}@s.whatsapp.net` })).toEqual({
    status: 204,
    body: undefined,
  });
  await settled();
  expect(desk.closed).toEqual(['unlinked']);
  expect((await post(`/phones/${ada}/unlink`, { session_id: sessionId })).status).toBe(404);
});

test('contacts may be on the network or not', async () => {
  const { get, post } = createTestControl();
  const saved = await post(`/phones/${ada}/contacts`, { phone: ben, first_name: 'Ben', full_name: 'Ben F' });
  expect(saved).toEqual({
    status: 201,
    body: {
      phone: ben,
      jid: `${ben}@s.whatsapp.net`,
      first_name: 'Ben',
      full_name: 'Ben F',
      push_name: 'Ben',
      business_name: '',
    },
  });
  await post(`/phones/${ada}/contacts`, { phone: unregistered, first_name: 'No', full_name: 'Body' });
  expect((await get(`/phones/${ada}`)).body.contacts).toHaveLength(2);
  expect((await post(`/phones/${ada}/contacts`, { phone: ben, full_name: 'B' })).body).toEqual({
    error: 'first_name is required',
  });
});

test('a photo is set and removed', async () => {
  const { world, get, put } = createTestControl();
  const set = await put(`/phones/${ada}/photo`, { image_base64: onePixel.toString('base64') });
  expect(set.status).toBe(200);
  expect((await get(`/phones/${ada}`)).body.picture_id).toBe(set.body.picture_id);
  expect(Buffer.from(world.photos.get(ben, ada, 'image').bytes)).toEqual(onePixel);
  expect(await put(`/phones/${ada}/photo`, { image_base64: '' })).toEqual({
    status: 200,
    body: { picture_id: '' },
  });
  expect((await put(`/phones/${ada}/photo`, { image_base64: '%%%' })).body).toEqual({
    error: 'image_base64 must be standard base64',
  });
  expect((await put(`/phones/${ada}/photo`, {})).body).toEqual({ error: 'image_base64 is required' });
});

test('a photo larger than other bodies is accepted', async () => {
  const { put } = createTestControl();
  const large = Buffer.alloc(3 * 1024 * 1024, 7).toString('base64');
  expect((await put(`/phones/${ada}/photo`, { image_base64: large })).status).toBe(200);
});

test('a phone has a username, in any case, and hides its number', async () => {
  const { post, put, get } = createTestControl();
  const named = { username: 'ines.m', username_key: '1234', hides_phone: true };
  const made = await post('/phones', { phone: '15550003001', name: 'Ines', ...named });
  expect(made).toMatchObject({ status: 201, body: { ...named, addressing: 'lid' } });
  const other = { phone: '15550003002', name: 'Omar' };
  const taken = { status: 409, body: { error: 'the username INES.M is taken' } };
  expect(await post('/phones', { ...other, username: 'INES.M' })).toEqual(taken);
  expect(await post('/phones', { ...other, username_key: '1234' })).toMatchObject({ status: 400 });
  expect(await post('/phones', { ...other, username: '..' })).toMatchObject({ status: 400 });

  expect(await put('/phones/15550003001/identity', { username: 'ines' })).toMatchObject({ status: 204 });
  const changed = { username: 'ines', username_key: '', hides_phone: false };
  expect((await get('/phones/15550003001')).body).toMatchObject(changed);
  expect(await post('/phones', { ...other, username: 'ines.m' })).toMatchObject({ status: 201 });
});
