import type { BinaryNode, WASocket } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import { type Client, closing, event, startTestNetwork, type TestNetwork } from './fixture.ts';
import { holdersScope } from './signal/sender-chains.ts';

let network: TestNetwork;
let client: Client;
const benJid = `${ben}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const fromBen = (id: string, words = id) =>
  network.world.messages.send(handset(ben), { id, to: ada, content: text(words) });
const message = (sock: WASocket, id: string) =>
  event(sock, 'messages.upsert', ({ messages }) => messages.some((each) => each.key.id === id));
const stanza = (sock: WASocket, name: string, fits: (node: BinaryNode) => boolean) =>
  new Promise<BinaryNode>((resolve) => sock.ws.on(`CB:${name}`, (node) => fits(node) && resolve(node)));
const receiptsOf = (id: string) =>
  network.world.messages.find(ben, id)?.receipts.map(({ person, type }) => [person.phone, type]);

describe('receipts', () => {
  it('report to a client that its message was delivered and read', async () => {
    const sent = client.sock.sendMessage(benJid, { text: 'read me' }, { messageId: 'R1' });
    const delivered = stanza(client.sock, 'receipt', ({ attrs }) => attrs.id === 'R1' && !attrs.type);
    const read = stanza(client.sock, 'receipt', ({ attrs }) => attrs.id === 'R1' && attrs.type === 'read');
    await sent;
    expect((await delivered).attrs.from).toBe(benJid);
    network.world.messages.mark(ben, 'R1', 'read');
    expect((await read).attrs.from).toBe(benJid);
  });

  it('report to a phone that its message was delivered to and read on a client', async () => {
    const arrived = message(client.sock, 'R2');
    fromBen('R2');
    const [received] = (await arrived).messages;
    await client.sock.readMessages([received?.key ?? {}]);
    await vi.waitFor(() => expect(receiptsOf('R2')).toContainEqual([ada, 'read']));
  });

  it('of several messages at once reach each of them', async () => {
    const arrived = message(client.sock, 'R4');
    fromBen('R3');
    fromBen('R4');
    await arrived;
    const keys = ['R3', 'R4'].map((id) => ({ remoteJid: benJid, id, fromMe: false }));
    await client.sock.readMessages(keys);
    await vi.waitFor(() => {
      for (const id of ['R3', 'R4']) expect(receiptsOf(id)).toContainEqual([ada, 'read']);
    });
  });
});

describe('receipts of a group', () => {
  it('are grouped when they waited for the client, and single otherwise', async () => {
    const { world } = network;
    const { group } = world.groups.create(handset(ben), { name: 'Receipts', participants: [ada, cleo] });
    await client.sock.sendMessage(group.jid, { text: 'all here?' }, { messageId: 'GR1' });
    await client.sock.sendMessage(group.jid, { text: 'hello?' }, { messageId: 'GR2' });
    await vi.waitFor(() => expect(world.messages.find(cleo, 'GR2')?.content.type).toBe('text'));
    await vi.waitFor(() => expect(world.mailboxes.waiting(client.sessionId)).toBe(0));
    await client.sock.end(undefined);
    world.messages.mark(ben, 'GR1', 'read');
    world.messages.mark(cleo, 'GR1', 'read');
    world.messages.mark(ben, 'GR2', 'read');
    const sock = network.connect(client.auth);
    const { attrs, content } = await stanza(sock, 'receipt', ({ attrs: { from } }) => from === group.jid);
    const t = String(Math.floor(world.clock.now() / 1000));
    const lid = (phone: string) => `${world.phones.get(phone).lid}@lid`;
    expect(attrs).toMatchObject({ type: 'read', t, offline: '1' });
    expect(attrs.participant).toBeUndefined();
    expect(content).toEqual([
      {
        tag: 'participants',
        attrs: { key: 'GR1' },
        content: [ben, cleo].map((phone) => ({ tag: 'user', attrs: { jid: lid(phone), t } })),
      },
      { tag: 'participants', attrs: { key: 'GR2' }, content: [{ tag: 'user', attrs: { jid: lid(ben), t } }] },
    ]);
    await vi.waitFor(() => expect(world.mailboxes.waiting(client.sessionId)).toBe(0));
    client = { ...client, sock };
    const single = stanza(sock, 'receipt', ({ attrs: { id } }) => id === 'GR2');
    world.messages.mark(cleo, 'GR2', 'read');
    expect((await single).attrs.participant).toBe(lid(cleo));
  });
});

describe('the backlog', () => {
  it('waits for an offline client, comes in order and is not sent twice', async () => {
    await client.sock.end(undefined);
    const ids = ['W1', 'W2', 'W3'];
    for (const id of ids) fromBen(id);
    const seen: string[] = [];
    const sock = network.connect(client.auth);
    sock.ev.on('messages.upsert', ({ messages, type }) => {
      expect(type).toBe('append');
      seen.push(...messages.flatMap(({ key }) => key.id ?? []));
    });
    await event(
      sock,
      'connection.update',
      ({ receivedPendingNotifications }) => !!receivedPendingNotifications,
    );
    await vi.waitFor(() => expect(network.world.mailboxes.waiting(client.sessionId)).toBe(0));
    expect(seen).toEqual(ids);
    await sock.end(undefined);
    client = await network.reconnect(client);
  });

  it('is repeated with the same ciphertext when the client did not answer the first time', async () => {
    const first = ciphertextOf(client.sock, 'S1');
    client.sock.sendReceipt = async () => undefined;
    client.sock.ws.removeAllListeners('CB:message');
    client.sock.ws.on('CB:message', first.listen);
    fromBen('S1', 'only once');
    const before = await first.bytes;
    await client.sock.end(undefined);

    const again = network.connect(client.auth);
    const second = ciphertextOf(again, 'S1');
    again.ws.on('CB:message', second.listen);
    const read = message(again, 'S1');
    expect(Buffer.compare(await second.bytes, before)).toBe(0);
    expect((await read).messages[0]?.message?.conversation).toBe('only once');
    await vi.waitFor(() => expect(network.world.mailboxes.waiting(client.sessionId)).toBe(0));
    client = { ...client, sock: again };
  });
});

describe('an undecryptable message', () => {
  it('is sent again to a client, for fresh keys', async () => {
    await client.auth.keys.set({ session: await sessionsGone(client) });
    const arrived = event(client.sock, 'messages.upsert', ({ messages }) =>
      messages.some(({ key, message: content }) => key.id === 'Q1' && !!content?.conversation),
    );
    fromBen('Q1', 'once more');
    expect((await arrived).messages[0]?.message?.conversation).toBe('once more');
    await vi.waitFor(() => expect(network.world.mailboxes.waiting(client.sessionId)).toBe(0));
  });

  it('is requested again by a phone', async () => {
    await client.sock.sendMessage(`${cleo}@s.whatsapp.net`, { text: 'first' }, { messageId: 'Q2' });
    await vi.waitFor(() => expect(network.world.messages.find(cleo, 'Q2')).toBeDefined());
    network.world.vault.eraseScope(`signal.sessions.${cleo}`);
    const asked = stanza(client.sock, 'receipt', ({ attrs }) => attrs.id === 'Q3' && attrs.type === 'retry');
    await client.sock.sendMessage(`${cleo}@s.whatsapp.net`, { text: 'second' }, { messageId: 'Q3' });
    await asked;
    await vi.waitFor(() =>
      expect(network.world.messages.find(cleo, 'Q3')?.content).toMatchObject({ text: 'second' }),
    );
  });

  it('is requested again by one phone of a group, while the others show it', async () => {
    const { world } = network;
    const { group } = world.groups.create(handset(ben), { name: 'Lost key', participants: [ada] });
    await client.sock.sendMessage(group.jid, { text: 'first' }, { messageId: 'Q4' });
    await vi.waitFor(() => expect(world.messages.find(ben, 'Q4')).toBeDefined());
    world.vault.erase(holdersScope(group.jid, { phone: ada, device: 1 }), ben);
    await client.sock.sendMessage(group.jid, { text: 'second' }, { messageId: 'Q5' });
    await vi.waitFor(() => expect(world.messages.find(ada, 'Q5')?.content).toMatchObject({ text: 'second' }));
    await vi.waitFor(() => expect(world.messages.find(ben, 'Q5')?.content).toMatchObject({ text: 'second' }));
    expect(world.messages.seenBy(ben, { chat: group.jid })).toHaveLength(2);
  });
});

describe('two linked clients', () => {
  it("receive each other's messages, and those of their own phone", async () => {
    const bens = await network.link(ben);
    const toBen = message(bens.sock, 'T1');
    await client.sock.sendMessage(benJid, { text: 'from client to client' }, { messageId: 'T1' });
    expect((await toBen).messages[0]).toMatchObject({
      key: { remoteJid: `${ada}@s.whatsapp.net`, fromMe: false },
      message: { extendedTextMessage: { text: 'from client to client' } },
    });
    const own = message(bens.sock, 'T2');
    network.world.messages.send(handset(ben), { id: 'T2', to: ada, content: text('typed on the phone') });
    expect((await own).messages[0]).toMatchObject({
      key: { remoteJid: `${ada}@s.whatsapp.net`, fromMe: true },
      message: { conversation: 'typed on the phone' },
    });
  });
});

describe('armed faults', () => {
  const ack = (id: string) => stanza(client.sock, 'ack', ({ attrs }) => attrs.id === id);
  const arm = (kind: 'send_transient' | 'send_permanent' | 'slow' | 'no_ack' | 'disconnect', ms = 0) =>
    network.world.faults.arm(client.sessionId, { kind, count: 1, ms });
  const send = (id: string) => client.sock.sendMessage(benJid, { text: id }, { messageId: id });

  it.each([
    ['send_transient', '503'],
    ['send_permanent', '479'],
  ] as const)('%s answers %s and carries nothing', async (kind, code) => {
    arm(kind);
    const answer = ack(kind);
    await send(kind);
    expect((await answer).attrs.error).toBe(code);
    expect(network.world.messages.find(ben, kind)).toBeUndefined();
  });

  it('slow delays the ack until its time', async () => {
    arm('slow', 5_000);
    const answered = vi.fn();
    const answer = ack('SLOW').then(answered);
    await send('SLOW');
    await vi.waitFor(() => expect(network.world.messages.find(ben, 'SLOW')).toBeDefined());
    expect(answered).not.toHaveBeenCalled();
    network.world.clock.advance(5_000);
    await answer;
  });

  it('slow delays the answer to a query as well, once', async () => {
    arm('slow', 5_000);
    const order: string[] = [];
    const held = client.sock.fetchBlocklist().then(() => order.push('held'));
    // asked on the same connection later, and answered: a client's housekeeping queries are not delayed
    await client.sock.refreshMediaConn(true).then(() => order.push('of its own'));
    network.world.clock.advance(5_000);
    await held;
    await client.sock.fetchBlocklist().then(() => order.push('the next'));
    expect(order).toEqual(['of its own', 'held', 'the next']);
  });

  it('slow delays a refusal as well', async () => {
    arm('slow', 5_000);
    const order: string[] = [];
    const refusal = client.sock
      .groupMetadata('120363000000000000@g.us')
      .catch(() => order.push('the refusal'));
    await client.sock.refreshMediaConn(true).then(() => order.push('of its own'));
    network.world.clock.advance(5_000);
    await refusal;
    expect(order).toEqual(['of its own', 'the refusal']);
  });

  it('slow applies to the message, not to the queries that precede it', async () => {
    const stranger = '15550002077';
    network.world.phones.create(stranger, { name: 'Stranger' });
    arm('slow', 5_000);
    expect(await client.sock.onWhatsApp(stranger)).toMatchObject([{ exists: true }]);
    const answered = vi.fn();
    const answer = ack('STRANGER').then(answered);
    await client.sock.sendMessage(`${stranger}@s.whatsapp.net`, { text: 'hello' }, { messageId: 'STRANGER' });
    await vi.waitFor(() => expect(network.world.messages.find(stranger, 'STRANGER')).toBeDefined());
    expect(answered).not.toHaveBeenCalled();
    network.world.clock.advance(5_000);
    await answer;
  });

  it('no_ack carries the message and sends no ack', async () => {
    arm('no_ack');
    const answered = vi.fn();
    void ack('SILENT').then(answered);
    await send('SILENT');
    await vi.waitFor(() => expect(network.world.messages.find(ben, 'SILENT')).toBeDefined());
    const next = ack('AFTER');
    await send('AFTER');
    await next;
    expect(answered).not.toHaveBeenCalled();
  });

  it('disconnect closes the connection and refuses logins while it lasts', async () => {
    const closed = closing(client.sock);
    arm('disconnect', 60_000);
    await closed;
    expect(await closing(network.connect(client.auth))).toBe(503);
    network.world.clock.advance(60_001);
    client = await network.reconnect(client);
  });
});

function ciphertextOf(_sock: WASocket, id: string) {
  let found: (bytes: Uint8Array) => void = () => undefined;
  const bytes = new Promise<Uint8Array>((resolve) => {
    found = resolve;
  });
  const listen = ({ attrs, content }: BinaryNode): void => {
    const [enc] = Array.isArray(content) ? content : [];
    if (attrs.id === id && enc?.content instanceof Uint8Array) found(enc.content);
  };
  return { bytes, listen };
}

/** All Signal sessions of a client, to be deleted. */
async function sessionsGone({ auth, sock }: Client): Promise<Record<string, null>> {
  const lid = await sock.signalRepository.lidMapping.getLIDForPN(benJid);
  const address = sock.signalRepository.jidToSignalProtocolAddress(lid ?? benJid);
  expect(await auth.keys.get('session', [address])).toHaveProperty(address);
  return { [address]: null };
}
