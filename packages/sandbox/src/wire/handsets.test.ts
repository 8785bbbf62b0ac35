import type { BinaryNode } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import { type Client, event, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
const jid = (phone: string) => `${phone}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const shown = (phone: string, id: string) => network.world.messages.find(phone, id)?.content;
const arrival = (id: string) =>
  event(client.sock, 'messages.upsert', ({ messages }) => messages.some(({ key }) => key.id === id));

async function talk(id: string, phone = ben): Promise<void> {
  const arrived = arrival(`to-${id}`);
  network.world.messages.send(handset(phone), { id: `to-${id}`, to: ada, content: text(`to ${id}`) });
  await arrived;
  await client.sock.sendMessage(jid(phone), { text: `from ${id}` }, { messageId: `from-${id}` });
  await vi.waitFor(() => expect(shown(phone, `from-${id}`)).toMatchObject({ text: `from ${id}` }), 5_000);
}

const bundleOf = async (phone: string) => {
  const answer: BinaryNode = await client.sock.query({
    tag: 'iq',
    attrs: { xmlns: 'encrypt', type: 'get', to: '@s.whatsapp.net' },
    content: [{ tag: 'key', attrs: {}, content: [{ tag: 'user', attrs: { jid: jid(phone) } }] }],
  });
  const [list] = Array.isArray(answer.content) ? answer.content : [];
  const [user] = Array.isArray(list?.content) ? list.content : [];
  const parts = Array.isArray(user?.content) ? user.content : [];
  const signed = parts.find(({ tag }) => tag === 'skey')?.content;
  const [id] = Array.isArray(signed) ? signed : [];
  return {
    identity: parts.find(({ tag }) => tag === 'identity')?.content,
    signedId: Number(id?.content?.at(-1)),
  };
};

describe('a phone that is installed anew', () => {
  it('has other keys, notifies its correspondents, and goes on writing with clients', async () => {
    await talk('before');
    const before = await bundleOf(ben);
    const notified = new Promise<Record<string, string>>((resolve) =>
      client.sock.ws.once('CB:notification,type:encrypt,identity', ({ attrs }) => resolve(attrs)),
    );
    network.world.handsets.reinstall(ben);
    expect((await notified).from).toBe(jid(ben));
    expect((await bundleOf(ben)).identity).not.toEqual(before.identity);
    await talk('after');
  });

  it('decrypts nothing that was encrypted for the earlier installation', async () => {
    const { group } = network.world.groups.create(handset(cleo), { name: 'Old keys', participants: [ada] });
    await client.sock.sendMessage(group.jid, { text: 'first' }, { messageId: 'G1' });
    await vi.waitFor(() => expect(shown(cleo, 'G1')).toMatchObject({ text: 'first' }));
    const requested = new Promise<void>((resolve) =>
      client.sock.ws.on('CB:receipt', ({ attrs }) => {
        if (attrs.type === 'retry' && attrs.id === 'G2') resolve();
      }),
    );
    network.world.handsets.reinstall(cleo);
    await client.sock.sendMessage(group.jid, { text: 'second' }, { messageId: 'G2' });
    await requested;
    await vi.waitFor(() => expect(shown(cleo, 'G2')).toMatchObject({ text: 'second' }), 5_000);
  });

  it('has no linked devices any more', async () => {
    const other = await network.link(ben);
    const { id } = other.sock.user ?? { id: '' };
    expect(network.world.devices.of(ben).map(({ sessionId }) => sessionId)).toEqual([id]);
    network.world.handsets.reinstall(ben);
    expect(network.world.devices.of(ben)).toEqual([]);
  });
});

it('a rotated signed pre-key is for new sessions, and sessions of the earlier one stay good', async () => {
  const { signedId } = await bundleOf(ben);
  const late = await network.link(cleo);
  // Opens a session with the key of now, and uses it after the rotation.
  await late.sock.assertSessions([jid(ben)], true);
  network.world.handsets.rotateSignedPreKey(ben);
  expect((await bundleOf(ben)).signedId).toBe(signedId + 1);
  await late.sock.sendMessage(jid(ben), { text: 'with the old key' }, { messageId: 'K1' });
  await vi.waitFor(() => expect(shown(ben, 'K1')).toMatchObject({ text: 'with the old key' }), 5_000);
  expect(network.world.awaited.by(ben)).toBe(0);
});

it('an account with a new number is in its groups, and the old number is not on the network', async () => {
  const dora = '15550003001';
  const moved = '15550003002';
  const { world } = network;
  const { lid } = world.phones.create(dora, { name: 'Dora' });
  const { group } = world.groups.create(handset(dora), { name: 'Moving', participants: [ada] });
  await talk('dora', dora);
  const modified = (type: string) =>
    new Promise<Record<string, string>>((resolve) =>
      client.sock.ws.once(`CB:notification,type:${type},modify`, ({ content }) => resolve(content[0].attrs)),
    );
  const notices = Promise.all([modified('contacts'), modified('w:gp2')]);
  const fresh = world.handsets.changeNumber(dora, moved);
  expect(fresh).toMatchObject({ phone: moved, name: 'Dora' });
  expect(fresh.lid).not.toBe(lid);
  const [notice] = await notices;
  expect(notice).toEqual({
    old: jid(dora),
    new: jid(moved),
    old_lid: `${lid}@lid`,
    new_lid: `${fresh.lid}@lid`,
  });

  const { participants } = await client.sock.groupMetadata(group.jid);
  expect(participants.map(({ phoneNumber, admin }) => [phoneNumber, admin])).toContainEqual([
    jid(moved),
    'superadmin',
  ]);
  expect(await client.sock.onWhatsApp(dora)).toEqual([]);
  await talk('moved', moved);
});

it('a message to a broadcast list is one stanza of the list for each of its people, in the direct chat', async () => {
  const stanza = new Promise<Record<string, string>>((resolve) =>
    client.sock.ws.once('CB:message', ({ attrs }) => resolve(attrs)),
  );
  const arrived = arrival('L1');
  const people = [jid(ada), jid(cleo)];
  const list = network.world.messages.broadcast(handset(ben), {
    id: 'L1',
    to: people,
    content: text('to all'),
  });
  expect(await stanza).toMatchObject({ from: list, participant: jid(ben), id: 'L1' });
  const [received] = (await arrived).messages;
  expect(received).toMatchObject({ broadcast: true, message: { conversation: 'to all' } });
  await client.sock.readMessages([received?.key ?? {}]);
  await vi.waitFor(() => {
    const receipts = network.world.messages.seenBy(ben, { chat: ada }).at(-1)?.receipts;
    expect(receipts?.map(({ person, type }) => [person.phone, type])).toContainEqual([ada, 'read']);
  });
  expect(shown(cleo, 'L1')).toMatchObject({ text: 'to all' });
});

it('a phone with a long past hands it to the device that it links', async () => {
  const { world } = network;
  const owner = '15550003003';
  world.phones.create(owner, { name: 'Old timer' });
  world.contacts.save(handset(owner), { phone: ben, firstName: 'Ben', fullName: 'Ben' });
  world.handsets.lengthenPast(owner, 3_000_000);
  const linked = await network.link(owner);
  const { messages } = await event(
    linked.sock,
    'messaging-history.set',
    ({ messages }) => messages.length > 900,
  );
  expect(messages).toHaveLength(1_000);
  expect(messages[0]?.message?.conversation).toHaveLength(3_000);
});
