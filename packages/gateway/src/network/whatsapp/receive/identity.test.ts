import { lidJid, type PhoneSettings, userJid } from '@parley/sandbox/world';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ContactLinkedEvent, MessageEvent } from '../../events.ts';
import { startWireHarness, type WireHarness } from '../testing/fixture.ts';
import { connected, link, ME, type Opened, open, WAIT } from '../testing/people.ts';

/** One number for all tests; each test has people of its own. */
let harness: WireHarness;
let me: Opened;
let fence = 1;
let count = 0;

beforeAll(async () => {
  harness = await startWireHarness();
  harness.world.phones.create(ME, { name: 'Parley' });
  await link(harness);
  me = await connected(harness);
});

afterAll(() => harness.dispose());

function newPerson(settings: Partial<PhoneSettings> = {}) {
  count += 1;
  const phone = String(15_550_004_000 + count);
  const { lid } = harness.world.phones.create(phone, { name: 'Cleo', ...settings });
  const actor = { phone, device: 0 };
  return { phone, actor, jid: userJid(phone), lid: lidJid(lid) };
}

type Person = ReturnType<typeof newPerson>;

/** Event of a message that a person writes. */
async function writes({ actor }: Person): Promise<MessageEvent> {
  count += 1;
  const id = `3EB0IDENTITY${count}`;
  harness.world.messages.send(actor, { id, to: userJid(ME), content: { type: 'text', text: 'Hello' } });
  return vi.waitFor(() => {
    const event = me.events.find((each) => each.kind === 'message' && each.messageId === id);
    if (event?.kind !== 'message') throw new Error('no event yet');
    return event;
  }, WAIT);
}

const linkedTo = ({ lid }: Person): ContactLinkedEvent[] =>
  me.events.filter((event) => event.kind === 'contact_linked').filter((event) => event.lid === lid);

const show = ({ actor }: Person) => harness.world.phones.update(actor, { hidesPhone: false });

describe('a person who hides the number', () => {
  test('is named by the hidden address for good; a number that becomes known is published once', async () => {
    const cleo = newPerson({ hidesPhone: true });
    const hidden = await writes(cleo);
    expect(hidden).toMatchObject({ chat: cleo.lid, sender: cleo.lid, senderLid: cleo.lid });
    expect(hidden).not.toHaveProperty('senderPhone');
    expect(await me.session.contacts.identify(cleo.lid)).toEqual({ lid: cleo.lid });

    show(cleo);
    const stable = { chat: cleo.lid, sender: cleo.lid, senderPhone: cleo.jid };
    expect(await writes(cleo)).toMatchObject(stable);
    await vi.waitFor(() => expect(linkedTo(cleo)).toMatchObject([{ lid: cleo.lid, jid: cleo.jid }]), WAIT);
    expect(await writes(cleo)).toMatchObject(stable);
    expect(await me.session.contacts.identify(cleo.jid)).toEqual({ lid: cleo.lid, jid: cleo.jid });
    expect(await Promise.all([cleo.jid, cleo.lid].map(me.session.chatOf))).toEqual([cleo.lid, cleo.lid]);
    expect(linkedTo(cleo)).toHaveLength(1);
  });

  test('is also named with the number once it is in the address book or was looked up', async () => {
    const [saved, asked] = [newPerson({ hidesPhone: true }), newPerson({ hidesPhone: true })];
    for (const person of [saved, asked]) expect((await writes(person)).chat).toBe(person.lid);
    const names = { firstName: 'Cleo', fullName: 'Cleo' };
    harness.world.contacts.save({ phone: ME, device: 0 }, { phone: saved.phone, ...names });
    await me.session.contacts.lookUp([asked.phone]);
    for (const person of [saved, asked]) {
      await vi.waitFor(() => expect(linkedTo(person)).toMatchObject([{ jid: person.jid }]), WAIT);
      expect((await writes(person)).chat).toBe(person.lid);
    }
  });

  test('is published once, though the process dies before the event was taken', async () => {
    const cleo = newPerson({ hidesPhone: true });
    await writes(cleo);
    await me.session.close();
    fence += 1;
    const refusing = harness.driver.open({
      linkId: 'link',
      fence,
      onState() {},
      onStanding() {},
      onEvents: () => new Promise(() => {}),
    });
    await vi.waitFor(() => expect(refusing.state.kind).toBe('connected'), WAIT);
    await refusing.contacts.lookUp([cleo.phone]);
    await harness.crash();
    fence += 1;
    me = open(harness, fence);
    await vi.waitFor(() => expect(linkedTo(cleo)).toHaveLength(1), WAIT);
    await vi.waitFor(() => expect(me.session.state.kind).toBe('connected'), WAIT);
    await me.session.contacts.lookUp([cleo.phone]);
    expect((await writes(cleo)).chat).toBe(cleo.lid);
    expect(linkedTo(cleo)).toHaveLength(1);
  });

  test('receives messages, and answers, under that address', async () => {
    const cleo = newPerson({ hidesPhone: true });
    await me.session.send({ messageId: '3EB0TOHIDDEN', to: cleo.lid, content: { kind: 'text', text: 'Hi' } });
    const receipt = () =>
      me.events.find((each) => each.kind === 'receipt' && each.messageId === '3EB0TOHIDDEN');
    await vi.waitFor(() => expect(receipt()).toMatchObject({ recipient: cleo.lid }), WAIT);
    show(cleo);
    expect((await writes(cleo)).chat).toBe(cleo.lid);
  });
});

