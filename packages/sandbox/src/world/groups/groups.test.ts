import { expect, test } from 'vitest';
import {
  ada,
  ben,
  cleo,
  createTestWorld,
  handset,
  linked,
  nobody,
  refusal,
  settled,
  text,
} from '../fixture.ts';

/** Ada's club, with Ben in it. */
function aClub() {
  const world = createTestWorld();
  const { group } = world.groups.create(handset(ada), { name: 'Club', participants: [ben] });
  return { world, jid: group.jid };
}

test('who founds a group owns it; those who cannot be added are named', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  const { lid } = world.phones.get(cleo);
  const { group, results } = world.groups.create(handset(ada), {
    name: 'Club',
    participants: [ben, `${lid}@lid`, nobody],
  });
  expect(group.owner?.phone).toBe(ada);
  expect(group.members.map(({ person, role }) => [person.phone, role])).toEqual([
    [ada, 'superadmin'],
    [ben, 'member'],
    [cleo, 'member'],
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'not_registered']);
  await settled();
  expect(desk.news('group')).toMatchObject([
    { group: group.jid, by: { phone: ada }, change: { type: 'create' } },
  ]);
});

test('a group name has 1 to 25 characters', () => {
  const { world, jid } = aClub();
  const name25 = '🎉'.repeat(25);
  world.groups.rename(handset(ada), jid, name25);
  expect(world.groups.get(handset(ben), jid).name).toBe(name25);
  expect(refusal(() => world.groups.rename(handset(ada), jid, `${name25}!`))).toBe('bad_request');
  expect(refusal(() => world.groups.create(handset(ada), { name: '', participants: [] }))).toBe(
    'bad_request',
  );
});

test('only admins change who is in it, and nobody touches the owner', () => {
  const { world, jid } = aClub();
  const change = (by: string, action: 'add' | 'remove' | 'promote' | 'demote', who: string) =>
    world.groups.participants(handset(by), jid, action, [who])[0]?.outcome;
  expect(refusal(() => change(ben, 'add', cleo))).toBe('forbidden');
  expect(change(ada, 'promote', ben)).toBe('ok');
  expect(change(ben, 'add', cleo)).toBe('ok');
  expect(change(ben, 'add', cleo)).toBe('already_member');
  expect(change(ben, 'demote', ada)).toBe('forbidden');
  expect(change(ben, 'remove', ada)).toBe('forbidden');
  expect(change(ben, 'remove', cleo)).toBe('ok');
  expect(change(ben, 'remove', cleo)).toBe('not_member');
  expect(change(ada, 'demote', ben)).toBe('ok');
  expect(refusal(() => change(ben, 'add', cleo))).toBe('forbidden');
});

test('who is removed hears of it and is outside: no reading, no writing, no metadata', async () => {
  const { world, jid } = aClub();
  const desk = linked(world, ben);
  world.groups.participants(handset(ada), jid, 'remove', [ben]);
  world.messages.send(handset(ada), { id: 'M', to: jid, content: text('gone?') });
  await settled();
  expect(desk.news('group').map(({ change }) => change.type)).toEqual(['remove']);
  expect(desk.news('message')).toEqual([]);
  expect(refusal(() => world.messages.send(desk.device, { id: 'N', to: jid, content: text('no') }))).toBe(
    'forbidden',
  );
  expect(refusal(() => world.groups.get(desk.device, jid))).toBe('forbidden');
});

test('a late comer does not see what was said before', () => {
  const { world, jid } = aClub();
  world.messages.send(handset(ada), { id: 'early', to: jid, content: text('1') });
  world.groups.participants(handset(ada), jid, 'add', [cleo]);
  world.messages.send(handset(ada), { id: 'late', to: jid, content: text('2') });
  expect(world.messages.seenBy(cleo, { chat: jid }).map(({ id }) => id)).toEqual(['late']);
});

test('a group message brings a receipt from every member', async () => {
  const { world, jid } = aClub();
  world.groups.participants(handset(ada), jid, 'add', [cleo]);
  const desk = linked(world, ada);
  world.messages.send(desk.device, { id: 'M', to: jid, content: text('hi all') });
  world.messages.mark(cleo, 'M', 'read');
  await settled();
  expect(desk.news('receipt').map(({ chat, reader, type }) => [chat.jid, reader.phone, type])).toEqual([
    [jid, ben, 'delivered'],
    [jid, cleo, 'delivered'],
    [jid, cleo, 'read'],
  ]);
});

