import type { BinaryNode, WASocket } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset } from '../world/fixture.ts';
import { type Client, event, sendTo, stanza, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let adas: Client;
let bens: Client;
const jid = (phone: string, device = 0) => `${phone}${device ? `:${device}` : ''}@s.whatsapp.net`;

/** The library asks its user for the message that a device requests again. */
const getMessage = async () => ({ extendedTextMessage: { text: 'once more' } });

const inactive = { markOnlineOnConnect: false };

beforeAll(async () => {
  network = await startTestNetwork();
  for (const [owner, phone] of [
    [ada, ben],
    [ben, ada],
  ] as const) {
    network.world.contacts.save(handset(owner), { phone, firstName: 'X', fullName: 'X' });
  }
  bens = await network.link(ben, inactive);
  adas = await network.link(ada, { getMessage });
});
afterAll(() => network.stop());

const parts = ({ content }: BinaryNode): BinaryNode[] => (Array.isArray(content) ? content : []);
const part = (node: BinaryNode | undefined, tag: string) =>
  node && parts(node).find((each) => each.tag === tag);
const shownTo = (phone: string, id: string) => network.world.messages.find(phone, id)?.content;

/** A client that has lost its session with a device, under either address. */
async function forgetSession({ auth, sock }: Client, phone: string, device: number): Promise<void> {
  const { lid } = network.world.phones.get(phone);
  const kept = [`${lid}:${device}@lid`, jid(phone, device)].map((address) =>
    sock.signalRepository.jidToSignalProtocolAddress(address),
  );
  expect(Object.keys(await auth.keys.get('session', kept))).not.toEqual([]);
  await auth.keys.set({ session: Object.fromEntries(kept.map((address) => [address, null])) });
}

const readable = (sock: WASocket, id: string) =>
  event(sock, 'messages.upsert', ({ messages }) =>
    messages.some(({ key, message }) => key.id === id && !!message?.extendedTextMessage),
  );

describe('a message from one linked device to another', () => {
  it('is forwarded byte by byte, with the device that wrote it as its author', async () => {
    const arrived = stanza(bens, 'message', ({ attrs }) => attrs.id === 'F1');
    const { copies } = await sendTo(adas, {
      id: 'F1',
      to: jid(ben),
      devices: [jid(ben), jid(ben, 1), jid(ada)],
    });
    const { attrs, content } = await arrived;
    expect(attrs).toMatchObject({ from: jid(ada, 1), type: 'text', notify: 'Ada' });
    const written = part(
      copies.find((to) => to.attrs.jid === jid(ben, 1)),
      'enc',
    );
    expect(content).toEqual([written]);
  });

  it('carries the device identity when it opens a session', async () => {
    const second = await network.link(ben);
    const arrived = stanza(second, 'message', ({ attrs }) => attrs.id === 'F2');
    await adas.sock.sendMessage(jid(ben), { text: 'hello' }, { messageId: 'F2' });
    expect(parts(await arrived).map(({ tag, attrs }) => attrs.type ?? tag)).toEqual([
      'pkmsg',
      'device-identity',
    ]);
    await second.sock.logout();
  });

  it('is requested again when undecryptable, and resent to that device alone', async () => {
    await adas.sock.sendMessage(jid(ben), { text: 'all is well' }, { messageId: 'F3' });
    await vi.waitFor(() => expect(shownTo(ben, 'F3')).toMatchObject({ text: 'all is well' }));
    await forgetSession(bens, ada, 1);
    const asked = stanza(adas, 'receipt', ({ attrs }) => attrs.id === 'F4' && attrs.type === 'retry');
    const came = readable(bens.sock, 'F4');
    await adas.sock.sendMessage(jid(ben), { text: 'once more' }, { messageId: 'F4' });
    expect((await asked).attrs.from).toBe(jid(ben, 1));
    expect((await came).messages[0]?.message?.extendedTextMessage?.text).toBe('once more');
    await vi.waitFor(() => {
      for (const { sessionId } of [adas, bens]) expect(network.world.mailboxes.waiting(sessionId)).toBe(0);
    });
    expect(network.world.phones.get(ben).duplicatesDropped).toBe(0);
  });

  it('waits for a device that is away, and the request for it waits for the author', async () => {
    await bens.sock.end(undefined);
    await adas.sock.sendMessage(jid(ben), { text: 'are you there?' }, { messageId: 'F5' });
    await vi.waitFor(() => expect(shownTo(ben, 'F5')).toMatchObject({ text: 'are you there?' }));
    await adas.sock.end(undefined);
    await forgetSession(bens, ada, 1);
    bens = await network.reconnect(bens, inactive);
    await vi.waitFor(() => expect(network.world.mailboxes.waiting(bens.sessionId)).toBe(0));
    expect(network.world.mailboxes.waiting(adas.sessionId)).toBeGreaterThan(0);
    const came = readable(bens.sock, 'F5');
    adas = await network.reconnect(adas, { getMessage });
    expect((await came).messages[0]?.message?.extendedTextMessage?.text).toBe('once more');
  });

  it('goes to every device of every member of a group', async () => {
    const { group } = network.world.groups.create(handset(cleo), { name: 'G', participants: [ada, ben] });
    for (const id of ['G1', 'G2']) {
      const arrived = stanza(bens, 'message', ({ attrs }) => attrs.id === id);
      const came = readable(bens.sock, id);
      await adas.sock.sendMessage(group.jid, { text: id }, { messageId: id });
      const { lid } = network.world.phones.get(ada);
      expect((await arrived).attrs).toMatchObject({
        from: group.jid,
        participant: `${lid}:1@lid`,
        participant_pn: jid(ada),
        addressing_mode: 'lid',
      });
      await came;
      for (const phone of [ada, ben, cleo]) {
        await vi.waitFor(() => expect(shownTo(phone, id)).toMatchObject({ text: id }));
      }
    }
  });

  it('reaches the other devices of its author', async () => {
    const other = await network.link(ada);
    const arrived = stanza(other, 'message', ({ attrs }) => attrs.id === 'O1');
    const came = readable(other.sock, 'O1');
    await adas.sock.sendMessage(jid(ben), { text: 'from the desk' }, { messageId: 'O1' });
    expect((await arrived).attrs).toMatchObject({ from: jid(ada, 1), recipient: jid(ben) });
    expect((await came).messages[0]?.key).toMatchObject({ fromMe: true, remoteJid: jid(ben) });
    await other.sock.logout();
  });
});

describe('a phone', () => {
  it('waits for a message without a copy for it, and does not show a copy for another device', async () => {
    await sendTo(adas, { id: 'M1', to: jid(ben), devices: [jid(ada), jid(ben, 1)] });
    expect(shownTo(ben, 'M1')).toEqual({ type: 'waiting' });
    expect(shownTo(ada, 'M1')).toBeDefined();
    await sendTo(adas, { id: 'M2', to: jid(ben), devices: [jid(ben)] });
    expect(shownTo(ada, 'M2')).toEqual({ type: 'waiting' });
    expect(shownTo(ben, 'M2')).toMatchObject({ text: 'M2' });
  });

  it('has no delivery receipt for a message that only an inactive client received', async () => {
    const answered = stanza(bens, 'ack,class:receipt', ({ attrs }) => attrs.id === 'M5');
    await sendTo(adas, { id: 'M5', to: jid(ben), devices: [jid(ada), jid(ben, 1)] });
    expect((await answered).attrs.type).toBe('inactive');
    expect(network.world.mailboxes.waiting(bens.sessionId)).toBe(0);
    expect(network.world.messages.find(ada, 'M5')?.receipts).toEqual([]);
  });

  it('ignores a claim of a stranger about its own sent messages', async () => {
    await adas.sock.assertSessions([jid(ben)], false);
    const { nodes } = await adas.sock.createParticipantNodes(
      [jid(ben)],
      { deviceSentMessage: { destinationJid: jid(cleo), message: { conversation: 'not mine' } } },
      {},
    );
    await adas.sock.sendNode({
      tag: 'message',
      attrs: { id: 'M3', to: jid(ben), type: 'text' },
      content: [{ tag: 'participants', attrs: {}, content: nodes }],
    });
    await sendTo(adas, { id: 'M4', to: jid(ben), devices: [jid(ben)] });
    expect(shownTo(ben, 'M3')).toBeUndefined();
  });

  it('ignores an edit of a foreign message, which the network cannot see', async () => {
    network.world.messages.send(handset(ben), { id: 'E1', to: ada, content: { type: 'text', text: 'mine' } });
    const acked = stanza(adas, 'ack,class:message', ({ attrs }) => attrs.id === 'E2');
    await adas.sock.sendMessage(
      jid(ben),
      { text: 'yours', edit: { id: 'E1', remoteJid: jid(ben), fromMe: false } },
      { messageId: 'E2' },
    );
    expect((await acked).attrs.error).toBeUndefined();
    for (const phone of [ada, ben]) expect(network.world.messages.find(phone, 'E1')?.edited).toBeUndefined();
  });
});

describe('the list of devices', () => {
  it('is reported as outdated by the ack', async () => {
    const whole = await sendTo(adas, { id: 'H1', to: jid(ben), devices: [jid(ben), jid(ben, 1), jid(ada)] });
    expect(whole.ack.attrs.phash).toBeUndefined();
    const partial = await sendTo(adas, { id: 'H2', to: jid(ben), devices: [jid(ben), jid(ada)] });
    expect(partial.ack.attrs.phash).toMatch(/^2:.{8}$/);
  });

  it('is announced to contacts and to the own devices when it changes', async () => {
    const notifications = [adas, bens].map((client) =>
      stanza(client, 'notification,type:devices', (node) => part(node, 'add') !== undefined),
    );
    const left = stanza(adas, 'notification,type:devices', (node) => part(node, 'remove') !== undefined);
    const third = await network.link(ben);
    const device = Number(third.sessionId.split(/[:@]/)[1]);
    for (const notification of await Promise.all(notifications)) {
      expect(notification.attrs.from).toBe(jid(ben));
      expect(part(part(notification, 'add'), 'device')?.attrs.jid).toBe(jid(ben, device));
    }
    await third.sock.logout();
    expect(part(part(await left, 'remove'), 'device')?.attrs.jid).toBe(jid(ben, device));
  });
});
