import { createHmac } from 'node:crypto';
import type { BinaryNode } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import { type Client, sendTo, stanza, startTestNetwork, type TestNetwork } from './fixture.ts';

/** A network as it is today: people are addressed by LID, and other addressing is refused. */
let network: TestNetwork;
let client: Client;
const pn = (phone: string, device = 0) => `${phone}${device ? `:${device}` : ''}@s.whatsapp.net`;
const lid = (phone: string, device = 0) =>
  `${network.world.phones.get(phone).lid}${device ? `:${device}` : ''}@lid`;

beforeAll(async () => {
  network = await startTestNetwork({ addressing: 'lid', strictAddressing: true, tokensExchanged: false });
  client = await network.link(ada);
});
afterAll(() => network.stop());

const shown = (phone: string, id: string) => network.world.messages.find(phone, id)?.content;
const says = (phone: string, id: string) =>
  network.world.messages.send(handset(phone), { id, to: ada, content: text(id) });
const part = (node: BinaryNode | undefined, tag: string) =>
  Array.isArray(node?.content) ? node.content.find((each) => each.tag === tag) : undefined;
const bytes = (tag: string, content: Uint8Array): BinaryNode => ({ tag, attrs: {}, content });
const refused = (id: string) => ({ ack: { attrs: { id, error: '463' } } });

describe('a person addressed by LID', () => {
  it('writes from the LID, with the number beside it', async () => {
    const arrived = stanza(client, 'message', ({ attrs }) => attrs.id === 'L1');
    says(ben, 'L1');
    expect((await arrived).attrs).toMatchObject({
      from: lid(ben),
      sender_pn: pn(ben),
      addressing_mode: 'lid',
    });
  });

  it('gets messages at the LID, and sends receipts from it', async () => {
    const receipt = stanza(client, 'receipt', ({ attrs }) => attrs.id === 'L2');
    await client.sock.sendMessage(lid(ben), { text: 'hello' }, { messageId: 'L2' });
    expect((await receipt).attrs.from).toBe(lid(ben));
    expect(shown(ben, 'L2')).toMatchObject({ text: 'hello' });
    expect(shown(ada, 'L2')).toMatchObject({ text: 'hello' });
  });

  it('requests undecryptable messages from it', async () => {
    network.world.vault.eraseScope(`signal.sessions.${ben}`);
    const asked = stanza(client, 'receipt', ({ attrs }) => attrs.id === 'L3' && attrs.type === 'retry');
    await client.sock.sendMessage(lid(ben), { text: 'again' }, { messageId: 'L3' });
    expect((await asked).attrs.from).toBe(lid(ben));
    await vi.waitFor(() => expect(shown(ben, 'L3')).toMatchObject({ text: 'again' }));
  });

  it('types, is online, calls and posts stories from it', async () => {
    const { world } = network;
    await client.sock.sendPresenceUpdate('available');
    const typing = stanza(client, 'chatstate');
    world.presence.typing(handset(ben), ada, { typing: true, media: 'text' });
    expect((await typing).attrs.from).toBe(lid(ben));
    const presence = stanza(client, 'presence');
    await client.sock.presenceSubscribe(lid(ben));
    expect((await presence).attrs.from).toBe(lid(ben));
    const call = stanza(client, 'call');
    world.calls.offer(handset(ben), ada, { video: false });
    expect((await call).attrs.from).toBe(lid(ben));
    const story = stanza(client, 'message', ({ attrs }) => attrs.id === 'S1');
    const audience = [ada];
    world.messages.send(handset(ben), {
      id: 'S1',
      to: 'status@broadcast',
      content: text('my day'),
      audience,
    });
    expect((await story).attrs).toMatchObject({ participant: lid(ben), participant_pn: pn(ben) });
  });

  it('is addressed by it on the other devices of those who write to it', async () => {
    const other = await network.link(ada);
    const arrived = stanza(other, 'message', ({ attrs }) => attrs.id === 'O1');
    await client.sock.sendMessage(lid(ben), { text: 'from the desk' }, { messageId: 'O1' });
    expect((await arrived).attrs).toMatchObject({
      from: lid(ada, 1),
      recipient: lid(ben),
      peer_recipient_pn: pn(ben),
      addressing_mode: 'lid',
    });
    await other.sock.logout();
  });
});

