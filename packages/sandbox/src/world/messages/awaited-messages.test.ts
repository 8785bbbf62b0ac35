import { expect, test } from 'vitest';
import { ada, ben, createTestWorld, linked, listen, settled, text } from '../fixture.ts';
import type { CopyOutcome } from './types.ts';

const message = { id: 'M1', to: `${ben}@s.whatsapp.net` };

test('the request for a message waits in the mailbox until it is acknowledged', async () => {
  const world = createTestWorld();
  const silent = listen(world, world.devices.link(ada, new Uint8Array([1])), { acknowledging: false });
  world.awaited.ask(ben, silent.device, message);
  await settled();
  expect(silent.news('retry')).toMatchObject([{ messageId: 'M1', count: 1, own: false }]);
  silent.detach();

  const desk = listen(world, silent.device);
  await settled();
  expect(desk.news('retry')).toHaveLength(1);
  desk.detach();
  expect(world.mailboxes.waiting(silent.device.sessionId)).toBe(0);
});

test('a phone counts its requests and gives up after five, but goes on waiting', async () => {
  const world = createTestWorld();
  const { device, news } = linked(world, ada);
  for (let request = 0; request < 7; request++) world.awaited.ask(ben, device, message);
  await settled();
  expect(news('retry').map(({ count }) => count)).toEqual([1, 2, 3, 4, 5]);
  expect(world.awaited.by(ben)).toBe(1);
});

test('a message that arrives at last replaces the placeholder that waits for it', async () => {
  const world = createTestWorld();
  const { device, news } = linked(world, ada);
  const carry = (id: string, reading: CopyOutcome) => {
    const route = world.messages.route(device, {
      id,
      to: ben,
      audience: [],
      needsNoVoice: false,
      deletesForeign: false,
    });
    world.messages.carry(device, route, { id, to: ben, readings: new Map([[ben, reading]]) });
  };
  carry('M1', { kind: 'unreadable', hidden: false });
  world.clock.advance(1_000);
  carry('M2', { kind: 'read', content: text('second') });
  const shown = () => world.messages.seenBy(ben).map(({ id, content }) => [id, content.type]);
  expect(shown()).toEqual([
    ['M1', 'waiting'],
    ['M2', 'text'],
  ]);
  expect(world.awaited.by(ben)).toBe(1);
  world.clock.advance(1_000);
  carry('M1', { kind: 'read', content: text('first') });
  expect(shown()).toEqual([
    ['M1', 'text'],
    ['M2', 'text'],
  ]);
  expect(world.awaited.by(ben)).toBe(0);
  await settled();
  expect(news('retry').map(({ messageId }) => messageId)).toEqual(['M1']);
  expect(news('receipt').map(({ messageId }) => messageId)).toEqual(['M2', 'M1']);
});
