import { lidJid, type PhoneSettings, userJid } from '@parley/sandbox/world';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MessageEvent } from '../../events.ts';
import { HELD_MS } from '../journal/held-arrivals.ts';
import { startWireHarness, type WireHarness } from '../testing/fixture.ts';
import { connected, link, ME, type Opened, WAIT } from '../testing/people.ts';

/** One number for all tests; each test has people of its own. */
let harness: WireHarness;
let me: Opened;
let count = 0;
const warnings: object[] = [];
const handset = { phone: ME, device: 0 };

beforeAll(async () => {
  harness = await startWireHarness({
    log: { debug() {}, warn: (details, message) => warnings.push({ ...details, message }) },
  });
  harness.world.phones.create(ME, { name: 'Parley' });
  await link(harness);
  me = await connected(harness);
});

afterAll(() => harness.dispose());

function newPerson(settings: Partial<PhoneSettings> = {}) {
  count += 1;
  const phone = String(15_550_005_000 + count);
  const { lid } = harness.world.phones.create(phone, { name: 'Cleo', ...settings });
  return { actor: { phone, device: 0 }, jid: userJid(phone), lid: lidJid(lid) };
}

type Person = ReturnType<typeof newPerson>;

/** A person's phone sends; resolves to its event. */
async function receive(
  { actor }: Pick<Person, 'actor'>,
  to: string,
  content: Parameters<WireHarness['world']['messages']['send']>[1]['content'],
): Promise<MessageEvent> {
  const id = harness.world.messages.newId();
  harness.world.messages.send(actor, { id, to, content });
  return arrival(id);
}

/** While the clock moves on. */
async function arrivalWithin(ms: number, id: string): Promise<MessageEvent> {
  const arrived = arrival(id);
  for (let step = 0; step < 4; step++) await harness.advance(ms / 4);
  return arrived;
}

function arrival(id: string): Promise<MessageEvent> {
  return vi.waitFor(() => {
    const event = me.events.find((each) => each.kind === 'message' && each.messageId === id);
    if (event?.kind !== 'message') throw new Error('no event yet');
    return event;
  }, WAIT);
}

const text = (words: string) => ({ type: 'text', text: words }) as const;
const edit = (target: string, words: string) => ({ type: 'edit', target, text: words }) as const;
const editOf = (editedId: string, words: string) => ({ kind: 'other', text: words, editedId });

const secrets = () =>
  harness.store.read
    .selectFrom('network_records')
    .select(['id', 'value', 'expires_at'])
    .where('kind', 'in', ['secret', 'lasting-secret'])
    .execute();

describe('an edit under the secret of its message', () => {
  test.each([
    ['by hidden address', { addressing: 'lid' }],
    ['by number', { addressing: 'pn' }],
    ['by both in turns', { addressing: 'mixed' }],
    ['in the form before it', { edits: 'plain' }],
  ] as const)('is what a plain edit is, of a person addressed %s', async (_, settings) => {
    const cleo = newPerson(settings);
    for (const words of ['First', 'Second', 'Third']) {
      const { messageId } = await receive(cleo, userJid(ME), text('Firt'));
      const edited = await receive(cleo, userJid(ME), edit(messageId, words));
      expect(edited).toMatchObject({ chat: cleo.jid, sender: cleo.jid, content: editOf(messageId, words) });
    }
  });

  test('is read in groups, and of the number’s own phone', async () => {
    const cleo = newPerson();
    const { group } = harness.world.groups.create(cleo.actor, { name: 'Tea', participants: [userJid(ME)] });
    const theirs = await receive(cleo, group.jid, text('Firt'));
    const edited = await receive(cleo, group.jid, edit(theirs.messageId, 'First'));
    expect(edited).toMatchObject({
      chat: group.jid,
      sender: cleo.lid,
      content: editOf(theirs.messageId, 'First'),
    });

    for (const to of [group.jid, cleo.jid]) {
      const own = await receive({ actor: handset }, to, text('Owm'));
      const ownEdit = await receive({ actor: handset }, to, edit(own.messageId, 'Own'));
      expect(ownEdit).toMatchObject({ fromMe: true, content: editOf(own.messageId, 'Own') });
    }
  });

  test('is read of a message that this session has sent, by the phone of the number', async () => {
    const cleo = newPerson();
    const messageId = harness.world.messages.newId();
    await me.session.send({ messageId, to: cleo.jid, content: { kind: 'text', text: 'Owm' } });
    const edited = await receive({ actor: handset }, cleo.jid, edit(messageId, 'Own'));
    expect(edited.content).toEqual(editOf(messageId, 'Own'));
  });

  test('is reported as unreadable when the secret is unknown', async () => {
    const cleo = newPerson();
    const { messageId } = await receive(cleo, userJid(ME), text('Firt'));
    await harness.store.transaction((trx) =>
      trx.deleteFrom('network_records').where('kind', '=', 'secret').execute(),
    );
    const id = harness.world.messages.newId();
    harness.world.messages.send(cleo.actor, { id, to: userJid(ME), content: edit(messageId, 'First') });
    await receive(cleo, userJid(ME), text('Meanwhile'));
    const edited = await arrivalWithin(HELD_MS, id);
    expect(edited.content).toEqual({
      kind: 'other',
      text: '',
      unreadable: { update: 'edit', targetId: messageId },
    });
    expect(warnings).toContainEqual({
      update: 'edit',
      reason: 'the secret of the message is unknown',
      message: 'an encrypted update of a message could not be read',
    });
  });
});

describe('an edit that comes before its message', () => {
  test('waits for it, and is read then', async () => {
    const cleo = newPerson();
    const { messageId } = await receive(cleo, userJid(ME), text('Firt'));
    const rows = await harness.store.transaction((trx) =>
      trx.deleteFrom('network_records').where('kind', '=', 'secret').returningAll().execute(),
    );
    const id = harness.world.messages.newId();
    harness.world.messages.send(cleo.actor, { id, to: userJid(ME), content: edit(messageId, 'First') });
    await receive(cleo, userJid(ME), text('Meanwhile'));
    await harness.advance(HELD_MS / 2);
    expect(me.events.filter((each) => each.kind === 'message' && each.messageId === id)).toEqual([]);
    await harness.store.transaction((trx) => trx.insertInto('network_records').values(rows).execute());
    expect((await arrivalWithin(HELD_MS / 4, id)).content).toEqual(editOf(messageId, 'First'));
  });
});

describe('the secrets of messages', () => {
  test('are sealed, one a message, and expire', async () => {
    const cleo = newPerson();
    const before = await secrets();
    const { messageId } = await receive(cleo, userJid(ME), text('Hello'));
    await receive(cleo, userJid(ME), edit(messageId, 'Hello!'));
    await receive(cleo, userJid(ME), { type: 'reaction', target: messageId, emoji: '👍' });
    const secret = harness.world.messages.find(ME, messageId)?.secret ?? '';
    const kept = (await secrets()).filter(({ id }) => !before.some((one) => one.id === id));
    expect(kept).toMatchObject([{ id: `${messageId} ${cleo.lid}` }]);
    expect(Buffer.from(kept[0]?.value ?? []).includes(Buffer.from(secret, 'base64'))).toBe(false);
    expect(Buffer.from(kept[0]?.value ?? []).includes(secret)).toBe(false);
    const days = ((kept[0]?.expires_at ?? 0) - harness.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
  });
});
