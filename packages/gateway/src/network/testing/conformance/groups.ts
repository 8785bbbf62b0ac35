import { beforeAll, describe, expect, it } from 'vitest';
import type { Group, GroupOperations } from '../../operations.ts';
import { defined, failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { TINY_PNG } from './pictures.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

const UNKNOWN_GROUP = '120363000000000000@g.us';

export function describeGroups(createHarness: CreateHarness): void {
  describe('groups', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let groups: GroupOperations;
    let ada: TestContact;
    let ben: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      groups = me.session.groups;
      ada = stage.someone('Ada');
      ben = stage.someone('Ben');
    });

    const groupOf = (founder: TestContact, ...others: TestContact[]): string =>
      stage.world.groups.create(founder.actor, { name: 'Lunch', participants: others.map(({ jid }) => jid) })
        .group.jid;

    const inWorld = (group: string) => stage.world.groups.get(me.actor, group);

    const rolesInWorld = (group: string): Record<string, string> =>
      Object.fromEntries(inWorld(group).members.map(({ person, role }) => [person.phone, role]));

    const participant = (group: Group, { jid, lid }: TestContact) =>
      defined(
        group.participants.find((member) => [jid, lid].includes(member.phoneJid ?? member.jid)),
        'participant',
      );

    it('creates a group with the members that the network really added', async () => {
      const group = await groups.create('Picnic', [ada.jid, '15559999999@s.whatsapp.net', ben.jid]);

      expect(group).toMatchObject({ name: 'Picnic', description: '', announce: false, locked: false });
      expect(group.participants).toHaveLength(3);
      expect(participant(group, me)).toMatchObject({ isAdmin: true, isSuperAdmin: true });
      expect(participant(group, ada)).toMatchObject({ isAdmin: false, isSuperAdmin: false });
      expect(participant(group, ben)).toMatchObject({ isAdmin: false, isSuperAdmin: false });
      expect(rolesInWorld(group.jid)).toEqual({
        [me.phone]: 'superadmin',
        [ada.phone]: 'member',
        [ben.phone]: 'member',
      });
    });

    it('lists the groups that the number is in, with their names', async () => {
      const [mine, theirs, withoutMe] = [groupOf(me), groupOf(ada, me), groupOf(ada, ben)];
      const listed = await groups.list();
      expect(listed).toContainEqual({ jid: mine, name: 'Lunch' });
      expect(listed).toContainEqual({ jid: theirs, name: 'Lunch' });
      expect(listed.map(({ jid }) => jid)).not.toContain(withoutMe);
    });

    it('returns the same for all groups at once as for each, with members or with their count', async () => {
      const jids = [groupOf(me, ada), groupOf(ada, me, ben)];
      const [withMembers, heads] = [await groups.listDetailed(true), await groups.listDetailed(false)];
      for (const jid of jids) {
        const group = await groups.detail(jid);
        const { participants, ...head } = group;
        const size = participants.length;
        expect(withMembers.find((each) => each.jid === jid)).toEqual({ ...group, size });
        expect(heads.find((each) => each.jid === jid)).toEqual({ ...head, size });
      }
    });

    it('returns a group with its members', async () => {
      const jid = groupOf(ada, me, ben);
      stage.world.groups.describe(ada.actor, jid, 'Every day at noon');
      stage.world.groups.setAnnounce(ada.actor, jid, true);
      stage.world.groups.participants(ada.actor, jid, 'promote', [ben.jid]);

      const group = await stage.eventually(async () => {
        const answer = await groups.detail(jid);
        expect(participant(answer, ben).isAdmin).toBe(true);
        return answer;
      });

      expect(group).toMatchObject({
        jid,
        name: 'Lunch',
        description: 'Every day at noon',
        createdAt: Math.floor(inWorld(jid).createdAt / 1_000),
        announce: true,
        locked: false,
      });
      expect([ada.jid, ada.lid]).toContain(group.owner);
      expect(participant(group, ada)).toMatchObject({ isAdmin: true, isSuperAdmin: true });
      expect(participant(group, ben).isSuperAdmin).toBe(false);
      expect(participant(group, me).isAdmin).toBe(false);
    });

    it('notices changes by others', async () => {
      const jid = groupOf(ada, me);
      expect((await groups.detail(jid)).name).toBe('Lunch');

      stage.world.groups.rename(ada.actor, jid, 'Dinner');
      stage.world.groups.participants(ada.actor, jid, 'add', [ben.jid]);

      await stage.eventually(async () => {
        const group = await groups.detail(jid);
        expect(group.name).toBe('Dinner');
        participant(group, ben);
      });
    });

    it('adds, promotes, demotes and removes', async () => {
      const group = groupOf(me);
      for (const [action, role] of [
        ['add', 'member'],
        ['promote', 'admin'],
        ['demote', 'member'],
        ['remove', undefined],
      ] as const) {
        const results = await groups.changeParticipants(group, [ada.jid], action);
        expect(results).toMatchObject([{ jid: ada.jid, ok: true }]);
        expect(rolesInWorld(group)[ada.phone]).toBe(role);
      }
    });

    it('answers for each participant in order, and one refusal does not fail the others', async () => {
      const group = groupOf(me, ada);
      const stranger = '15559999999@s.whatsapp.net';

      const results = await groups.changeParticipants(group, [stranger, ben.jid, ada.jid], 'add');

      expect(results.map(({ jid }) => jid)).toEqual([stranger, ben.jid, ada.jid]);
      expect(results.map(({ ok }) => ok)).toEqual([false, true, false]);
      expect(results[0]?.error).toMatch(/./);
      expect(rolesInWorld(group)).toHaveProperty(ben.phone);
    });

    it('renames a group, sets its description and removes it', async () => {
      const group = groupOf(me);
      await groups.rename(group, 'Brunch');
      await groups.describe(group, 'Sundays');
      expect(inWorld(group)).toMatchObject({ name: 'Brunch', description: 'Sundays' });
      await groups.describe(group, 'Saturdays');
      await groups.describe(group, '');
      expect(inWorld(group).description).toBe('');
    });

    it('sets the photo and removes it', async () => {
      const group = groupOf(me);
      const id = await groups.setPhoto(group, await stage.file(TINY_PNG, 'image/png'));
      expect(id).not.toBe('');
      expect(stage.world.photos.get(me.phone, group, 'image').id).toBe(id);

      expect(await groups.setPhoto(group, null)).toBe('');
      expect(() => stage.world.photos.get(me.phone, group, 'image')).toThrow();
    });

    it('returns the invite code, and resets it', async () => {
      const group = groupOf(me);
      const old = await groups.inviteCode(group);
      expect(stage.world.groups.byInvite(old).jid).toBe(group);

      const fresh = await groups.resetInviteCode(group);

      expect(fresh).not.toBe(old);
      expect(stage.world.groups.byInvite(fresh).jid).toBe(group);
      expect(() => stage.world.groups.byInvite(old)).toThrow();
    });

    it('joins by a code, and leaves', async () => {
      const group = groupOf(ada);
      const code = stage.world.groups.inviteCode(ada.actor, group);
      expect(await groups.join(code)).toEqual({ group, isPending: false });
      expect(rolesInWorld(group)).toHaveProperty(me.phone);

      await groups.leave(group);
      expect(stage.world.groups.of(me.phone).map(({ jid }) => jid)).not.toContain(group);
    });

    it('waits for an admin where a group wants approval, and reports that it is in once approved', async () => {
      const { world } = stage;
      const group = groupOf(ada, ben);
      world.groups.setJoinApproval(ada.actor, group, true);
      const code = world.groups.inviteCode(ada.actor, group);
      for (let times = 0; times < 2; times++)
        expect(await groups.join(code)).toEqual({ group, isPending: true });
      expect((await groups.list()).map(({ jid }) => jid)).not.toContain(group);

      world.groups.answerRequests(ada.actor, group, 'approve', [me.jid]);

      await stage.eventually(() => {
        const changes = me.witness.of('group').filter((event) => event.group === group);
        const participants = [{ jid: me.lid, phone: me.jid }];
        expect(changes.map(({ change }) => change)).toEqual([{ type: 'added', participants }]);
      });
      expect(await groups.join(code)).toEqual({ group, isPending: false });
    });

    it('lists those who ask to join, and lets them in or rejects them', async () => {
      const { world } = stage;
      const group = groupOf(me);
      const code = world.groups.inviteCode(me.actor, group);
      expect(await groups.joinRequests(group)).toEqual([]);
      world.groups.setJoinApproval(me.actor, group, true);
      for (const { actor } of [ada, ben]) world.groups.join(actor, code);

      const requests = await groups.joinRequests(group);

      expect(requests.map(({ phoneJid }) => phoneJid)).toEqual([ada.jid, ben.jid]);
      const [at] = world.groups.requests(me.actor, group).map((request) => Math.floor(request.at / 1_000));
      expect(requests[0]).toEqual({
        jid: ada.lid,
        phoneJid: ada.jid,
        requestedAt: at,
        method: 'invite_link',
      });
      const stranger = '15559999999@s.whatsapp.net';
      const approved = await groups.answerJoinRequests(group, [stranger, ada.jid], 'approve');
      expect(approved).toMatchObject([
        { jid: stranger, ok: false, error: expect.stringMatching(/./) },
        { jid: ada.jid, ok: true },
      ]);
      expect(await groups.answerJoinRequests(group, [ben.lid], 'reject')).toEqual([
        { jid: ben.lid, ok: true },
      ]);
      expect(rolesInWorld(group)).toEqual({ [me.phone]: 'superadmin', [ada.phone]: 'member' });
      expect(await groups.joinRequests(group)).toEqual([]);
      expect(await groups.answerJoinRequests(group, [ben.jid], 'approve')).toMatchObject([{ ok: false }]);
    });

    it('changes the given settings and leaves the others', async () => {
      const group = groupOf(me);
      await groups.changeSettings(group, { announce: true });
      expect(inWorld(group)).toMatchObject({ announce: true, locked: false });
      await groups.changeSettings(group, { locked: true });
      expect(inWorld(group)).toMatchObject({ announce: true, locked: true });
      await groups.changeSettings(group, { announce: false });
      expect(inWorld(group)).toMatchObject({ announce: false, locked: true });
      await groups.changeSettings(group, { announce: true, locked: false });
      expect(inWorld(group)).toMatchObject({ announce: true, locked: false });
      const kept = { announce: true, locked: false };
      const rules = { joinApproval: true, membersAdd: true, ephemeralSeconds: 604_800 };
      expect(await groups.changeSettings(group, rules)).toEqual({ ...kept, ...rules });
      expect(inWorld(group)).toMatchObject({
        ...{ ...kept, joinApproval: true, everybodyAdds: true, disappearingSeconds: 604_800 },
      });
      const none = { joinApproval: false, membersAdd: false, ephemeralSeconds: 0 };
      expect(await groups.changeSettings(group, none)).toEqual({ ...kept, ...none });
      expect(inWorld(group)).toMatchObject({
        ...{ ...kept, joinApproval: false, everybodyAdds: false, disappearingSeconds: 0 },
      });
    });

    type Call = (group: string) => Promise<unknown>;

    const forAdmins: [string, Call][] = [
      ['changeParticipants', (group) => groups.changeParticipants(group, [ben.jid], 'add')],
      ['rename', (group) => groups.rename(group, 'Mine now')],
      ['describe', (group) => groups.describe(group, 'Mine now')],
      ['setPhoto', async (group) => groups.setPhoto(group, await stage.file(TINY_PNG, 'image/png'))],
      ['inviteCode', (group) => groups.inviteCode(group)],
      ['resetInviteCode', (group) => groups.resetInviteCode(group)],
      ['changeSettings', (group) => groups.changeSettings(group, { announce: true })],
      ['joinRequests', (group) => groups.joinRequests(group)],
      ['answerJoinRequests', (group) => groups.answerJoinRequests(group, [ben.jid], 'approve')],
    ];

    it.each(forAdmins)('is refused %s by a locked group whose admin it is not', async (_, call) => {
      const group = groupOf(ada, me);
      stage.world.groups.setLocked(ada.actor, group, true);
      const before = inWorld(group);

      expect((await failureOf(call(group))).kind).toBe('refused');

      expect(inWorld(group)).toEqual(before);
    });

    const forMembers: [string, Call][] = [
      ['detail', (group) => groups.detail(group)],
      ['leave', (group) => groups.leave(group)],
    ];

    it.each([...forAdmins, ...forMembers])('does not find the group for %s', async (_, call) => {
      expect((await failureOf(call(UNKNOWN_GROUP))).kind).toBe('not_found');
    });

    it('does not find a group by an unknown code', async () => {
      expect((await failureOf(groups.join('NoSuchInviteCode000000'))).kind).toBe('not_found');
    });

    it('returns nothing about a group that it is not in', async () => {
      const group = groupOf(ada, ben);
      expect(['refused', 'not_found']).toContain((await failureOf(groups.detail(group))).kind);
    });
  });
}