test('in an announce-only group members may react and vote, not speak', () => {
  const { world, jid } = aClub();
  world.messages.send(handset(ada), { id: 'M', to: jid, content: text('news') });
  expect(refusal(() => world.groups.setAnnounce(handset(ben), jid, true))).toBe('forbidden');
  world.groups.setAnnounce(handset(ada), jid, true);
  expect(refusal(() => world.messages.send(handset(ben), { id: 'N', to: jid, content: text('hey') }))).toBe(
    'forbidden',
  );
  world.messages.send(handset(ben), {
    id: 'R',
    to: jid,
    content: { type: 'reaction', target: 'M', emoji: '👍' },
  });
  expect(world.messages.find(ada, 'M')?.reactions).toHaveLength(1);
});

test('in a locked group only admins change name, description, photo and timer', () => {
  const { world, jid } = aClub();
  world.groups.describe(handset(ben), jid, 'Everybody may');
  world.groups.setLocked(handset(ada), jid, true);
  const by = handset(ben);
  expect(refusal(() => world.groups.rename(by, jid, 'Mine'))).toBe('forbidden');
  expect(refusal(() => world.groups.describe(by, jid, 'Mine'))).toBe('forbidden');
  expect(refusal(() => world.photos.set(by, jid, new Uint8Array([1])))).toBe('forbidden');
  expect(refusal(() => world.groups.setDisappearing(by, jid, 86_400))).toBe('forbidden');
  const before = world.groups.get(by, jid).descriptionId;
  world.groups.describe(handset(ada), jid, 'Admins may');
  const group = world.groups.get(by, jid);
  expect(group).toMatchObject({ description: 'Admins may', locked: true });
  expect(group.descriptionId).not.toBe(before);
});

test('an invite lets people in until it is reset', async () => {
  const { world, jid } = aClub();
  expect(refusal(() => world.groups.inviteCode(handset(ben), jid))).toBe('forbidden');
  const code = world.groups.inviteCode(handset(ada), jid);
  expect(world.groups.byInvite(`https://chat.whatsapp.com/${code}`).jid).toBe(jid);
  const desk = linked(world, ada);
  expect(world.groups.join(handset(cleo), code).members).toHaveLength(3);
  expect(world.groups.join(handset(cleo), code).members).toHaveLength(3);
  world.groups.resetInviteCode(handset(ada), jid);
  expect(refusal(() => world.groups.join(handset(cleo), code))).toBe('not_found');
  await settled();
  expect(desk.news('group').map(({ change }) => change.type)).toEqual(['join', 'invite']);
});

test('when the last admin leaves, the one who is in it longest takes over', async () => {
  const { world, jid } = aClub();
  world.groups.participants(handset(ada), jid, 'add', [cleo]);
  const desk = linked(world, cleo);
  world.groups.leave(handset(ada), jid);
  expect(world.groups.get(handset(cleo), jid)).toMatchObject({
    owner: undefined,
    members: [
      { person: { phone: ben }, role: 'admin' },
      { person: { phone: cleo }, role: 'member' },
    ],
  });
  await settled();
  expect(desk.news('group').map(({ change }) => change.type)).toEqual(['leave', 'promote']);
  expect(world.groups.of(ada)).toEqual([]);
  expect(refusal(() => world.groups.leave(handset(ada), jid))).toBe('forbidden');
});

test('an invitation as a message is for admins to send', () => {
  const { world, jid } = aClub();
  const content = { type: 'group_invite', group: jid, code: 'x', name: 'Club' } as const;
  expect(refusal(() => world.messages.send(handset(ben), { id: 'I', to: cleo, content }))).toBe('forbidden');
  world.messages.send(handset(ada), { id: 'I', to: cleo, content });
  expect(world.messages.find(cleo, 'I')?.content).toEqual(content);
});

test('a timer sent to a group is a setting of the group', async () => {
  const { world, jid } = aClub();
  const desk = linked(world, ben);
  world.messages.send(handset(ada), {
    id: 'T',
    to: jid,
    content: { type: 'disappearing', seconds: 604_800 },
  });
  expect(world.groups.get(handset(ben), jid).disappearingSeconds).toBe(604_800);
  await settled();
  expect(desk.news('group')).toMatchObject([{ change: { type: 'disappearing', seconds: 604_800 } }]);
  world.messages.send(handset(ada), { id: 'M', to: jid, content: text('soon gone') });
  expect(world.messages.find(ben, 'M')?.expiresInSeconds).toBe(604_800);
});

test('who blocked an admin cannot be added by them', () => {
  const { world, jid } = aClub();
  world.blocklists.block(handset(cleo), ada);
  expect(world.groups.participants(handset(ada), jid, 'add', [cleo])[0]?.outcome).toBe('forbidden');
});
