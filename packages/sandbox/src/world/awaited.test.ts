import { expect, test } from 'vitest';
import { ada, ben, createTestWorld, linked, listen, settled, text } from './fixture.ts';

const message = { id: 'M1', to: `${ben}@s.whatsapp.net` };

test('the request for a message is told until it is acknowledged', async () => {
  const world = createTestWorld();
  const deaf = listen(world, world.devices.link(ada, new Uint8Array([1])), { acknowledging: false });
  world.awaited.ask(ben, deaf.device, message);
  await settled();
  expect(deaf.news('retry')).toMatchObject([{ messageId: 'M1', count: 1, own: false }]);
  deaf.detach();

  const desk = listen(world, deaf.device);
  await settled();
  expect(desk.news('retry')).toHaveLength(1);
  desk.detach();
  expect(world.mailboxes.waiting(deaf.device.sessionId)).toBe(0);
});

test('a phone counts its requests and gives up after five, but goes on waiting', async () => {
  const world = createTestWorld();
  const { device, news } = linked(world, ada);
  for (let request = 0; request < 7; request++) world.awaited.ask(ben, device, message);
  await settled();
  expect(news('retry').map(({ count }) => count)).toEqual([1, 2, 3, 4, 5]);
  expect(world.awaited.by(ben)).toBe(1);
});

test('a message that comes at last has the place that was kept for it', () => {
  const world = createTestWorld();
  const { device } = linked(world, ada);
  world.awaited.ask(ben, device, message);
  world.clock.advance(1_000);
  world.messages.send(device, { id: 'M2', to: ben, content: text('second') });
  world.clock.advance(1_000);
  const at = world.awaited.came(device, 'M1');
  world.messages.send(device, { id: 'M1', to: ben, content: text('first'), ...(at !== undefined && { at }) });
  expect(world.messages.seenBy(ben).map(({ id }) => id)).toEqual(['M1', 'M2']);
  expect(world.awaited.by(ben)).toBe(0);
  expect(world.awaited.came(device, 'M1')).toBeUndefined();
});
