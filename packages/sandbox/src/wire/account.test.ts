import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, handset, text } from '../world/fixture.ts';
import { type Client, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
const jid = (phone: string) => `${phone}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const ask = (xmlns: string, type: 'get' | 'set', content: BinaryNode[]): Promise<BinaryNode> =>
  client.sock.query({ tag: 'iq', attrs: { to: 's.whatsapp.net', xmlns, type }, content });

describe('privacy settings of a client', () => {
  it('are kept by the network', async () => {
    expect(await client.sock.fetchPrivacySettings(true)).toMatchObject({ last: 'all', groupadd: 'all' });
    await client.sock.updateLastSeenPrivacy('none');
    await client.sock.updateGroupsAddPrivacy('contacts');
    expect(await client.sock.fetchPrivacySettings(true)).toMatchObject({
      last: 'none',
      groupadd: 'contacts',
    });
    expect(network.world.privacy.lets(ada, 'last', ben)).toBe(false);
    await client.sock.updateLastSeenPrivacy('all');
  });

  it('exclude people by name, and have the values of the network alone', async () => {
    const set = (value: string, content: BinaryNode[] = []) =>
      ask('privacy', 'set', [
        {
          tag: 'privacy',
          attrs: {},
          content: [{ tag: 'category', attrs: { name: 'profile', value }, content }],
        },
      ]);
    network.world.contacts.save(handset(ada), { phone: ben, firstName: 'Ben', fullName: 'Ben' });
    const isLet = () => network.world.privacy.lets(ada, 'profile', ben);
    await set('contact_blacklist');
    expect(isLet()).toBe(true);
    await set('contact_blacklist', [{ tag: 'user', attrs: { jid: jid(ben), action: 'add' } }]);
    expect(isLet()).toBe(false);
    await expect(set('friends')).rejects.toMatchObject({ data: 400 });
    expect(isLet()).toBe(false);
    await set('all');
  });

  it('hide the About text, and read receipts', async () => {
    const { world } = network;
    world.privacy.set(handset(ben), 'status', 'none');
    const [hidden] = (await client.sock.fetchStatus(jid(ben))) ?? [];
    expect(hidden).toMatchObject({ status: { status: '' } });
    world.privacy.set(handset(ben), 'status', 'all');

    await client.sock.updateReadReceiptsPrivacy('none');
    await client.sock.fetchPrivacySettings(true);
    world.messages.send(handset(ben), { id: 'R1', to: ada, content: text('seen?') });
    const receiptTypes = () => world.messages.find(ben, 'R1')?.receipts.map(({ type }) => type);
    await vi.waitFor(() => expect(receiptTypes()).toEqual(['delivered']));
    const key = { remoteJid: jid(ben), id: 'R1', fromMe: false };
    const acked = new Promise<string | undefined>((resolve) =>
      client.sock.ws.on('CB:ack,class:receipt', ({ attrs }: BinaryNode) => {
        if (attrs.id === 'R1' && attrs.type) resolve(attrs.type);
      }),
    );
    await client.sock.readMessages([key]);
    expect(await acked).toBe('read-self');
    expect(receiptTypes()).toEqual(['delivered']);
  });
});

it('finds an account by the code of its contact link, until the code is revoked', async () => {
  const own = async (action: 'get' | 'revoke') =>
    getBinaryNodeChild(await ask('w:qr', 'set', [{ tag: 'qr', attrs: { type: 'contact', action } }]), 'qr')
      ?.attrs.code ?? '';
  const find = (code: string) => ask('w:qr', 'get', [{ tag: 'qr', attrs: { code } }]);
  const code = await own('get');
  expect(await own('get')).toBe(code);
  const { lid } = network.world.phones.get(ada);
  expect(getBinaryNodeChild(await find(code), 'qr')?.attrs).toMatchObject({
    type: 'contact',
    jid: `${lid}@lid`,
  });
  expect(await own('revoke')).not.toBe(code);
  await expect(find(code)).rejects.toMatchObject({ data: 404 });
});

it('answers what clients ask about bots, push messages and terms', async () => {
  const bots = await ask('bot', 'get', [{ tag: 'bot', attrs: { v: '2' } }]);
  expect(getBinaryNodeChild(getBinaryNodeChild(bots, 'bot'), 'section')?.attrs).toEqual({ type: 'all' });
  expect((await ask('urn:xmpp:whatsapp:push', 'set', [{ tag: 'config', attrs: {} }])).attrs.type).toBe(
    'result',
  );
  const terms = await ask('tos', 'get', [
    { tag: 'request', attrs: {}, content: [{ tag: 'notice', attrs: { id: '20230901' } }] },
  ]);
  const notices = getBinaryNodeChildren(getBinaryNodeChild(terms, 'tos'), 'notice');
  expect(notices.map(({ attrs }) => attrs)).toEqual([{ id: '20230901', state: 'true' }]);
});

it('sends a picture only to a client that has another one', async () => {
  const { id } = { id: network.world.photos.set(handset(ben), ben, new Uint8Array([1, 2, 3])) ?? '' };
  const get = async (known: string) =>
    getBinaryNodeChild(
      await client.sock.query({
        tag: 'iq',
        attrs: { to: 's.whatsapp.net', target: jid(ben), xmlns: 'w:profile:picture', type: 'get' },
        content: [{ tag: 'picture', attrs: { type: 'image', query: 'url', id: known } }],
      }),
      'picture',
    );
  expect((await get('1'))?.attrs.id).toBe(id);
  expect(await get(id)).toBeUndefined();
});