describe('an account that was migrated to LIDs', () => {
  const devices = (address = pn) => [address(cleo), address(ada)];

  it('may not write to a number without a token', async () => {
    expect(await sendTo(client, { id: 'T1', to: pn(cleo), devices: devices() })).toMatchObject(refused('T1'));
    expect(shown(cleo, 'T1')).toBeUndefined();
  });

  it('may write to a number with the token of its owner, and not with any other', async () => {
    const given = stanza(client, 'notification,type:privacy_token', ({ attrs }) => attrs.from === lid(cleo));
    says(cleo, 'T2');
    const token = part(part(await given, 'tokens'), 'token');
    expect(token?.attrs).toMatchObject({ type: 'trusted_contact' });
    const mine = token?.content instanceof Uint8Array ? token.content : new Uint8Array();
    const send = (id: string, to: string, tctoken: Uint8Array) =>
      sendTo(client, {
        id,
        to,
        devices: devices(to === lid(cleo) ? lid : pn),
        extra: [bytes('tctoken', tctoken)],
      });
    expect((await send('T3', pn(cleo), mine)).ack.attrs.error).toBeUndefined();
    expect(shown(cleo, 'T3')).toMatchObject({ text: 'T3' });
    for (const [id, to] of [
      ['T4', pn(cleo)],
      ['T5', lid(cleo)],
    ] as const) {
      expect(await send(id, to, new Uint8Array(32))).toMatchObject(refused(id));
    }
    network.world.clock.advance(5 * 7 * 86_400_000);
    expect(await send('T6', pn(cleo), mine)).toMatchObject(refused('T6'));
  });

  it('may not name people by LID and by number in one message, nor members of a group by number', async () => {
    const send = async (id: string, to: string, named: string[]) =>
      (await sendTo(client, { id, to, devices: named })).ack.attrs.error;
    expect(await send('X1', lid(cleo), [lid(cleo), pn(ada)])).toBe('400');
    expect(await send('X2', pn(cleo), devices(lid))).toBe('400');
    const { jid } = network.world.groups.create(handset(cleo), { name: 'Mixed', participants: [ada] }).group;
    expect(await send('X3', jid, [pn(cleo)])).toBe('421');
    expect(await send('X4', jid, [lid(cleo)])).toBeUndefined();
    for (const id of ['X1', 'X2', 'X3']) expect(shown(cleo, id)).toBeUndefined();
  });

  it('may write a first message to a LID with the token derived from its salt, and not with a wrong one', async () => {
    const salt = network.world.tokens.nctSalt(ada);
    const right = createHmac('sha256', salt).update(lid(cleo)).digest();
    const send = (id: string, cstoken: Uint8Array) =>
      sendTo(client, { id, to: lid(cleo), devices: devices(lid), extra: [bytes('cstoken', cstoken)] });
    expect((await send('C1', right)).ack.attrs.error).toBeUndefined();
    expect(await send('C2', new Uint8Array(32))).toMatchObject(refused('C2'));
  });

  it('posts its stories to LIDs only', async () => {
    const storyError = async (id: string, viewer: string) => {
      const acked = stanza(client, 'ack,class:message', ({ attrs }) => attrs.id === id);
      await client.sock.sendMessage(
        'status@broadcast',
        { text: 'my day' },
        { messageId: id, statusJidList: [viewer], backgroundColor: '#000000', font: 1 },
      );
      return (await acked).attrs.error;
    };
    expect(await storyError('D1', pn(cleo))).toBe('479');
    expect(await storyError('D2', lid(cleo))).toBeUndefined();
    expect(shown(cleo, 'D2')).toMatchObject({ text: 'my day' });
  });
});

it('a person under migration is addressed by the number and the LID in turns', async () => {
  network.world.phones.update(handset(cleo), { addressing: 'mixed' });
  const from = [];
  for (const id of ['X1', 'X2']) {
    const arrived = stanza(client, 'message', ({ attrs }) => attrs.id === id);
    says(cleo, id);
    from.push((await arrived).attrs.from);
  }
  expect(from).toEqual([pn(cleo), lid(cleo)]);
});
