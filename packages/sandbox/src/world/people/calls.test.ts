import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  ada,
  ben,
  cleo,
  createSteppedClock,
  createTestWorld,
  handset,
  linked,
  listen,
  refusal,
  settled,
  unregistered,
} from '../fixture.ts';

const MINUTE = 60_000;

test('a call rings at the other end and ends when the caller hangs up', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  const call = world.calls.offer(handset(ada), ben, { video: true });
  world.calls.terminate(handset(ada), call.id, 'timeout');
  await settled();
  expect(desk.news('call')).toMatchObject([
    { callId: call.id, event: 'offer', from: { phone: ada }, video: true },
    { callId: call.id, event: 'terminate', from: { phone: ada }, reason: 'timeout' },
  ]);
});

test('the callee may reject, once, and the caller sees it', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  const caller = linked(world, ada);
  const { id } = world.calls.offer(handset(ada), ben, { video: false });
  expect(refusal(() => world.calls.reject(handset(ada), id))).toBe('forbidden');
  world.calls.reject(desk.device, id);
  expect(world.calls.of(ada)).toMatchObject([{ id, state: 'rejected' }]);
  expect(refusal(() => world.calls.reject(desk.device, id))).toBe('gone');
  expect(refusal(() => world.calls.terminate(handset(ada), id))).toBe('gone');
  await settled();
  expect(caller.news('call').map(({ event }) => event)).toEqual(['reject']);
  expect(desk.news('call').map(({ event }) => event)).toEqual(['offer']);
});

test('a call concerns two people', () => {
  const world = createTestWorld();
  const { id } = world.calls.offer(handset(ada), ben, { video: false });
  expect(refusal(() => world.calls.terminate(handset(cleo), id))).toBe('not_found');
  expect(refusal(() => world.calls.offer(handset(ada), ada, { video: false }))).toBe('bad_request');
  expect(refusal(() => world.calls.offer(handset(ada), unregistered, { video: false }))).toBe(
    'not_registered',
  );
});

test('an offer expires for a device that was away for an hour', () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  world.calls.offer(handset(ada), ben, { video: false });
  world.clock.advance(3_600_000);
  const items: unknown[] = [];
  world.mailboxes.attach(device.sessionId, { item: (item) => items.push(item), closed() {} }).start();
  expect(items).toEqual([]);
});

test('an unanswered call ends after a minute, and both sides are notified', async () => {
  const world = createTestWorld();
  const [caller, desk] = [linked(world, ada), linked(world, ben)];
  const { id } = world.calls.offer(handset(ada), ben, { video: true });
  await settled();
  world.clock.advance(MINUTE - 1);
  expect(world.calls.of(ada)).toMatchObject([{ id, state: 'ringing' }]);
  world.clock.advance(1);
  expect(world.calls.of(ada)).toMatchObject([{ id, state: 'ended', reason: 'timeout' }]);
  await settled();
  const ending = { callId: id, event: 'terminate', video: true, reason: 'timeout', at: world.clock.now() };
  expect(caller.news('call')).toMatchObject([{ ...ending, from: { phone: ben } }]);
  expect(desk.news('call')).toMatchObject([{ event: 'offer' }, { ...ending, from: { phone: ada } }]);
});

test('a call that ended does not end again', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  const { id } = world.calls.offer(handset(ada), ben, { video: false });
  world.calls.terminate(handset(ada), id);
  await settled();
  world.clock.advance(MINUTE);
  await settled();
  expect(desk.news('call').map(({ event }) => event)).toEqual(['offer', 'terminate']);
  expect(world.calls.of(ben)).toMatchObject([{ id, reason: undefined }]);
});

test("a blocked caller's call does not ring, and its end is not notified either", async () => {
  const world = createTestWorld();
  const [caller, desk] = [linked(world, ada), linked(world, ben)];
  world.blocklists.block(handset(ben), ada);
  world.calls.offer(handset(ada), ben, { video: false });
  await settled();
  world.clock.advance(MINUTE);
  await settled();
  expect(caller.news('call')).toMatchObject([{ event: 'terminate', reason: 'timeout' }]);
  expect(desk.news('call')).toEqual([]);
});

test.each([
  { asleepFor: 'less than', away: MINUTE / 2, left: MINUTE / 2 },
  { asleepFor: 'more than', away: 2 * MINUTE, left: 0 },
])('a network that was asleep for $asleepFor a minute still ends a call', async ({ away, left }) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-calls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, clock] = [join(folder, 'sandbox.db'), createSteppedClock()];
  const before = createTestWorld({ file, clock });
  const device = before.devices.link(ben, new Uint8Array([1]));
  const { id } = before.calls.offer(handset(ada), ben, { video: false });
  before.close();
  clock.advance(away);
  const world = createTestWorld({ file, clock });
  const desk = listen(world, device);
  clock.advance(left);
  expect(world.calls.of(ada)).toMatchObject([{ id, state: 'ended', reason: 'timeout' }]);
  await settled();
  expect(desk.news('call')).toContainEqual(expect.objectContaining({ callId: id, event: 'terminate' }));
  world.close();
});
