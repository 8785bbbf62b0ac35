import { expect, test } from 'vitest';
import { ada, ben, cleo, createTestWorld, handset, linked, refusal, settled, text } from '../fixture.ts';

function aChannel() {
  const world = createTestWorld();
  const channel = world.channels.create(handset(ada), { name: 'News', description: 'Daily' });
  return { world, channel, jid: channel.jid };
}

test('a channel is found by its address, its code and its link', () => {
  const { world, channel, jid } = aChannel();
  for (const reference of [jid, channel.inviteCode, `https://whatsapp.com/channel/${channel.inviteCode}`]) {
    expect(world.channels.get(reference)).toMatchObject({ jid, name: 'News', subscriberCount: 1 });
  }
  expect(refusal(() => world.channels.get('1@newsletter'))).toBe('not_found');
  expect(refusal(() => world.channels.create(handset(ada), { name: ' ', description: '' }))).toBe(
    'bad_request',
  );
});

test('followers get what the owner sends, numbered upwards; only the owner may send', async () => {
  const { world, jid } = aChannel();
  const desk = linked(world, ben);
  world.channels.follow(desk.device, jid);
  const first = world.channels.send(handset(ada), jid, { id: 'A', content: text('one') });
  const second = world.channels.send(handset(ada), jid, { id: 'B', content: text('two') });
  expect(second.serverId).toBe(first.serverId + 1);
  expect(refusal(() => world.channels.send(desk.device, jid, { id: 'C', content: text('me') }))).toBe(
    'forbidden',
  );
  await settled();
  expect(
    desk.news('channel_message').map(({ message, fromMe }) => [message.id, message.serverId, fromMe]),
  ).toEqual([
    ['A', first.serverId, false],
    ['B', second.serverId, false],
  ]);
});

test('a repeated id is answered with the first message and published once', async () => {
  const { world, jid } = aChannel();
  const desk = linked(world, ben);
  world.channels.follow(desk.device, jid);
  const first = world.channels.send(handset(ada), jid, { id: 'A', content: text('one') });
  expect(world.channels.send(handset(ada), jid, { id: 'A', content: text('one') })).toEqual(first);
  await settled();
  expect(desk.news('channel_message')).toHaveLength(1);
});

test('reactions are counted, one per follower, and can be taken back', () => {
  const { world, jid } = aChannel();
  const { serverId } = world.channels.send(handset(ada), jid, { id: 'A', content: text('one') });
  expect(refusal(() => world.channels.react(handset(ben), jid, serverId, '👍'))).toBe('forbidden');
  for (const phone of [ben, cleo]) {
    world.channels.follow(handset(phone), jid);
    world.channels.react(handset(phone), jid, serverId, '👍');
  }
  world.channels.react(handset(cleo), jid, serverId, '🎉');
  expect(world.channels.messages(jid, 10)[0]?.reactions).toEqual({ '👍': 1, '🎉': 1 });
  world.channels.react(handset(cleo), jid, serverId, '');
  expect(world.channels.messages(jid, 10)[0]?.reactions).toEqual({ '👍': 1 });
  expect(refusal(() => world.channels.react(handset(ben), jid, 1, '👍'))).toBe('not_found');
});

test('mute is kept, unfollowing ends it, and the owner cannot unfollow', () => {
  const { world, jid } = aChannel();
  world.channels.follow(handset(ben), jid);
  world.channels.mute(handset(ben), jid, true);
  expect(world.channels.followedBy(ben)).toMatchObject([
    { jid, muted: true, role: 'subscriber', subscriberCount: 2 },
  ]);
  world.channels.unfollow(handset(ben), jid);
  expect(world.channels.followedBy(ben)).toEqual([]);
  expect(refusal(() => world.channels.mute(handset(ben), jid, true))).toBe('forbidden');
  expect(refusal(() => world.channels.unfollow(handset(ada), jid))).toBe('forbidden');
});

test('messages are read in pages from the newest back', () => {
  const { world, jid } = aChannel();
  const ids = ['a', 'b', 'c'].map(
    (id) => world.channels.send(handset(ada), jid, { id, content: text(id) }).serverId,
  );
  expect(world.channels.messages(jid, 2).map(({ id }) => id)).toEqual(['b', 'c']);
  expect(world.channels.messages(jid, 2, ids[1]).map(({ id }) => id)).toEqual(['a']);
});