test('a person whose number was known first keeps it as the name, though it is hidden later', async () => {
  const cleo = newPerson();
  expect((await writes(cleo)).chat).toBe(cleo.jid);
  harness.world.phones.update(cleo.actor, { hidesPhone: true });
  expect(await writes(cleo)).toMatchObject({ chat: cleo.jid, sender: cleo.jid });
  expect(linkedTo(cleo)).toEqual([]);
});

test('publishes a username with the message, also in groups', async () => {
  const cleo = newPerson({ username: 'cleo.in.town', hidesPhone: true });
  expect((await writes(cleo)).senderUsername).toBe('cleo.in.town');
  const { group } = harness.world.groups.create(cleo.actor, { name: 'Lunch', participants: [userJid(ME)] });
  harness.world.messages.send(cleo.actor, {
    id: '3EB0GROUP',
    to: group.jid,
    content: { type: 'text', text: 'x' },
  });
  const groupMessage = await vi.waitFor(() => {
    const event = me.events.find((each) => each.kind === 'message' && each.messageId === '3EB0GROUP');
    if (!event) throw new Error('no event yet');
    return event;
  }, WAIT);
  expect(groupMessage).toMatchObject({ sender: cleo.lid, senderUsername: 'cleo.in.town' });
  expect(groupMessage).not.toHaveProperty('senderPhone');
});

test('looks a username up once for many messages', async () => {
  const cleo = newPerson({ username: 'cleo_asked' });
  const questions = () =>
    harness.received.filter((stanza) => JSON.stringify(stanza).includes('"cleo_asked"'));
  for (const name of ['cleo_asked', 'Cleo_Asked', 'cleo_asked'])
    expect(await me.session.contacts.findByUsername(name)).toMatchObject({ kind: 'found', chat: cleo.jid });
  expect(questions()).toHaveLength(1);
});

test('marks a deletion in a group as an admin’s where it is not the author’s own', async () => {
  const [admin, member] = [newPerson(), newPerson()];
  const { world } = harness;
  const participants = [userJid(ME), member.jid];
  const { group } = world.groups.create(admin.actor, { name: 'Lunch', participants });
  const contents = () =>
    me.events.flatMap((event) => (event.kind === 'message' && event.chat === group.jid ? event.content : []));
  for (const [by, id] of [
    [member, '3EB0DELETED'],
    [admin, '3EB0DELETEDTOO'],
  ] as const) {
    world.messages.send(member.actor, { id, to: group.jid, content: { type: 'text', text: 'x' } });
    await vi.waitFor(() => expect(contents().at(-1)).toMatchObject({ kind: 'text' }), WAIT);
    const content = { type: 'revoke', target: id } as const;
    world.messages.send(by.actor, { id: `${id}BY`, to: group.jid, content });
    await vi.waitFor(() => expect(contents().at(-1)).toMatchObject({ revokedId: id }), WAIT);
  }
  expect(contents().filter((content) => 'revokedId' in content)).toEqual([
    { kind: 'other', text: '', revokedId: '3EB0DELETED' },
    { kind: 'other', text: '', revokedId: '3EB0DELETEDTOO', revokedByAdmin: true },
  ]);
});
