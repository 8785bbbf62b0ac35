import { beforeAll, describe, expect, it } from 'vitest';
import { bubble, defined, failureOf, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type OpenNumber, type TestContact, useStage } from './stage.ts';

/** New installations and numbers of the people whom a number writes with. */
export function describeHandsets(createHarness: CreateHarness): void {
  describe('a person whose phone changes', () => {
    const stage = useStage(createHarness);
    let me: OpenNumber;

    beforeAll(async () => {
      me = await stage.online();
    });

    const send = async (to: string, text: string, from = me): Promise<string> => {
      const messageId = stage.newMessageId();
      await from.session.send({ messageId, to, content: { kind: 'text', text } });
      return messageId;
    };

    /** As the outbox does: a change of the recipient's devices may fail a send for the moment. */
    const sendUntilTaken = (to: string, text: string): Promise<string> => {
      const messageId = stage.newMessageId();
      return stage.eventually(async () => {
        await me.session.send({ messageId, to, content: { kind: 'text', text } });
        return messageId;
      });
    };

    /** A message that the phone cannot decrypt is requested again. */
    const expectShown = (person: TestContact, messageId: string, text: string) =>
      stage.eventually(() => expect(bubble(stage.world, person, messageId).content).toMatchObject({ text }));

    const expectEvent = (messageId: string, at = me) =>
      stage.eventually(() => defined(at.witness.message(messageId), 'message event'));

    /** Both ways, in the direct chat and in a group. */
    const talk = async (person: TestContact, group: string, about: string, with_ = me): Promise<void> => {
      for (const to of [person.jid, group]) {
        const text = `${about} to ${to}`;
        await expectShown(person, await send(to, text, with_), text);
        const incoming = say(stage, person, to === group ? group : with_.jid, `${about} back`);
        expect((await expectEvent(incoming, with_)).content).toMatchObject({ text: `${about} back` });
      }
    };

    const meet = async (name: string, number = me) => {
      const person = stage.someone(name);
      const { group } = stage.world.groups.create(person.actor, { name, participants: [number.jid] });
      await talk(person, group.jid, 'before', number);
      return { person, group: group.jid };
    };

    it('is written with and read after a new installation, directly and in a group', async () => {
      const { person, group } = await meet('Ada');
      for (const times of ['once', 'twice']) {
        stage.world.handsets.reinstall(person.phone);
        await talk(person, group, times);
      }
    });

    it('is written with and read after a new installation that the number learns of later', async () => {
      const number = await stage.online();
      const { person, group } = await meet('Ben', number);
      await number.session.close();
      stage.world.handsets.reinstall(person.phone);
      const missed = say(stage, person, number.jid, 'from the new phone');
      const again = stage.open(number);
      await stage.eventually(() => expect(again.session.state.kind).toBe('connected'));
      expect((await expectEvent(missed, again)).content).toMatchObject({ text: 'from the new phone' });
      await talk(person, group, 'later', again);
    });

    it('has messages of the time between on the way to both installations', async () => {
      const { person } = await meet('Cleo');
      const texts = ['one', 'two', 'three'];
      const sends = texts.map((text) => sendUntilTaken(person.jid, text));
      stage.world.handsets.reinstall(person.phone);
      const ids = await Promise.all(sends);
      for (const [place, text] of texts.entries()) await expectShown(person, ids[place] ?? '', text);
    });

    it('is in the same groups under a new number, and not on the network under the old one', async () => {
      const { person, group } = await meet('Dora');
      const moved = `${Number(person.phone) + 5_000_000}`;
      const { lid } = stage.world.handsets.changeNumber(person.phone, moved);
      const dora = { ...person, phone: moved, jid: `${moved}@s.whatsapp.net`, lid: `${lid}@lid` };
      await stage.eventually(async () => {
        const { participants } = await me.session.groups.detail(group);
        expect(participants.map(({ jid }) => jid)).toContain(dora.lid);
        expect(participants.map(({ jid }) => jid)).not.toContain(person.lid);
      });
      await talk({ ...dora, actor: { phone: moved, device: 0 } }, group, 'moved');
      await stage.eventually(async () =>
        expect(await failureOf(send(person.jid, 'Still there?'))).toMatchObject({
          kind: 'permanent',
          failure: 'invalid_recipient',
        }),
      );
    });
  });
}
