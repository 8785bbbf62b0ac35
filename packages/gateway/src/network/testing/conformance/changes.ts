import { beforeAll, describe, expect, it } from 'vitest';
import type { GroupChange } from '../../events.ts';
import { catchUp } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { TINY_PNG } from './pictures.ts';
import { type OpenNumber, type Someone, useStage } from './stage.ts';
import type { EventOf } from './witness.ts';

/** What others change about groups and about themselves. */
export function describeChanges(createHarness: CreateHarness): void {
  describe('changes of groups and contacts', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: Someone;
    let ben: Someone;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone('Ada');
      ben = stage.someone('Ben');
    });

    const asMember = ({ lid, jid }: Someone) => ({ jid: lid, phone: jid });
    const newGroup = (participants = [me.jid]): string =>
      stage.world.groups.create(ada.actor, { name: 'Lunch', participants }).group.jid;
    const changesOf = (group: string, number = me): EventOf<'group'>[] =>
      number.witness.of('group').filter((event) => event.group === group);
    /** Notifications and messages may overtake each other. */
    const changes = (group: string, count: number, number = me): Promise<EventOf<'group'>[]> =>
      stage.eventually(() => {
        expect(changesOf(group, number)).toHaveLength(count);
        return changesOf(group, number);
      });

    it('tells that the number is in a group, who put it there and what it is called', async () => {
      const group = newGroup();
      expect(await changes(group, 1)).toMatchObject([
        {
          by: asMember(ada),
          timestamp: expect.any(Number),
          change: { type: 'joined', participants: [asMember(me)], subject: 'Lunch' },
        },
      ]);
    });

    it('tells who comes, goes and may do what', async () => {
      const { groups } = stage.world;
      const group = newGroup();
      for (const action of ['add', 'promote', 'demote', 'remove'] as const)
        groups.participants(ada.actor, group, action, [ben.jid]);
      groups.join(ben.actor, groups.inviteCode(ada.actor, group));
      groups.leave(ben.actor, group);

      const [, ...told] = (await changes(group, 7)).map(({ by, change }) => ({ by, ...change }));
      const participants = [asMember(ben)];
      expect(told).toEqual([
        { by: asMember(ada), type: 'added', participants },
        { by: asMember(ada), type: 'promoted', participants },
        { by: asMember(ada), type: 'demoted', participants },
        { by: asMember(ada), type: 'removed', participants },
        { by: asMember(ben), type: 'joined', participants },
        { by: asMember(ben), type: 'left', participants },
      ]);
    });

    it('tells what a group is called, what it is about and what its rules are', async () => {
      const { groups } = stage.world;
      const group = newGroup();
      groups.rename(ada.actor, group, 'Dinner');
      groups.describe(ada.actor, group, 'At eight');
      groups.describe(ada.actor, group, '');
      groups.setAnnounce(ada.actor, group, true);
      groups.setLocked(ada.actor, group, true);
      groups.setJoinApproval(ada.actor, group, true);
      groups.setEverybodyAdds(ada.actor, group, true);
      groups.setDisappearing(ada.actor, group, 86_400);
      groups.setDisappearing(ada.actor, group, 0);
      groups.setAnnounce(ada.actor, group, false);

      const [, ...told] = (await changes(group, 11)).map(({ change }) => change);
      expect(told).toEqual<GroupChange[]>([
        { type: 'subject', subject: 'Dinner' },
        { type: 'description', description: 'At eight' },
        { type: 'description', description: '' },
        { type: 'settings', announce: true },
        { type: 'settings', locked: true },
        { type: 'settings', joinApproval: true },
        { type: 'settings', membersAdd: true },
        { type: 'settings', ephemeralSeconds: 86_400 },
        { type: 'settings', ephemeralSeconds: 0 },
        { type: 'settings', announce: false },
      ]);
    });

    it('tells of a new picture and About text of somebody whom the number knows', async () => {
      stage.world.contacts.save(me.actor, { phone: ada.phone, firstName: 'Ada', fullName: 'Ada L' });
      await catchUp(stage, me, ada);
      const pictureId = stage.world.photos.set(ada.actor, ada.jid, TINY_PNG);
      stage.world.phones.update(ada.actor, { about: 'At sea' });
      stage.world.photos.set(ada.actor, ada.jid, undefined);

      await stage.eventually(() => expect(me.witness.of('contact')).toHaveLength(3));
      expect(me.witness.of('contact').map(({ contact, change }) => [contact, change])).toEqual([
        [ada.jid, { type: 'picture', pictureId }],
        [ada.jid, { type: 'about', about: 'At sea' }],
        [ada.jid, { type: 'picture' }],
      ]);
    });

    it('tells what the owner does with chats on the phone, and not what the session itself does', async () => {
      const number = await stage.online();
      const friend = stage.someone('Friend');
      await catchUp(stage, number, friend);
      // What it takes comes from the phone a moment after the link.
      await stage.eventually(() => number.session.chats.change(friend.jid, { type: 'pin', on: true }));
      const { chatStates } = stage.world;
      const until = (Math.floor(Date.UTC(2030, 0, 1) / 1_000) + 3_600) * 1_000;
      chatStates.change(number.actor, friend.jid, { type: 'unread', on: true });
      chatStates.change(number.actor, friend.jid, { type: 'unread', on: false });
      chatStates.change(number.actor, friend.jid, { type: 'archive', on: true });
      chatStates.change(number.actor, friend.jid, { type: 'pin', on: false });
      chatStates.change(number.actor, friend.jid, { type: 'mute', until });
      chatStates.change(number.actor, friend.jid, { type: 'mute', until: null });
      chatStates.change(number.actor, friend.jid, { type: 'delete' });

      await stage.eventually(() => expect(number.witness.of('chat')).toHaveLength(7));
      const told = number.witness.of('chat');
      expect(new Set(told.map(({ chat }) => chat))).toEqual(new Set([friend.jid]));
      // Two collections, which may overtake each other.
      const lists = (types: readonly string[]) =>
        told.flatMap(({ change }) => (types.includes(change.type) ? [change] : []));
      expect(lists(['read', 'archived', 'pinned'])).toMatchObject([
        { type: 'read', on: false, upTo: expect.any(Number) },
        { type: 'read', on: true },
        { type: 'archived', on: true },
        { type: 'pinned', on: false },
      ]);
      expect(lists(['muted', 'deleted'])).toMatchObject([
        { type: 'muted', until },
        { type: 'muted', until: null },
        { type: 'deleted', upTo: expect.any(Number) },
      ]);
    });

    it('tells them again after a crash, once, in their order', async () => {
      const number = await stage.online();
      const group = newGroup([number.jid]);
      await changes(group, 1, number);
      number.witness.hold();
      stage.world.groups.rename(ada.actor, group, 'First');
      stage.world.groups.rename(ada.actor, group, 'Second');
      const groupsOffered = () => number.witness.offered.filter(({ kind }) => kind === 'group');
      await stage.eventually(() => expect(groupsOffered().length).toBeGreaterThan(1));
      await stage.harness.restart();
      const again = stage.open(number);

      const told = await changes(group, 2, again);
      expect(told.map(({ change }) => change)).toEqual([
        { type: 'subject', subject: 'First' },
        { type: 'subject', subject: 'Second' },
      ]);
      const offered = groupsOffered().at(-1)?.id;
      expect(told.map(({ id }) => id)).toContain(offered);
      await catchUp(stage, again, ada);
      expect(changesOf(group, again)).toHaveLength(2);
    });
  });
}
