import { expect, test } from 'vitest';
import { seedDemo } from '../demo.ts';
import {
  ada,
  ben,
  cleo,
  createTestWorld,
  handset,
  linked,
  refusal,
  settled,
  unregistered,
} from '../fixture.ts';
import { lidJid, userJid } from '../jids.ts';

test('a person is found by number, JID, device JID and LID', () => {
  const world = createTestWorld();
  const { lid } = world.phones.get(ada);
  for (const address of [
    ada,
    `+${ada}`,
    userJid(ada),
    `${ada}:3@s.whatsapp.net`,
    lidJid(lid),
    `${lid}:3@lid`,
  ]) {
    expect(world.phones.find(address)?.phone).toBe(ada);
  }
  expect(world.phones.find(unregistered)).toBeUndefined();
  expect(world.phones.find('ada')).toBeUndefined();
});

test('a number exists once and is well formed', () => {
  const world = createTestWorld();
  expect(refusal(() => world.phones.create(ada, { name: 'Again' }))).toBe('conflict');
  for (const phone of ['+15550001111', '0155500011', '12', 'abc']) {
    expect(refusal(() => world.phones.create(phone, { name: 'X' }))).toBe('bad_request');
  }
});

test('those who have a person in their address book are notified of a new name or About, and no others', async () => {
  const world = createTestWorld();
  world.contacts.save(handset(ben), { phone: ada, firstName: 'Ada', fullName: 'Ada L' });
  const friend = linked(world, ben);
  const stranger = linked(world, cleo);
  world.phones.update(handset(ada), { about: 'Busy' });
  world.phones.update(handset(ada), { autoRead: true });
  await settled();
  expect(friend.news('profile')).toMatchObject([{ person: { phone: ada }, about: 'Busy' }]);
  expect(stranger.items).toEqual([]);
});

test('the address book takes unregistered numbers too, and notifies the own devices of changes', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  world.contacts.save(handset(ada), { phone: ben, firstName: 'B', fullName: 'Ben F' });
  world.contacts.save(handset(ada), { phone: ben, firstName: 'Ben', fullName: 'Ben F' });
  world.contacts.save(handset(ada), { phone: unregistered, firstName: 'No', fullName: 'No Body' });
  expect(world.contacts.list(ada)).toMatchObject([
    { phone: ben, firstName: 'Ben', pushName: 'Ben', lid: world.phones.get(ben).lid },
    { phone: unregistered, firstName: 'No', pushName: '', lid: undefined },
  ]);
  world.contacts.remove(handset(ada), unregistered);
  expect(refusal(() => world.contacts.remove(handset(ada), unregistered))).toBe('not_found');
  await settled();
  expect(desk.news('contact').map(({ contact, removed }) => [contact.phone, removed])).toEqual([
    [ben, false],
    [ben, false],
    [unregistered, false],
    [unregistered, true],
  ]);
});

test('a photo may be missing, visible or hidden', async () => {
  const world = createTestWorld();
  world.contacts.save(handset(ben), { phone: ada, firstName: 'Ada', fullName: 'Ada' });
  const friend = linked(world, ben);
  expect(refusal(() => world.photos.get(ben, ada, 'image'))).toBe('not_found');
  const id = world.photos.set(handset(ada), ada, new Uint8Array([1, 2, 3]));
  expect(world.photos.get(ben, ada, 'preview')).toEqual({
    id,
    type: 'preview',
    bytes: new Uint8Array([1, 2, 3]),
  });
  expect(world.photos.byId(id ?? '')?.bytes).toEqual(new Uint8Array([1, 2, 3]));
  world.phones.update(handset(ada), { hidesPhoto: true });
  expect(refusal(() => world.photos.get(ben, ada, 'image'))).toBe('forbidden');
  expect(world.photos.get(ada, ada, 'image').id).toBe(id);
  world.photos.set(handset(ada), ada, undefined);
  expect(refusal(() => world.photos.get(ada, ada, 'image'))).toBe('not_found');
  expect(refusal(() => world.photos.set(handset(ben), ada, new Uint8Array([1])))).toBe('forbidden');
  await settled();
  expect(friend.news('picture').map(({ jid, pictureId }) => [jid, pictureId])).toEqual([[userJid(ada), id]]);
});

test('a blocklist names people; accounts in lid mode have none', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  expect(world.blocklists.block(handset(ada), userJid(ben)).map(({ phone }) => phone)).toEqual([ben]);
  expect(world.blocklists.unblock(handset(ada), ben)).toEqual([]);
  expect(refusal(() => world.blocklists.block(handset(ada), ada))).toBe('bad_request');
  world.phones.update(handset(ada), { lidMode: true });
  expect(refusal(() => world.blocklists.of(ada))).toBe('bad_request');
  expect(refusal(() => world.blocklists.block(handset(ada), ben))).toBe('bad_request');
  await settled();
  expect(desk.news('blocklist').map(({ person, blocked }) => [person.phone, blocked])).toEqual([
    [ben, true],
    [ben, false],
  ]);
});

test('the demo has three people who have each other as contacts, however often it is seeded', () => {
  const world = createTestWorld();
  seedDemo(world);
  seedDemo(world);
  expect(world.contacts.list('15550001001').map(({ fullName }) => fullName)).toEqual([
    'Ada Lovelace',
    'Ben Franklin',
  ]);
  expect(world.contacts.list(ada)).toHaveLength(2);
});
