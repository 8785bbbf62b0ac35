import { expect, test } from 'vitest';
import { ada, ben, linked } from '../world/fixture.ts';
import { createTestParts } from './fixture.ts';
import { createGuestApi } from './guest-api.ts';
import { recordCreator } from './guests.ts';
import { controlRoutes } from './plugin.ts';

const stranger = { name: 'stranger', sessions: [] };

function open() {
  const parts = createTestParts();
  return { ...parts, visit: createGuestApi(parts), routes: controlRoutes(parts) };
}

/** Common to all guests, or creates something new. */
const open_to_all = new Set(['GET /phones', 'POST /phones', 'GET /clock']);

test('no route of the interface gives a guest access to a foreign phone', async () => {
  const { world, visit, routes } = open();
  const { device } = linked(world, ada);
  const names: Record<string, string> = { phone: ada, call_id: 'x', jid: 'x', sha256: 'x' };
  for (const { method, path } of routes) {
    if (open_to_all.has(`${method} ${path}`)) continue;
    const asked = path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? 'x');
    const body = path === '/faults' ? { session_id: device.sessionId, fault: 'disconnect' } : {};
    const answer = await visit({ guest: stranger, method, path: asked, body });
    expect([403, 404], `${method} ${path}`).toContain(answer.status);
    expect(answer.body, `${method} ${path}`).toEqual({ error: expect.any(String) });
  }
});

test('a guest has the phones that it created, and those that its sessions are linked to', async () => {
  const { world, visit } = open();
  const { device } = linked(world, ada);
  recordCreator(world, ben, 'ben’s');
  recordCreator(world, ben, 'stranger');
  const phonesOf = async (guest: { name: string; sessions: string[] }) => {
    const { body } = await visit({ guest, method: 'GET', path: '/phones' });
    return (body as { phones: { phone: string }[] }).phones.map(({ phone }) => phone);
  };
  expect(await phonesOf({ name: 'stranger', sessions: [] })).toEqual([]);
  expect(await phonesOf({ name: 'ben’s', sessions: [] })).toEqual([ben]);
  expect(await phonesOf({ name: 'ada’s', sessions: [device.sessionId] })).toEqual([ada]);
  world.devices.unlink(device.sessionId);
  expect(await phonesOf({ name: 'ada’s', sessions: [device.sessionId] })).toEqual([]);
});

test('a phone belongs to its creator only once it was created', async () => {
  const { visit } = open();
  const make = (name: string, phone: string) =>
    visit({ guest: { name, sessions: [] }, method: 'POST', path: '/phones', body: { phone, name } });
  expect(await make('one', '15550007001')).toMatchObject({ status: 201 });
  expect(await make('other', '15550007001')).toMatchObject({ status: 409 });
  const look = (name: string) =>
    visit({ guest: { name, sessions: [] }, method: 'GET', path: '/phones/15550007001' });
  expect(await look('one')).toMatchObject({ status: 200, body: { name: 'one' } });
  expect(await look('other')).toMatchObject({ status: 404 });
});

test('a guest’s request is answered as over HTTP', async () => {
  const { world, visit } = open();
  const guest = { name: 'g', sessions: [linked(world, ada).device.sessionId] };
  const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    visit({ guest, method, path, body });
  const sent = await ask('POST', `/phones/${ada}/messages`, { to: ben, text: 'Hello' });
  expect(sent).toEqual({ status: 201, body: { message_id: expect.any(String) } });
  const seen = await ask('GET', `/phones/${ada}/messages?chat=${ben}%40s.whatsapp.net&limit=1`);
  expect(seen).toMatchObject({ status: 200, body: { messages: [{ text: 'Hello' }] } });
  expect(await ask('POST', `/phones/${ada}/presence`, { online: true })).toEqual({ status: 204, body: null });
  expect(await ask('POST', `/phones/${ada}/presence`, {})).toEqual({
    status: 400,
    body: { error: 'online is required' },
  });
  expect(await ask('PUT', `/phones/${ada}`)).toEqual({ status: 405, body: { error: 'method not allowed' } });
  for (const path of ['/', '', '/phones/', `/phones/${ada}/..`, '/phones/%', '/../phones', '//phones'])
    expect(await ask('GET', path), path).toMatchObject({ status: 404 });
});
