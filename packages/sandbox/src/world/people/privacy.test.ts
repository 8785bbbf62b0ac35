import { expect, test } from 'vitest';
import {
  ada,
  ben,
  cleo,
  createTestWorld,
  handset,
  linked,
  refusal,
  settled,
  type TestWorld,
  text,
} from '../fixture.ts';

const save = (world: TestWorld, owner: string, phone: string): void => {
  world.contacts.save(handset(owner), { phone, firstName: 'A', fullName: 'A contact' });
};

test('settings are kept, and unknown names and values are refused', () => {
  const world = createTestWorld();
  const value = (name: string) => world.privacy.of(ada).find((setting) => setting.name === name)?.value;
  expect(value('last')).toBe('all');
  world.privacy.set(handset(ada), 'last', 'none');
  expect(value('last')).toBe('none');
  expect(refusal(() => world.privacy.set(handset(ada), 'online', 'contacts'))).toBe('bad_request');
  expect(refusal(() => world.privacy.set(handset(ada), 'shoe_size', 'all'))).toBe('bad_request');
  expect(value('online')).toBe('all');
});

test('contacts are let in, but for the excluded ones', () => {
  const world = createTestWorld();
  const isLet = (other: string) => world.privacy.lets(ada, 'profile', other);
  save(world, ada, ben);
  world.privacy.set(handset(ada), 'profile', 'contacts');
  expect([isLet(ada), isLet(ben), isLet(cleo)]).toEqual([true, true, false]);
  world.privacy.set(handset(ada), 'profile', 'contact_blacklist', [{ who: ben, excludes: true }]);
  expect(isLet(ben)).toBe(false);
  world.privacy.set(handset(ada), 'profile', 'contact_blacklist', [{ who: ben, excludes: false }]);
  expect(isLet(ben)).toBe(true);
});

test('a photo is hidden from those who are not let in', () => {
  const world = createTestWorld();
  world.photos.set(handset(ada), ada, new Uint8Array([1]));
  world.privacy.set(handset(ada), 'profile', 'contacts');
  expect(refusal(() => world.photos.get(ben, ada, 'image'))).toBe('forbidden');
  save(world, ada, ben);
  expect(world.photos.get(ben, ada, 'image').bytes).toEqual(new Uint8Array([1]));
});

test('a group has only members who let themselves be added', () => {
  const world = createTestWorld();
  world.privacy.set(handset(ben), 'groupadd', 'contacts');
  const add = () =>
    world.groups.create(handset(ada), { name: 'Club', participants: [ben] }).results.map((r) => r.outcome);
  expect(add()).toEqual(['forbidden']);
  save(world, ben, ada);
  expect(add()).toEqual(['ok']);
});

test('read receipts of a direct chat need both sides; the own devices have theirs', async () => {
  const world = createTestWorld();
  const [author, reader] = [linked(world, ada), linked(world, ben)];
  const read = (id: string): void => {
    world.messages.send(handset(ada), { id, to: ben, content: text('seen?') });
    world.messages.mark(ben, id, 'read');
  };
  const reads = () =>
    author
      .news('receipt')
      .filter(({ type }) => type === 'read')
      .map(({ messageId }) => messageId);
  world.privacy.set(handset(ben), 'readreceipts', 'none');
  read('R1');
  world.privacy.set(handset(ben), 'readreceipts', 'all');
  world.privacy.set(handset(ada), 'readreceipts', 'none');
  read('R2');
  world.privacy.set(handset(ada), 'readreceipts', 'all');
  read('R3');
  await settled();
  expect(reads()).toEqual(['R3']);
  expect(reader.news('own_read').map(({ messageId }) => messageId)).toEqual(['R1', 'R2', 'R3']);
  expect(world.messages.find(ada, 'R1')?.receipts.map(({ type }) => type)).toEqual(['delivered']);
});

test('a call of a stranger does not ring where only known callers do', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  world.privacy.set(handset(ben), 'calladd', 'known');
  world.calls.offer(handset(ada), ben, { video: false });
  await settled();
  expect(desk.news('call')).toEqual([]);
  save(world, ben, ada);
  world.calls.offer(handset(ada), ben, { video: false });
  await settled();
  expect(desk.news('call')).toHaveLength(1);
});

test('last seen is for those who show theirs, and being online for those who may see it', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  world.messages.send(handset(ada), { id: 'M', to: ben, content: text('hi') });
  world.presence.set(desk.device, { online: true });
  world.presence.subscribe(desk.device, ada);
  await settled();
  const last = async (online: boolean) => {
    const before = desk.news('presence').length;
    world.presence.set(handset(ada), { online, lastSeenAt: 1_000 });
    await settled();
    return desk
      .news('presence')
      .slice(before)
      .map((news) => [news.online, news.lastSeenAt, news.isHidden]);
  };
  expect(await last(false)).toEqual([[false, 1_000, undefined]]);
  world.privacy.set(handset(ada), 'last', 'none');
  expect(await last(false)).toEqual([[false, undefined, true]]);
  expect(await last(true)).toEqual([[true, undefined, undefined]]);
  world.privacy.set(handset(ada), 'online', 'match_last_seen');
  expect(await last(true)).toEqual([]);
  world.privacy.set(handset(ada), 'last', 'all');
  world.privacy.set(handset(ben), 'last', 'none');
  expect(await last(false)).toEqual([[false, undefined, true]]);
});
