import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ada,
  ben,
  cleo,
  createSteppedClock,
  createTestWorld,
  handset,
  linked,
  refusal,
  settled,
  type TestWorld,
  text,
  unregistered,
} from '../fixture.ts';
import type { LinkedDevice, PhoneNumber } from '../types.ts';

const HOUR_MS = 3_600_000;
const LOCK = { type: 'RESTRICT_ALL_COMPANIONS', seconds: 3_600 };

let ids = 0;
function write(world: TestWorld, from: LinkedDevice | PhoneNumber, to: PhoneNumber): void {
  ids += 1;
  const actor = typeof from === 'string' ? handset(from) : from;
  world.messages.send(actor, { id: `M${ids}`, to, content: text('hi') });
}

function strangers(world: TestWorld, count: number): PhoneNumber[] {
  return Array.from({ length: count }, (_, n) => {
    const phone = String(15_551_000_000 + n);
    world.phones.create(phone, { name: `Stranger ${n}` });
    return phone;
  });
}

test('a restricted account may write only where it has a chat, until the restriction expires', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  write(world, ben, ada);
  world.standing.restrict(ada, LOCK);
  await settled();
  const lock = { type: LOCK.type, endsAt: world.clock.now() + HOUR_MS };
  expect(desk.news('reachout_lock')).toMatchObject([{ lock }]);
  expect(world.standing.lockOf(ada)).toEqual(lock);
  expect(world.standing.refusesMessage(desk.device, ben)).toBeUndefined();
  expect(world.standing.refusesMessage(desk.device, cleo)).toBe(463);
  world.clock.advance(HOUR_MS);
  expect(world.standing.lockOf(ada)).toBeUndefined();
  expect(world.standing.refusesMessage(desk.device, cleo)).toBeUndefined();
});

test('a lifted restriction is also notified to devices that come back later', async () => {
  const world = createTestWorld();
  const device = world.devices.link(ada, new Uint8Array([1]));
  world.standing.restrict(ada, LOCK);
  world.standing.restrict(ada, { ...LOCK, seconds: 0 });
  expect(world.mailboxes.waiting(device.sessionId)).toBe(2);
  expect(refusal(() => world.standing.restrict(unregistered, LOCK))).toBe('not_found');
});

test('a cap counts new chats, warns, refuses beyond it, and starts over with the next cycle', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  const people = strangers(world, 11);
  world.standing.cap(ada, { quota: 10, used: 0, cycleSeconds: 86_400 });
  write(world, ben, ada);
  write(world, desk.device, ben);
  expect(world.standing.capOf(ada)?.used).toBe(0);
  for (const person of people.slice(0, 10)) {
    expect(world.standing.refusesMessage(desk.device, person)).toBeUndefined();
    write(world, desk.device, person);
    write(world, desk.device, person);
  }
  await settled();
  expect(desk.news('new_chat_cap').map(({ cap: { used, status } }) => [used, status])).toEqual([
    [0, 'NONE'],
    [8, 'FIRST_WARNING'],
    [9, 'SECOND_WARNING'],
    [10, 'CAPPED'],
  ]);
  const last = people.at(-1) ?? '';
  expect(world.standing.refusesMessage(desk.device, last)).toBe(475);
  expect(world.standing.refusesMessage(desk.device, people[0] ?? '')).toBeUndefined();
  world.clock.advance(25 * HOUR_MS);
  expect(world.standing.capOf(ada)).toMatchObject({ used: 0, status: 'NONE' });
  write(world, desk.device, last);
  const cap = world.standing.capOf(ada);
  expect(cap).toMatchObject({ used: 1 });
  expect((cap?.cycleEndsAt ?? 0) - world.clock.now()).toBe(23 * HOUR_MS);
});

test('a rule restricts an account that starts too many chats within any 24 hours', () => {
  const world = createTestWorld();
  const { device } = linked(world, ada);
  const people = strangers(world, 8);
  world.standing.setRules({
    restrictAfterNewChatsPerDay: 3,
    restrictForSeconds: 7_200,
    hideDevicesOfNumbers: false,
    fewKeys: false,
    brokenMediaHosts: 0,
  });
  const reach = (count: number): void => {
    for (const person of people.splice(0, count)) write(world, device, person);
  };
  reach(2);
  world.clock.advance(23 * HOUR_MS);
  reach(1);
  expect(world.standing.lockOf(ada)).toBeUndefined();
  // the first two are more than a day ago by now
  world.clock.advance(HOUR_MS);
  reach(2);
  expect(world.standing.lockOf(ada)).toBeUndefined();
  reach(1);
  expect(world.standing.lockOf(ada)).toEqual({
    type: 'RESTRICT_ALL_COMPANIONS',
    endsAt: world.clock.now() + 7_200_000,
  });
  expect(world.standing.refusesMessage(device, people[0] ?? '')).toBe(463);
});

test('chats that a phone starts are not counted', () => {
  const world = createTestWorld();
  world.standing.setRules({
    restrictAfterNewChatsPerDay: 1,
    restrictForSeconds: 60,
    hideDevicesOfNumbers: false,
    fewKeys: false,
    brokenMediaHosts: 0,
  });
  for (const person of strangers(world, 3)) write(world, ada, person);
  expect(world.standing.lockOf(ada)).toBeUndefined();
});

test('a block or report counts once per person', () => {
  const world = createTestWorld();
  world.standing.report(ben, ada);
  world.standing.report(ben, ada);
  world.standing.report(cleo, ada);
  world.blocklists.block(handset(cleo), ada);
  expect(world.standing.complaintsAbout(ada)).toEqual({ blockedBy: 1, reportedBy: 2 });
  expect(refusal(() => world.standing.report(ada, ada))).toBe('bad_request');
});

test('all of it survives a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-standing-'));
  const file = join(folder, 'world.db');
  const clock = createSteppedClock();
  const before = createTestWorld({ file, clock });
  const { device } = linked(before, ada);
  const rules = {
    restrictAfterNewChatsPerDay: 1,
    restrictForSeconds: 60,
    hideDevicesOfNumbers: false,
    fewKeys: false,
    brokenMediaHosts: 0,
  };
  before.standing.setRules(rules);
  before.standing.cap(ada, { quota: 5, used: 2, cycleSeconds: 60 });
  before.standing.restrict(ben, LOCK);
  before.standing.limit(ada, 'groups', 60);
  before.standing.report(cleo, ada);
  write(before, device, ben);
  before.close();

  const world = createTestWorld({ file, clock });
  expect(world.standing.rules()).toEqual(rules);
  expect(world.standing.capOf(ada)).toMatchObject({ quota: 5, used: 3 });
  expect(world.standing.lockOf(ben)).toMatchObject({ type: LOCK.type });
  expect(world.standing.complaintsAbout(ada).reportedBy).toBe(1);
  expect([world.standing.isLimited(ada, 'groups'), world.standing.isLimited(ada, 'users')]).toEqual([
    true,
    false,
  ]);
  write(world, device, cleo);
  expect(world.standing.lockOf(ada)).toBeDefined();
  clock.advance(60_000);
  expect(world.standing.isLimited(ada, 'groups')).toBe(false);
  world.close();
  rmSync(folder, { recursive: true });
});
