import { expect, test } from 'vitest';
import { ada, ben, cleo, createTestWorld, handset, linked, nobody, refusal, settled } from './fixture.ts';

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

test('who is called may reject, once, and the caller sees it', async () => {
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
  expect(refusal(() => world.calls.offer(handset(ada), nobody, { video: false }))).toBe('not_registered');
});

test('an offer that nobody was there to hear does not ring an hour later', () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  world.calls.offer(handset(ada), ben, { video: false });
  world.clock.advance(3_600_000);
  const items: unknown[] = [];
  world.mailboxes.attach(device.sessionId, { item: (item) => items.push(item), closed() {} }).start();
  expect(items).toEqual([]);
});
