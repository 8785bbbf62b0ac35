import { expect, test } from 'vitest';
import { ada, createTestWorld, linked, refusal, settled } from '../fixture.ts';

test('faults of sending are used up in the order in which they were armed', () => {
  const world = createTestWorld();
  const { sessionId } = linked(world, ada).device;
  world.faults.arm(sessionId, { kind: 'send_transient', count: 2, ms: 0 });
  world.faults.arm(sessionId, { kind: 'slow', count: 1, ms: 400 });
  const taken = Array.from({ length: 4 }, () => world.faults.takeForSend(sessionId));
  expect(taken.map((fault) => fault && [fault.kind, fault.ms])).toEqual([
    ['send_transient', 0],
    ['send_transient', 0],
    ['slow', 400],
    undefined,
  ]);
});

test('each fault applies to its own operation only', () => {
  const world = createTestWorld();
  const { sessionId } = linked(world, ada).device;
  world.faults.arm(sessionId, { kind: 'media_download', count: 1, ms: 0 });
  world.faults.arm(sessionId, { kind: 'media_gone', count: 1, ms: 0 });
  expect(world.faults.takeForSend(sessionId)).toBeUndefined();
  expect(world.faults.takeForAnswer(sessionId)).toBeUndefined();
  expect(Array.from({ length: 3 }, () => world.faults.takeForDownload(sessionId))).toEqual([
    'expired',
    'gone',
    undefined,
  ]);
  world.faults.arm(sessionId, { kind: 'send_transient', count: 1, ms: 0 });
  world.faults.arm(sessionId, { kind: 'slow', count: 1, ms: 300 });
  expect(world.faults.takeForAnswer(sessionId)?.ms).toBe(300);
  expect(world.faults.takeForSend(sessionId)?.kind).toBe('send_transient');
  expect(world.faults.takeForSend(sessionId)).toBeUndefined();
});

test('a disconnect closes the connection at once and lets the next one in', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  world.faults.arm(desk.device.sessionId, { kind: 'disconnect', count: 1, ms: 0 });
  await settled();
  expect(desk.closed).toEqual(['fault']);
  expect(world.faults.refusesLogin(desk.device.sessionId)).toBeUndefined();
});

test('a disconnect with a duration keeps the link down that long, with a count it closes that many connections', () => {
  const world = createTestWorld();
  const { sessionId } = linked(world, ada).device;
  world.faults.arm(sessionId, { kind: 'disconnect', count: 2, ms: 15_000 });
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 503 });
  world.clock.advance(14_999);
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 503 });
  world.clock.advance(1);
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 503 });
  expect(world.faults.refusesLogin(sessionId)).toBeUndefined();
});

test('a disconnect of a device that is away applies to its next login', () => {
  const world = createTestWorld();
  const { sessionId } = world.devices.link(ada, new Uint8Array([1]));
  world.faults.arm(sessionId, { kind: 'disconnect', count: 1, ms: 0 });
  expect(world.faults.takeForSend(sessionId)).toBeUndefined();
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 503 });
  expect(world.faults.refusesLogin(sessionId)).toBeUndefined();
});

test('a link that does not exist takes no faults', () => {
  const world = createTestWorld();
  expect(refusal(() => world.faults.arm('1:1@s.whatsapp.net', { kind: 'slow', count: 1, ms: 1 }))).toBe(
    'not_found',
  );
});

test('a login is refused as often as armed, with the armed reason', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  const { sessionId } = desk.device;
  const order = {
    kind: 'refuse_login',
    count: 2,
    ms: 0,
    code: 402,
    reasonCode: 104,
    expireSeconds: 60,
  } as const;
  world.faults.arm(sessionId, order);
  await settled();
  expect(desk.closed).toEqual(['fault']);
  const refused = { reason: 402, code: 104, expireSeconds: 60 };
  expect(Array.from({ length: 3 }, () => world.faults.refusesLogin(sessionId))).toEqual([
    refused,
    refused,
    undefined,
  ]);
});

test('a refusal with a duration ends after it', () => {
  const world = createTestWorld();
  const { sessionId } = world.devices.link(ada, new Uint8Array([1]));
  world.faults.arm(sessionId, { kind: 'refuse_login', count: 1, ms: 10_000, code: 405 });
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 405 });
  world.clock.advance(9_999);
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 405 });
  world.clock.advance(1);
  expect(world.faults.refusesLogin(sessionId)).toBeUndefined();
});

test('a stream error ends the connection with its code, and then logins', async () => {
  const world = createTestWorld();
  const codes: (number | undefined)[] = [];
  const { sessionId } = world.devices.link(ada, new Uint8Array([1]));
  world.mailboxes.attach(sessionId, { item() {}, closed: (_reason, code) => codes.push(code) });
  world.faults.arm(sessionId, { kind: 'stream_error', count: 2, ms: 0, code: 516 });
  await settled();
  expect(codes).toEqual([516]);
  expect(world.faults.refusesLogin(sessionId)).toBeUndefined();
  expect([world.faults.endsLogin(sessionId), world.faults.endsLogin(sessionId)]).toEqual([516, undefined]);
});

test('logins are counted, refused ones too', () => {
  const world = createTestWorld();
  const { sessionId, lastLoginAt } = world.devices.link(ada, new Uint8Array([1]));
  expect(lastLoginAt).toBeUndefined();
  world.faults.arm(sessionId, { kind: 'refuse_login', count: 1, ms: 0, code: 503 });
  world.faults.refusesLogin(sessionId);
  world.clock.advance(5_000);
  world.faults.refusesLogin(sessionId);
  expect(world.devices.get(sessionId)).toMatchObject({ logins: 2, lastLoginAt: world.clock.now() });
});

test('a connection that drops all traffic does so until the next login, and after it when more were armed', () => {
  const world = createTestWorld();
  const { sessionId } = linked(world, ada).device;
  world.faults.arm(sessionId, { kind: 'deaf', count: 2, ms: 0 });
  expect(world.faults.dropsTraffic(sessionId)).toBe(true);
  const logIn = (): boolean => {
    expect(world.faults.refusesLogin(sessionId)).toBeUndefined();
    return world.faults.startsDroppingTraffic(sessionId) && world.faults.dropsTraffic(sessionId);
  };
  expect([logIn(), logIn()]).toEqual([true, false]);
  expect(world.faults.dropsTraffic(sessionId)).toBe(false);
});
