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
  text,
  unregistered,
} from '../fixture.ts';

/** Ada's club, with Ben in it. */
function aClub() {
  const world = createTestWorld();
  const { group } = world.groups.create(handset(ada), { name: 'Club', participants: [ben] });
  return { world, jid: group.jid };
}

test('the founder owns the group; those who cannot be added are named', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  const { lid } = world.phones.get(cleo);
  const { group, results } = world.groups.create(handset(ada), {
    name: 'Club',
    participants: [ben, `${lid}@lid`, unregistered],
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
  expect(refusal(() => world.groups.rename(handset(ada), jid, `${name25}!`))).toBe('not_acceptable');
  expect(refusal(() => world.groups.create(handset(ada), { name: '', participants: [] }))).toBe(
    'not_acceptable',
  );
});

test('only admins change the members, and the owner cannot be removed or demoted', () => {
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

test('a removed member is notified and is outside: no reading, no writing, no metadata', async () => {
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

test('a new member does not see earlier messages', () => {
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

test('in an announce-only group members may react and vote, but not write', () => {
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

test('a group with approval admits those whom an admin approves, and keeps the other requests', async () => {
  const { world, jid } = aClub();
  const code = world.groups.inviteCode(handset(ada), jid);
  world.groups.setJoinApproval(handset(ada), jid, true);
  const [desk, member, guest] = [linked(world, ada), linked(world, ben), linked(world, cleo)];
  for (let times = 0; times < 2; times++)
    expect(world.groups.join(handset(cleo), code)).toMatchObject({ group: { jid }, isPending: true });
  expect(world.groups.of(cleo)).toEqual([]);
  const answer = (by: string, action: 'approve' | 'reject') =>
    world.groups.answerRequests(handset(by), jid, action, [cleo]).map(({ outcome }) => outcome);
  expect(refusal(() => answer(ben, 'approve'))).toBe('forbidden');
  expect(answer(ada, 'reject')).toEqual(['ok']);
  expect(answer(ada, 'approve')).toEqual(['not_member']);
  expect(world.groups.of(cleo)).toEqual([]);
  world.groups.join(handset(cleo), code);
  expect(answer(ada, 'approve')).toEqual(['ok']);
  expect(answer(ada, 'approve')).toEqual(['not_member']);
  expect(world.groups.get(handset(cleo), jid).members).toHaveLength(3);
  expect(world.groups.join(handset(cleo), code).isPending).toBe(false);
  await settled();
  const types = (device: typeof desk) => device.news('group').map(({ change }) => change.type);
  expect(types(desk)).toEqual(['join_requested', 'join_request_rejected', 'join_requested', 'add']);
  expect([types(member), types(guest)]).toEqual([['add'], ['add']]);
});

test('a person whom an admin adds has no request left', () => {
  const { world, jid } = aClub();
  world.groups.setJoinApproval(handset(ada), jid, true);
  world.groups.join(handset(cleo), world.groups.inviteCode(handset(ada), jid));
  world.groups.participants(handset(ada), jid, 'add', [cleo]);
  const [result] = world.groups.answerRequests(handset(ada), jid, 'reject', [cleo]);
  expect(result?.outcome).toBe('not_member');
});

test('an invite lets people in until it is reset', async () => {
  const { world, jid } = aClub();
  expect(refusal(() => world.groups.inviteCode(handset(ben), jid))).toBe('forbidden');
  const code = world.groups.inviteCode(handset(ada), jid);
  expect(world.groups.byInvite(`https://chat.whatsapp.com/${code}`).jid).toBe(jid);
  const desk = linked(world, ada);
  for (let times = 0; times < 2; times++) {
    const { group, isPending } = world.groups.join(handset(cleo), code);
    expect([group.members.length, isPending]).toEqual([3, false]);
  }
  world.groups.resetInviteCode(handset(ada), jid);
  expect(refusal(() => world.groups.join(handset(cleo), code))).toBe('gone');
  expect(refusal(() => world.groups.byInvite('neverAnInvite'))).toBe('not_acceptable');
  await settled();
  expect(desk.news('group').map(({ change }) => change.type)).toEqual(['join', 'invite']);
});

test('when the last admin leaves, the longest-standing member becomes admin', async () => {
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

test('only admins may send an invitation as a message', () => {
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

test('a person who blocked an admin cannot be added by that admin', () => {
  const { world, jid } = aClub();
  world.blocklists.block(handset(cleo), ada);
  expect(world.groups.participants(handset(ada), jid, 'add', [cleo])[0]?.outcome).toBe('forbidden');
});
