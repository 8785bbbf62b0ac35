import type { FaultKind } from '@parley/sandbox/world';
import { beforeAll, describe, expect, it } from 'vitest';
import { NETWORK_PATIENCE_MS } from '../../port.ts';
import { bubble, FINAL, failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

export function describeErrors(createHarness: CreateHarness): void {
  describe('failures', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;
    let ada: TestContact;

    beforeAll(async () => {
      me = await stage.online();
      ada = stage.someone();
    });

    const arm = (kind: FaultKind, ms = 0): void =>
      stage.world.faults.arm(me.sessionId, { kind, count: 1, ms });

    const text = (messageId: string, to: string) =>
      ({ messageId, to, content: { kind: 'text', text: 'Hello' } }) as const;

    const sendTo = (to: string): Promise<void> => me.session.send(text(stage.newMessageId(), to));

    it('fail a send that may succeed later as transient, and allow it to be repeated', async () => {
      const message = text(stage.newMessageId(), ada.jid);
      arm('send_transient');

      expect((await failureOf(me.session.send(message))).kind).toBe('transient');
      expect(stage.world.messages.find(ada.phone, message.messageId)).toBeUndefined();

      await me.session.send(message);
      bubble(stage.world, ada, message.messageId);
    });

    it('fail a send that the network refuses for good as permanent', async () => {
      arm('send_permanent');
      expect(await failureOf(sendTo(ada.jid))).toMatchObject({ kind: 'permanent', failure: 'other' });
    });

    it('name the recipient as the reason when the number is not registered', async () => {
      const unregistered = '15559999999';
      const failure = await failureOf(sendTo(`${unregistered}@s.whatsapp.net`));
      expect(failure).toMatchObject({ kind: 'permanent', failure: 'invalid_recipient' });
      expect(failure.message).not.toContain(unregistered);
    });

    it('name the media as the reason when the file cannot be read', async () => {
      const file = { path: '/nonexistent/parley', size: 1, mimetype: 'image/png' };
      const sending = me.session.send({
        messageId: stage.newMessageId(),
        to: ada.jid,
        content: { kind: 'image', file },
      });
      expect(await failureOf(sending)).toMatchObject({ kind: 'permanent', failure: 'media' });
    });

    it.each([
      ['group', '120363000000000000@g.us'],
      ['hidden address', '99999999999999@lid'],
    ])('name the recipient as the reason when the network knows no such %s', async (_what, unregistered) => {
      const failure = await failureOf(sendTo(unregistered));
      expect(failure).toMatchObject({ kind: 'permanent', failure: 'invalid_recipient' });
      expect(failure.message).not.toContain(unregistered);
      const reaction = { kind: 'reaction', target: { messageId: 'X', fromMe: false }, emoji: '👍' } as const;
      const reacting = me.session.send({
        messageId: stage.newMessageId(),
        to: unregistered,
        content: reaction,
      });
      expect(FINAL).toContain((await failureOf(reacting)).kind);
    });

    it('do not include an edit of an unknown message: the network cannot read it', async () => {
      const content = { kind: 'edit', targetId: '3EB0000000000000000000', text: 'Other words' } as const;
      await me.session.send({ messageId: stage.newMessageId(), to: ada.jid, content });
      expect(stage.world.messages.seenBy(ada.phone).map(({ edited }) => edited)).not.toContain('Other words');
    });

    it('refuse a send to a group that the number is not in', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'Without you', participants: [] });
      const failure = await failureOf(sendTo(group.jid));
      expect(FINAL).toContain(failure.kind);
      expect(failure.failure).toBe('other');
    });

    it('refuse a send to a group where only admins may write', async () => {
      const { group } = stage.world.groups.create(ada.actor, { name: 'News', participants: [me.jid] });
      stage.world.groups.setAnnounce(ada.actor, group.jid, true);
      expect(FINAL).toContain((await failureOf(sendTo(group.jid))).kind);
    });

    it('do not include a slow network', async () => {
      const message = text(stage.newMessageId(), ada.jid);
      arm('slow', 1_000);
      let resolved = false;
      const sending = me.session.send(message).then(() => {
        resolved = true;
      });

      await stage.eventually(() => bubble(stage.world, ada, message.messageId));
      expect(resolved).toBe(false);
      await stage.eventually(() => expect(resolved).toBe(true));
      await sending;
    });

    it('reject a message without an acknowledgement, in bounded time', async () => {
      const message = text(stage.newMessageId(), ada.jid);
      arm('no_ack');
      let settled = false;
      const failure = failureOf(me.session.send(message)).finally(() => {
        settled = true;
      });

      for (let waited = 0; waited < NETWORK_PATIENCE_MS - 2_000; waited += 1_000) {
        await stage.harness.advance(1_000);
      }
      expect(settled).toBe(false);
      for (let waited = 0; waited < 4_000; waited += 1_000) await stage.harness.advance(1_000);
      await stage.eventually(() => expect(settled).toBe(true));
      expect((await failure).kind).toBe('transient');

      await me.session.send(message);
      const copies = stage.world.messages.seenBy(ada.phone).filter(({ id }) => id === message.messageId);
      expect(copies).toHaveLength(1);
    });

    it('reject everything as offline while there is no connection, and attempt nothing', async () => {
      const number = await stage.online();
      const { group } = stage.world.groups.create(number.actor, { name: 'Mine', participants: [] });
      const arrived = stage.world.messages.seenBy(ada.phone).length;
      stage.world.faults.arm(number.sessionId, { kind: 'disconnect', count: 1, ms: 300_000 });
      await stage.eventually(() => expect(number.session.state.kind).not.toBe('connected'));
      const { session } = number;

      const calls: Promise<unknown>[] = [
        session.send(text(stage.newMessageId(), ada.jid)),
        session.probe(),
        session.groups.list(),
        session.groups.rename(group.jid, 'Yours'),
        session.contacts.info(ada.jid),
        session.contacts.lookUp([ada.phone]),
        session.channels.list(),
        session.presence.setTyping(ada.jid, true),
      ];

      for (const call of calls) expect((await failureOf(call)).kind).toBe('offline');
      expect(stage.world.messages.seenBy(ada.phone)).toHaveLength(arrived);
      expect(stage.world.groups.get(number.actor, group.jid).name).toBe('Mine');
    });

    it('fail a send as transient when the connection is lost before the answer', async () => {
      const number = await stage.online();
      const message = text(stage.newMessageId(), ada.jid);
      stage.world.faults.arm(number.sessionId, { kind: 'no_ack', count: 1, ms: 0 });
      const failure = failureOf(number.session.send(message));
      await stage.eventually(() => bubble(stage.world, ada, message.messageId));

      stage.world.faults.arm(number.sessionId, { kind: 'disconnect', count: 1, ms: 0 });

      expect((await failure).kind).toBe('transient');
    });
  });
}
