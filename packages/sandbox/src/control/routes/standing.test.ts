import { expect, test } from 'vitest';
import { ada, ben, cleo, linked } from '../../world/fixture.ts';
import { createTestControl } from '../fixture.ts';

test('a phone is restricted and capped, and shows both', async () => {
  const { world, get, post } = createTestControl();
  const { device } = linked(world, ada);
  const { now_unix } = (await get('/clock')).body;
  expect((await get(`/phones/${ada}`)).body).toMatchObject({ restriction: null, new_chats: null });
  const restricted = await post(`/phones/${ada}/restrict`, { type: 'WEB_COMPANION_ONLY', for_s: 600 });
  expect(restricted).toMatchObject({
    status: 200,
    body: { restriction: { type: 'WEB_COMPANION_ONLY', ends_unix: now_unix + 600 } },
  });
  expect(world.standing.refusesMessage(device, ben)).toBe(463);
  expect((await post(`/phones/${ada}/restrict`, { for_s: 0 })).body.restriction).toBeNull();
  const capped = await post(`/phones/${ada}/cap`, { quota: 10, used: 9, cycle_s: 60 });
  expect(capped.body.new_chats).toEqual({
    quota: 10,
    used: 9,
    cycle_ends_unix: now_unix + 60,
    status: 'SECOND_WARNING',
  });
  expect((await post(`/phones/${ada}/restrict`, { type: 'lower case', for_s: 1 })).status).toBe(400);
  expect((await post(`/phones/${ada}/cap`, { quota: 0 })).status).toBe(400);
});

test('people block and report a phone, and unblock it', async () => {
  const { get, post } = createTestControl();
  expect((await post(`/phones/${ben}/block`, { phone: ada })).body.blocklist).toEqual([
    `${ada}@s.whatsapp.net`,
  ]);
  expect((await post(`/phones/${cleo}/report`, { phone: ada })).status).toBe(204);
  expect((await get(`/phones/${ada}`)).body).toMatchObject({ blocked_by: 1, reported_by: 1 });
  expect((await post(`/phones/${ben}/block`, { phone: ada, blocked: false })).body.blocklist).toEqual([]);
  expect((await post(`/phones/${ada}/report`, { phone: ada })).status).toBe(400);
});

test('queries of one kind are refused for a while', async () => {
  const { world, post } = createTestControl();
  expect((await post(`/phones/${ada}/rate-overlimit`, { kind: 'groups', for_s: 60 })).status).toBe(204);
  expect(world.standing.isLimited(ada, 'groups')).toBe(true);
  expect((await post(`/phones/${ada}/rate-overlimit`, { kind: 'weather', for_s: 60 })).status).toBe(400);
});

test('rules are set and reset', async () => {
  const { get, put } = createTestControl();
  const rules = {
    restrict_after_new_chats_per_day: 40,
    restrict_for_s: 3_600,
    hide_devices_of_numbers: true,
    few_keys: true,
    broken_media_hosts: 1,
  };
  expect((await put('/rules', rules)).body).toEqual(rules);
  expect((await get('/rules')).body).toEqual(rules);
  const none = {
    restrict_after_new_chats_per_day: 0,
    restrict_for_s: 86_400,
    hide_devices_of_numbers: false,
    few_keys: false,
    broken_media_hosts: 0,
  };
  expect((await put('/rules', {})).body).toEqual(none);
  for (const bad of [{ restrict_after_new_chats_per_day: -1 }, { broken_media_hosts: 3 }]) {
    expect((await put('/rules', bad)).status).toBe(400);
  }
});

test('a link is slow for a time, loses all traffic or damages messages', async () => {
  const { world, post } = createTestControl();
  const { sessionId } = linked(world, ada).device;
  const slow = { session_id: sessionId, fault: 'slow', ms: 300, for_s: 60 };
  expect(await post('/faults', slow)).toEqual({ status: 201, body: slow });
  expect(world.faults.lateness(sessionId)).toBe(300);
  world.clock.advance(60_000);
  expect(world.faults.lateness(sessionId)).toBe(0);
  expect((await post('/faults', { session_id: sessionId, fault: 'deaf', for_s: 60 })).status).toBe(400);
  expect((await post('/faults', { session_id: sessionId, fault: 'deaf' })).status).toBe(201);
  expect(world.faults.dropsTraffic(sessionId)).toBe(true);
  expect((await post('/faults', { session_id: sessionId, fault: 'undecryptable' })).status).toBe(201);
  expect([world.faults.takeForDelivery(sessionId), world.faults.takeForDelivery(sessionId)]).toEqual([
    true,
    false,
  ]);
});
