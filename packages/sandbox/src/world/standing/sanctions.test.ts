import { expect, test } from 'vitest';
import { ada, ben, createTestWorld, linked, refusal, settled, unregistered } from '../fixture.ts';

test('a ban closes the connections of an account and refuses its devices until it is over', async () => {
  const world = createTestWorld();
  const [desk, shop, other] = [linked(world, ada), linked(world, ada), linked(world, ben)];
  world.sanctions.ban(ada, { code: 101, seconds: 3_600 });
  await settled();
  expect([desk.closed, shop.closed, other.closed]).toEqual([['fault'], ['fault'], []]);
  world.clock.advance(600_000);
  const refused = { reason: 402, code: 101, expireSeconds: 3_000 };
  expect(world.faults.refusesLogin(desk.device.sessionId)).toEqual(refused);
  expect(world.faults.refusesLogin(shop.device.sessionId)).toEqual(refused);
  expect(world.faults.refusesLogin(other.device.sessionId)).toBeUndefined();
  world.clock.advance(3_000_000);
  expect(world.faults.refusesLogin(desk.device.sessionId)).toBeUndefined();
});

test('a ban can be lifted, and an account locked and unlocked', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  const { sessionId } = desk.device;
  world.sanctions.ban(ada, { code: 106, seconds: 60 });
  world.sanctions.ban(ada, { code: 106, seconds: 0 });
  expect(world.faults.refusesLogin(sessionId)).toBeUndefined();
  world.sanctions.lock(ada, true);
  expect(world.faults.refusesLogin(sessionId)).toEqual({ reason: 403 });
  world.sanctions.lock(ada, false);
  expect(world.faults.refusesLogin(sessionId)).toBeUndefined();
  await settled();
  expect(desk.closed).toEqual(['fault']);
  expect(refusal(() => world.sanctions.lock(unregistered, true))).toBe('not_found');
});
