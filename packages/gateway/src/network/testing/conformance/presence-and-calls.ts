import type { TypingMedia } from '@parley/sandbox/world';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventOf } from './event-recorder.ts';
import { catchUp, defined, expectPerson, getAcquainted } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

export function describePresenceAndCalls(createHarness: CreateHarness): void {
  describe('presence and calls', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      // The network reports typing and presence only to numbers that are online themselves.
      me.session.presence.setPolicy('auto', true);
    });

    beforeEach(() => {
      ada = stage.someone();
    });

    const typingOf = (chat: string): EventOf<'typing'>[] =>
      me.witness.of('typing').filter((event) => event.chat === chat);

    it('shows the other side that it is typing, and that it has stopped', async () => {
      const typers = () => stage.world.presence.typingTo(ada.phone).map(({ person }) => person.phone);
      await me.session.presence.setTyping(ada.jid, true);
      await stage.eventually(() => expect(typers()).toEqual([me.phone]));
      await me.session.presence.setTyping(ada.jid, false);
      await stage.eventually(() => expect(typers()).toEqual([]));
    });

    it('reports who types and who records, from start to end', async () => {
      const type = (typing: boolean, media: TypingMedia): void =>
        stage.world.presence.typing(ada.actor, me.jid, { typing, media });
      await getAcquainted(stage, me, ada);

      type(true, 'text');
      type(false, 'text');
      type(true, 'audio');

      await stage.eventually(() =>
        expect(typingOf(ada.jid)).toMatchObject([
          { typing: true, media: 'text', sender: ada.jid, isGroup: false },
          { typing: false },
          { typing: true, media: 'audio' },
        ]),
      );
    });

    it('reports who types in a group', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Lunch', participants: [me.jid] });

      stage.world.presence.typing(ada.actor, group.jid, { typing: true, media: 'text' });

      const [event] = await stage.eventually(() => {
        expect(typingOf(group.jid)).toHaveLength(1);
        return typingOf(group.jid);
      });
      expect(event).toMatchObject({ isGroup: true, typing: true });
      expectPerson(event?.sender, ada);
    });

    const presenceOf = (contact: string): EventOf<'presence'>[] =>
      me.witness.of('presence').filter((event) => event.contact === contact);

    const expectPresence = (online: boolean): Promise<EventOf<'presence'>> =>
      stage.eventually(() => {
        const latest = defined(presenceOf(ada.jid).at(-1), 'presence event');
        expect(latest.online).toBe(online);
        return latest;
      });

    it('reports the presence of a contact after subscribing, and not before', async () => {
      await getAcquainted(stage, me, ada);
      stage.world.presence.set(ada.actor, { online: true });
      await catchUp(stage, me, ada);
      expect(presenceOf(ada.jid)).toEqual([]);

      await me.session.presence.subscribe(ada.jid);
      expect((await expectPresence(true)).lastSeen).toBeUndefined();

      const lastSeenAt = Date.UTC(2026, 0, 1, 12);
      stage.world.presence.set(ada.actor, { online: false, lastSeenAt });
      expect((await expectPresence(false)).lastSeen).toBe(lastSeenAt / 1_000);
    });

    it('keeps reporting the presence after a reconnect', async () => {
      await getAcquainted(stage, me, ada);
      await me.session.presence.subscribe(ada.jid);
      stage.world.presence.set(ada.actor, { online: false });
      await expectPresence(false);
      const connected = me.witness.timesConnected;

      me.session.reconnect();
      await stage.eventually(() => expect(me.witness.timesConnected).toBe(connected + 1));
      stage.world.presence.set(ada.actor, { online: true });

      await expectPresence(true);
    });

    it('appears online as its policy says, and automatically while a contact is subscribed to', async () => {
      const other = await stage.online();
      const { presence } = other.session;
      const expectOnline = (online: boolean): Promise<void> =>
        stage.eventually(() => expect(stage.world.phones.get(other.phone).online).toBe(online));
      await getAcquainted(stage, other, ada);
      await expectOnline(false);
      presence.setPolicy('auto', true);
      await expectOnline(true);
      presence.setPolicy('auto', false);
      await expectOnline(false);
      presence.setPolicy('available', false);
      await expectOnline(true);

      other.session.reconnect();
      await stage.eventually(() => expect(other.witness.timesConnected).toBe(2));
      await expectOnline(true);

      presence.setPolicy('unavailable', true);
      await expectOnline(false);
      presence.setPolicy('auto', false);
      await presence.subscribe(ada.jid);
      await expectOnline(true);
      await stage.harness.advance(60_000);
      await expectOnline(true);
      await other.session.close();
    });

    it('accepts a subscription to a stranger, whose presence never arrives', async () => {
      await me.session.presence.subscribe(ada.jid);
      stage.world.presence.set(ada.actor, { online: true });
      await catchUp(stage, me, stage.someone('Marker'));
      expect(presenceOf(ada.jid)).toEqual([]);
    });

    const eventsOf = (id: string): EventOf<'call'>[] =>
      me.witness.of('call').filter(({ callId }) => callId === id);

    const ring = (video = false): string => stage.world.calls.offer(ada.actor, me.jid, { video }).id;

    const stateOf = (id: string) => stage.world.calls.of(ada.phone).find((call) => call.id === id)?.state;

    it.each([true, false])('reports a call (video: %s) and its end with the reason', async (video) => {
      const callId = ring(video);
      await stage.eventually(() => expect(eventsOf(callId)).toHaveLength(1));
      expect(stateOf(callId)).toBe('ringing');

      stage.world.calls.terminate(ada.actor, callId, 'timeout');
      await stage.eventually(() => expect(eventsOf(callId)).toHaveLength(2));

      expect(eventsOf(callId)).toMatchObject([
        { event: 'offer', from: ada.jid, video, rejected: false },
        { event: 'terminate', from: ada.jid, reason: 'timeout', rejected: false },
      ]);
    });

    it('rejects calls automatically while auto-reject is on', async () => {
      me.session.calls.setAutoReject(true);
      const unwanted = ring();
      await stage.eventually(() => expect(stateOf(unwanted)).toBe('rejected'));
      await stage.eventually(() =>
        expect(eventsOf(unwanted)).toContainEqual(
          expect.objectContaining({ event: 'offer', from: ada.jid, rejected: true }),
        ),
      );

      me.session.calls.setAutoReject(false);
      const welcome = ring();
      await stage.eventually(() =>
        expect(eventsOf(welcome)).toMatchObject([{ event: 'offer', rejected: false }]),
      );
      expect(stateOf(welcome)).toBe('ringing');
    });

    it('starts every session without auto-reject', async () => {
      const number = await stage.online();
      number.session.calls.setAutoReject(true);
      await number.session.close();
      const again = stage.open(number);
      await stage.eventually(() => expect(again.session.state.kind).toBe('connected'));

      const { id } = stage.world.calls.offer(ada.actor, number.jid, { video: false });

      await stage.eventually(() =>
        expect(again.witness.of('call')).toMatchObject([{ callId: id, rejected: false }]),
      );
      expect(stateOf(id)).toBe('ringing');
    });
  });
}
