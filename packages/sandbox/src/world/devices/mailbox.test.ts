import { expect, test } from 'vitest';
import { ada, ben, createTestWorld, handset, linked, listen, refusal, settled, text } from '../fixture.ts';

const say = (world: ReturnType<typeof createTestWorld>, id: string) =>
  world.messages.send(handset(ada), { id, to: ben, content: text(id) });

test('news of a time when the device was away waits in order, and live news follows', async () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  say(world, 'one');
  say(world, 'two');

  const { items } = listen(world, device);
  say(world, 'three');
  await settled();

  expect(items.map(({ news, waited }) => [news.kind === 'message' && news.message.id, waited])).toEqual([
    ['one', true],
    ['two', true],
    ['three', false],
  ]);
});

test('the answer to an action leaves before its news is delivered', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  say(world, 'one');
  expect(desk.items).toEqual([]);
  await settled();
  expect(desk.items).toHaveLength(1);
});

test('an unacknowledged item comes again under the same id, an acknowledged one does not', async () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  const first = listen(world, device, { acknowledging: false });
  say(world, 'kept');
  say(world, 'lost');
  await settled();
  const [kept, lost] = first.items;
  world.mailboxes.acknowledge(device.sessionId, kept?.id ?? 0);
  first.detach();

  const second = listen(world, device);
  expect(second.items.map((item) => item.id)).toEqual([lost?.id]);
  await settled();
  expect(world.mailboxes.waiting(device.sessionId)).toBe(0);
});

test('a second attachment replaces the first, which is closed as replaced and receives no more', async () => {
  const world = createTestWorld();
  const old = linked(world, ben);
  const fresh = listen(world, old.device);
  say(world, 'one');
  await settled();
  expect(old.closed).toEqual(['replaced']);
  expect(old.items).toEqual([]);
  expect(fresh.items).toHaveLength(1);
});

test('a replaced attachment cannot detach its successor', async () => {
  const world = createTestWorld();
  const old = linked(world, ben);
  const fresh = listen(world, old.device);
  old.detach();
  say(world, 'one');
  await settled();
  expect(fresh.items).toHaveLength(1);
});

test('a device receives at most a window of unacknowledged items, and acknowledging brings the rest', async () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  world.transaction(() => {
    for (let n = 0; n < 1_100; n += 1) say(world, `m${n}`);
  });
  const slow = listen(world, device, { acknowledging: false });
  expect(slow.items).toHaveLength(1_000);
  world.mailboxes.acknowledge(device.sessionId, ...slow.items.slice(0, 60).map((item) => item.id));
  await settled();
  expect(slow.items).toHaveLength(1_060);
});

test('typing expires for a device that stays away, messages do not', () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  say(world, 'one');
  world.clock.advance(60_000);
  expect(listen(world, device).items.map((item) => item.news.kind)).toEqual(['message']);
});

test.each([
  [59_999, ['offer', 'terminate']],
  [60_000, ['terminate']],
  [69_999, ['terminate']],
  [70_000, []],
])(
  'of a call that ended after 10 s, a device that comes back after %i ms receives %j',
  (awayMs, received) => {
    const world = createTestWorld();
    const device = world.devices.link(ben, new Uint8Array([1]));
    const call = world.calls.offer(handset(ada), ben, { video: false });
    world.clock.advance(10_000);
    world.calls.terminate(handset(ada), call.id);
    world.clock.advance(awayMs - 10_000);
    const calls = listen(world, device).items.map(({ news }) => news.kind === 'call' && news.event);
    expect(calls).toEqual(received);
  },
);

test('a call reaches a device that comes back soon, once, without acknowledgement, and typing does not', () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  world.calls.offer(handset(ada), ben, { video: false });
  world.clock.advance(5_000);
  const first = listen(world, device, { acknowledging: false });
  expect(first.items.map((item) => [item.news.kind, item.volatile])).toEqual([['call', true]]);
  expect(listen(world, device).items).toEqual([]);
});

test('news that a listener causes while it runs stays in order', async () => {
  const world = createTestWorld();
  const device = world.devices.link(ben, new Uint8Array([1]));
  const other = linked(world, ada);
  const received: string[] = [];
  const attachment = world.mailboxes.attach(device.sessionId, {
    item({ id, news }) {
      if (news.kind !== 'message') return;
      received.push(news.message.id);
      if (news.message.id === 'one')
        world.messages.send(handset(ada), { id: 'two', to: ben, content: text('2') });
      world.mailboxes.acknowledge(device.sessionId, id);
    },
    closed() {},
  });
  attachment.start();
  say(world, 'one');
  await settled();
  expect(received).toEqual(['one', 'two']);
  expect(other.news('message').map(({ message }) => message.id)).toEqual(['one', 'two']);
});

test('a failed action leaves nothing in any mailbox', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  expect(() =>
    world.transaction(() => {
      say(world, 'one');
      throw new Error('changed my mind');
    }),
  ).toThrow('changed my mind');
  await settled();
  expect(desk.items).toEqual([]);
  expect(world.messages.seenBy(ben)).toEqual([]);
});

test('a part that fails inside a larger transaction is undone alone', () => {
  const world = createTestWorld();
  world.transaction(() => {
    say(world, 'one');
    expect(() =>
      world.transaction(() => {
        say(world, 'undone');
        throw new Error('changed my mind');
      }),
    ).toThrow('changed my mind');
    say(world, 'two');
  });
  expect(world.messages.seenBy(ben).map(({ id }) => id)).toEqual(['one', 'two']);
});

test('a device that is not linked has no mailbox', () => {
  const world = createTestWorld();
  expect(refusal(() => world.mailboxes.attach(`${ada}:9@s.whatsapp.net`, { item() {}, closed() {} }))).toBe(
    'not_found',
  );
});
