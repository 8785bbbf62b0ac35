import { expect, test } from 'vitest';
import {
  ada,
  ben,
  cleo,
  createTestWorld,
  handset,
  linked,
  listen,
  refusal,
  settled,
  text,
} from '../fixture.ts';

/** A linked device of that phone that is available. */
const watching = (world: ReturnType<typeof createTestWorld>, phone: string) => {
  const desk = linked(world, phone);
  world.presence.set(desk.device, { online: true });
  return desk;
};

const greet = (world: ReturnType<typeof createTestWorld>) =>
  world.messages.send(handset(ada), { id: 'hi', to: ben, content: text('hi') });

test('presence is sent to subscribers with earlier interaction', async () => {
  const world = createTestWorld();
  greet(world);
  const desk = watching(world, ada);
  world.presence.subscribe(desk.device, ben);
  world.presence.set(handset(ben), { online: true });
  world.clock.advance(1_000);
  world.presence.set(handset(ben), { online: false });
  await settled();
  expect(desk.news('presence').map(({ online, lastSeenAt }) => [online, lastSeenAt])).toEqual([
    [false, undefined],
    [true, undefined],
    [false, world.clock.now()],
  ]);
});

test('without earlier interaction a subscription is accepted and stays silent', async () => {
  const world = createTestWorld();
  const desk = watching(world, ada);
  world.presence.subscribe(desk.device, cleo);
  world.presence.set(handset(cleo), { online: true });
  await settled();
  expect(desk.items).toEqual([]);
});

test('a subscription lasts as long as the connection', async () => {
  const world = createTestWorld();
  greet(world);
  const desk = linked(world, ada);
  world.presence.subscribe(desk.device, ben);
  await settled();
  const again = listen(world, desk.device);
  world.presence.set(handset(ben), { online: true });
  await settled();
  expect(again.items).toEqual([]);
});

test('a linked device that is available makes its person online until it disconnects', async () => {
  const world = createTestWorld();
  greet(world);
  const watcher = watching(world, ada);
  const desk = linked(world, ben);
  world.presence.subscribe(watcher.device, ben);
  world.presence.set(desk.device, { online: true });
  expect(world.phones.get(ben).online).toBe(true);
  world.clock.advance(500);
  desk.detach();
  expect(world.phones.get(ben)).toMatchObject({ online: false, lastSeenAt: world.clock.now() });
  await settled();
  expect(watcher.news('presence').map(({ online }) => online)).toEqual([false, true, false]);
});

test('typing expires after 25 seconds', async () => {
  const world = createTestWorld();
  const desk = watching(world, ben);
  world.presence.typing(handset(ada), ben, { typing: true, media: 'audio' });
  expect(world.presence.typingTo(ben)).toMatchObject([{ person: { phone: ada }, media: 'audio' }]);
  world.clock.advance(24_999);
  await settled();
  expect(desk.news('typing').map(({ typing }) => typing)).toEqual([true]);
  world.clock.advance(1);
  await settled();
  expect(desk.news('typing').map(({ typing, media }) => [typing, media])).toEqual([
    [true, 'audio'],
    [false, 'audio'],
  ]);
  expect(world.presence.typingTo(ben)).toEqual([]);
});

test('continued typing extends it by 25 seconds', async () => {
  const world = createTestWorld();
  const desk = watching(world, ben);
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  world.clock.advance(10_000);
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  await settled();
  world.clock.advance(24_999);
  await settled();
  expect(desk.news('typing').map(({ typing }) => typing)).toEqual([true, true]);
  world.clock.advance(1);
  await settled();
  expect(desk.news('typing').map(({ typing }) => typing)).toEqual([true, true, false]);
});

test('no stop is sent to a chat where typing has ended or a message was sent', async () => {
  const world = createTestWorld();
  const desk = watching(world, ben);
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  world.presence.typing(handset(ada), ben, { typing: false, media: 'text' });
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  greet(world);
  expect(world.presence.typingTo(ben)).toEqual([]);
  await settled();
  world.clock.advance(60_000);
  await settled();
  expect(desk.news('typing').map(({ typing }) => typing)).toEqual([true, false, true]);
});

test('typing in a group is seen by its members only, and outsiders cannot type there', async () => {
  const world = createTestWorld();
  const { group } = world.groups.create(handset(ada), { name: 'Club', participants: [ben] });
  const member = watching(world, ben);
  const outsider = watching(world, cleo);
  world.presence.typing(handset(ada), group.jid, { typing: true, media: 'text' });
  await settled();
  expect(member.news('typing')).toMatchObject([{ chat: { jid: group.jid }, person: { phone: ada } }]);
  expect(outsider.items).toEqual([]);
  expect(world.presence.typingTo(cleo)).toEqual([]);
  expect(
    refusal(() => world.presence.typing(handset(cleo), group.jid, { typing: true, media: 'text' })),
  ).toBe('forbidden');
});

test('a linked device that is not available gets neither typing nor presence', async () => {
  const world = createTestWorld();
  greet(world);
  const [desk, shop] = [linked(world, ben), watching(world, ben)];
  for (const { device } of [desk, shop]) world.presence.subscribe(device, ada);
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  world.presence.set(handset(ada), { online: true });
  await settled();
  expect(desk.items.map(({ news }) => news.kind)).not.toContain('typing');
  expect(desk.news('presence')).toEqual([]);
  expect([shop.news('typing'), shop.news('presence')].map(({ length }) => length)).toEqual([1, 2]);
  world.presence.set(desk.device, { online: true });
  world.presence.set(handset(ada), { online: false });
  await settled();
  expect(desk.news('presence').map(({ online }) => online)).toEqual([false]);
});
