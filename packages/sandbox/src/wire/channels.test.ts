import { type BinaryNode, getBinaryNodeChild } from 'baileys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, ben, handset } from '../world/fixture.ts';
import { type Client, event, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const ackOf = (id: string) =>
  new Promise<BinaryNode>((resolve) =>
    client.sock.ws.on('CB:ack', (node: BinaryNode) => node.attrs.id === id && resolve(node)),
  );

it('creates a channel and posts to it; the ack has the server id', async () => {
  const made = await client.sock.newsletterCreate('News', 'What happens');
  expect(made).toMatchObject({ name: 'News', description: 'What happens', subscribers: 1 });
  const acked = ackOf('C1');
  await client.sock.sendMessage(made.id, { text: 'first' }, { messageId: 'C1' });
  const { server_id } = (await acked).attrs;
  const [posted] = network.world.channels.messages(made.id, 10);
  expect(server_id).toBe(String(posted?.serverId));
  expect(posted).toMatchObject({ id: 'C1', content: { type: 'text', text: 'first' } });
});

it('refuses a file on the servers of chats', async () => {
  const made = await client.sock.newsletterCreate('Pictures');
  const acked = ackOf('C2');
  const document = Buffer.from('a paper');
  await client.sock.sendMessage(
    made.id,
    { document, mimetype: 'text/plain', fileName: 'a.txt' },
    { messageId: 'C2' },
  );
  expect((await acked).attrs.error).toBe('479');
  expect(network.world.channels.messages(made.id, 10)).toEqual([]);
});

it('follows by invite, receives new messages, reacts, mutes and unfollows', async () => {
  const channel = network.world.channels.create(handset(ben), { name: 'Weather', description: '' });
  const found = await client.sock.newsletterMetadata('invite', channel.inviteCode);
  expect(found).toMatchObject({ id: channel.jid, viewer_metadata: { role: 'GUEST' } });
  await client.sock.newsletterFollow(channel.jid);
  const arrived = event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === 'C3');
  const { serverId } = network.world.channels.send(handset(ben), channel.jid, {
    id: 'C3',
    content: { type: 'text', text: 'rain' },
  });
  const [message] = (await arrived).messages;
  expect(message).toMatchObject({
    key: { remoteJid: channel.jid, server_id: String(serverId) },
    message: { conversation: 'rain' },
  });
  await client.sock.newsletterReactMessage(channel.jid, String(serverId), '☔');
  expect(network.world.channels.messages(channel.jid, 1)[0]?.reactions).toEqual({ '☔': 1 });
  await client.sock.newsletterReactMessage(channel.jid, String(serverId));
  expect(network.world.channels.messages(channel.jid, 1)[0]?.reactions).toEqual({});
  await client.sock.newsletterMute(channel.jid);
  expect(network.world.channels.followed(ada, channel.jid)?.muted).toBe(true);
  await client.sock.newsletterUnfollow(channel.jid);
  expect(network.world.channels.followed(ada, channel.jid)).toBeUndefined();
});

it('lists the followed channels of a client', async () => {
  const answer = await client.sock.query({
    tag: 'iq',
    attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:mex' },
    content: [
      {
        tag: 'query',
        attrs: { query_id: '6388546374527196' },
        content: Buffer.from(JSON.stringify({ variables: {} })),
      },
    ],
  });
  const { data } = JSON.parse(String(getBinaryNodeChild(answer, 'result')?.content));
  expect(data.xwa2_newsletter_subscribed.map((each: { id: string }) => each.id)).toEqual(
    network.world.channels.followedBy(ada).map(({ jid }) => jid),
  );
});

it('refuses with an error code', async () => {
  const channel = network.world.channels.create(handset(ben), { name: 'Closed', description: '' });
  await client.sock.newsletterFollow(channel.jid);
  const acked = ackOf('C4');
  await client.sock.sendMessage(channel.jid, { text: 'not mine' }, { messageId: 'C4' });
  expect((await acked).attrs.error).toBe('403');
  await expect(client.sock.newsletterFollow('1@newsletter')).rejects.toMatchObject({
    output: { statusCode: 404 },
  });
});

describe('a client of another family, which uses other channel queries', () => {
  const ask = async (query_id: string, variables: object) => {
    const answer = await client.sock.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:mex' },
      content: [{ tag: 'query', attrs: { query_id }, content: Buffer.from(JSON.stringify({ variables })) }],
    });
    const result = getBinaryNodeChild(answer, 'result')?.content;
    const { data, errors } = JSON.parse(Buffer.from(result as Uint8Array).toString());
    expect(errors).toBeUndefined();
    return data;
  };

  it('creates one', async () => {
    const { xwa2_newsletter_create: made } = await ask('6234210096708695', {
      newsletter_input: { name: 'Tides', description: 'High and low' },
    });
    expect(made).toMatchObject({
      thread_metadata: { name: { text: 'Tides' } },
      viewer_metadata: { role: 'OWNER' },
    });
    expect(network.world.channels.get(made.id)).toMatchObject({ description: 'High and low' });
  });

  it('follows, mutes and leaves one, and reads its messages', async () => {
    const { jid } = network.world.channels.create(handset(ben), { name: 'Ferries', description: '' });
    network.world.channels.send(handset(ben), jid, { id: 'F1', content: { type: 'text', text: 'late' } });
    const followed = () => network.world.channels.followed(ada, jid);
    await ask('9926858900719341', { newsletter_id: jid });
    expect(followed()).toMatchObject({ muted: false });
    await ask('6274038279359549', { newsletter_id: jid });
    expect(followed()).toMatchObject({ muted: true });
    await ask('6068417879924485', { newsletter_id: jid });
    expect(followed()).toMatchObject({ muted: false });
    const read = await client.sock.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'newsletter' },
      content: [{ tag: 'messages', attrs: { type: 'jid', jid, count: '5' } }],
    });
    expect(getBinaryNodeChild(read, 'messages')?.content).toMatchObject([{ attrs: { id: 'F1' } }]);
    await ask('6392786840836363', { newsletter_id: jid });
    expect(followed()).toBeUndefined();
  });
});
