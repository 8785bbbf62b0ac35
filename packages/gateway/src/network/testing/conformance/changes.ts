import { beforeAll, describe, expect, it } from 'vitest';
import type { GroupChange } from '../../events.ts';
import type { EventOf } from './event-recorder.ts';
import { catchUp } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { TINY_PNG } from './pictures.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

/** Changes by others of groups and of their own profiles. */
export function describeChanges(createHarness: CreateHarness): void {
  describe('changes of groups and contacts', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;
    let ben: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone('Ada');
      ben = stage.someone('Ben');
    });

    const asMember = ({ lid, jid }: TestContact) => ({ jid: lid, phone: jid });
    const newGroup = (participants = [me.jid]): string =>
      stage.world.groups.create(ada.actor, { name: 'Lunch', participants }).group.jid;
    const changesOf = (group: string, number = me): EventOf<'group'>[] =>
      number.witness.of('group').filter((event) => event.group === group);
    /** Notifications and messages may arrive out of order. */
    const changes = (group: string, count: number, number = me): Promise<EventOf<'group'>[]> =>
      stage.eventually(() => {
        expect(changesOf(group, number)).toHaveLength(count);
        return changesOf(group, number);
      });

    it('reports a device that was linked to the number elsewhere, and not its own', async () => {
      const number = await stage.online();
      const phone = number.jid.split('@')[0] ?? '';
      const { device } = stage.world.devices.link(phone, new Uint8Array([1]));
      const linked = () => number.witness.of('device_linked');
      await stage.eventually(() => expect(linked()).toHaveLength(1));
      expect(linked()).toMatchObject([
        { timestamp: expect.any(Number), devices: stage.world.devices.of(phone).length + 1, added: [device] },
      ]);
    });

    it('reports that the number is in a group, who added it and its subject', async () => {
      const group = newGroup();
      expect(await changes(group, 1)).toMatchObject([
        {
          by: asMember(ada),
          timestamp: expect.any(Number),
          change: { type: 'joined', participants: [asMember(me)], subject: 'Lunch' },
        },
      ]);
    });

    it('reports who joins, leaves and changes role', async () => {
      const { groups } = stage.world;
      const group = newGroup();
      for (const action of ['add', 'promote', 'demote', 'remove'] as const)
        groups.participants(ada.actor, group, action, [ben.jid]);
      groups.join(ben.actor, groups.inviteCode(ada.actor, group));
      groups.leave(ben.actor, group);

      const [, ...published] = (await changes(group, 7)).map(({ by, change }) => ({ by, ...change }));
      const participants = [asMember(ben)];
      expect(published).toEqual([
        { by: asMember(ada), type: 'added', participants },
        { by: asMember(ada), type: 'promoted', participants },
        { by: asMember(ada), type: 'demoted', participants },
        { by: asMember(ada), type: 'removed', participants },
        { by: asMember(ben), type: 'joined', participants },
        { by: asMember(ben), type: 'left', participants },
      ]);
    });

    it('reports to an admin who asks to join, and who was turned down', async () => {
      const { groups } = stage.world;
      const group = newGroup();
      groups.participants(ada.actor, group, 'promote', [me.jid]);
      groups.setJoinApproval(ada.actor, group, true);
      groups.join(ben.actor, groups.inviteCode(ada.actor, group));
      groups.answerRequests(ada.actor, group, 'reject', [ben.jid]);

      const published = (await changes(group, 5)).slice(3).map(({ by, change }) => ({ by, ...change }));
      const participants = [asMember(ben)];
      expect(published).toEqual([
        { by: asMember(ben), type: 'join_requested', participants },
        { by: asMember(ada), type: 'join_request_withdrawn', participants },
      ]);
    });

    it('reports the subject, description and settings of a group', async () => {
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

      const [, ...published] = (await changes(group, 11)).map(({ change }) => change);
      expect(published).toEqual<GroupChange[]>([
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

    it('reports a new picture and About text of a known contact', async () => {
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

    it('reports the owner’s changes of chats on the phone, and not those of the session itself', async () => {
      const number = await stage.online();
      const friend = stage.someone('Friend');
      await catchUp(stage, number, friend);
      // The phone shares the required keys a moment after the link.
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
      const published = number.witness.of('chat');
      expect(new Set(published.map(({ chat }) => chat))).toEqual(new Set([friend.jid]));
      // Two collections, which may arrive out of order.
      const lists = (types: readonly string[]) =>
        published.flatMap(({ change }) => (types.includes(change.type) ? [change] : []));
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

    it('repeats them after a crash, once, in order', async () => {
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

      const published = await changes(group, 2, again);
      expect(published.map(({ change }) => change)).toEqual([
        { type: 'subject', subject: 'First' },
        { type: 'subject', subject: 'Second' },
      ]);
      const offered = groupsOffered().at(-1)?.id;
      expect(published.map(({ id }) => id)).toContain(offered);
      await catchUp(stage, again, ada);
      expect(changesOf(group, again)).toHaveLength(2);
    });
  });
}
