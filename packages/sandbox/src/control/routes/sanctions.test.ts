import { expect, test } from 'vitest';
import { ada, ben, linked, settled } from '../../world/fixture.ts';
import { createTestControl } from '../fixture.ts';

test('a phone is banned for a while, and shows the end of the ban', async () => {
  const { world, get, post } = createTestControl();
  const desk = linked(world, ada);
  const before = (await get('/clock')).body.now_unix;
  const banned = await post(`/phones/${ada}/ban`, { code: 102, expire_s: 600 });
  expect(banned).toMatchObject({ status: 200, body: { phone: ada, banned_until_unix: before + 600 } });
  await settled();
  expect(desk.closed).toEqual(['fault']);
  expect(world.faults.refusesLogin(desk.device.sessionId)).toMatchObject({ reason: 402, code: 102 });
  expect((await post(`/phones/${ada}/ban`, { expire_s: 0 })).body.banned_until_unix).toBe(0);
  expect((await get(`/phones/${ada}`)).body.linked_devices).toMatchObject([{ logins: 1 }]);
});

test('a phone is locked and unlocked', async () => {
  const { get, post } = createTestControl();
  expect((await post(`/phones/${ada}/lock`)).body.locked).toBe(true);
  expect((await get(`/phones/${ada}`)).body.locked).toBe(true);
  expect((await post(`/phones/${ada}/lock`, { locked: false })).body.locked).toBe(false);
});

test('the network removes one device or all of them', async () => {
  const { world, post } = createTestControl();
  const [first, second] = [linked(world, ada), linked(world, ada)];
  const other = linked(world, ben).device.sessionId;
  expect((await post(`/phones/${ada}/remove-device`, { session_id: other })).status).toBe(404);
  const { sessionId } = second.device;
  expect((await post(`/phones/${ada}/remove-device`, { session_id: sessionId })).status).toBe(204);
  await settled();
  expect([first.closed, second.closed]).toEqual([[], ['unlinked']]);
  expect((await post(`/phones/${ada}/remove-device`)).status).toBe(204);
  await settled();
  expect(first.closed).toEqual(['unlinked']);
  expect(world.devices.get(other)).toBeDefined();
});

test('a fault with a reason code requires one', async () => {
  const { world, post } = createTestControl();
  const { sessionId } = linked(world, ada).device;
  const fault = { session_id: sessionId, fault: 'refuse_login' };
  expect((await post('/faults', fault)).body.error).toMatch(/^code is for refuse_login and stream_error/);
  expect((await post('/faults', { session_id: sessionId, fault: 'slow', code: 503 })).status).toBe(400);
  const armed = await post('/faults', { ...fault, code: 402, reason_code: 103, expire_s: 30 });
  expect(armed).toMatchObject({ status: 201, body: { fault: 'refuse_login', code: 402 } });
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 402, code: 103, expireSeconds: 30 });
});
