import { createHash } from 'node:crypto';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset } from '../world/fixture.ts';
import { type Client, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const ask = (attrs: Record<string, string>, ...content: BinaryNode[]) =>
  client.sock.query({ tag: 'iq', attrs: { to: '@s.whatsapp.net', ...attrs }, content });

describe('the media server', () => {
  it('announces the lifetime of its address, and the number of buckets for files', async () => {
    const answer = await ask({ type: 'set', xmlns: 'w:m' }, { tag: 'media_conn', attrs: {} });
    expect(getBinaryNodeChild(answer, 'media_conn')?.attrs).toMatchObject({
      ttl: '3600',
      auth_ttl: '21600',
      max_buckets: '12',
    });
  });

  it.each(['', '=', '%3D'])(
    'takes a hash that ends with %j, and answers a path with a query',
    async (padding) => {
      const body = Buffer.from(`a file ${padding}`);
      const hash = createHash('sha256').update(body).digest('base64url');
      const answered = await ask({ type: 'set', xmlns: 'w:m' }, { tag: 'media_conn', attrs: {} });
      const auth = getBinaryNodeChild(answered, 'media_conn')?.attrs.auth ?? '';
      const address = `https://${network.wire.mediaHost}/mms/image/${hash}${padding}?auth=${auth}&token=${hash}`;
      const answer = await fetch(address, { method: 'POST', body });
      const { direct_path: path } = (await answer.json()) as { direct_path: string };
      expect(path).toMatch(/^\/mms\/image\/[\w-]{43}\?\w/);
      // additions of a client to the query do not matter
      const file = await fetch(`https://${network.wire.mediaHost}${path}&hash=x&mms-type=image`);
      expect(await file.text()).toBe(body.toString());
    },
  );
});

describe('the directory', () => {
  it.each([`+${ben}@c.us`, `${ben}@c.us`])('finds a number requested as %s', async (jid) => {
    const answer = await ask(
      { type: 'get', xmlns: 'usync' },
      {
        tag: 'usync',
        attrs: { sid: '1', mode: 'query', last: 'true', index: '0', context: 'interactive' },
        content: [
          { tag: 'query', attrs: {}, content: [{ tag: 'contact', attrs: {} }] },
          { tag: 'list', attrs: {}, content: [{ tag: 'user', attrs: { jid } }] },
        ],
      },
    );
    const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
    const [user] = getBinaryNodeChildren(list, 'user');
    expect(user?.attrs.jid).toBe(`${ben}@s.whatsapp.net`);
    expect(getBinaryNodeChild(user, 'contact')?.attrs.type).toBe('in');
  });
});

describe('stored queries', () => {
  const mex = async (query_id: string, variables: object) => {
    const content = Buffer.from(JSON.stringify({ variables }));
    const answer = await ask({ type: 'get', xmlns: 'w:mex' }, { tag: 'query', attrs: { query_id }, content });
    return JSON.parse(String(getBinaryNodeChild(answer, 'result')?.content));
  };

  it('are served under the ids that other contentCodecs of clients use', async () => {
    const made = await mex('27527996220149684', { input: { name: 'Harbour', description: '' } });
    const { id } = made.data.xwa2_newsletter_create;
    const seen = await mex('9779843322044422', { input: { key: id, type: 'JID' } });
    expect(seen.data.xwa2_newsletter.thread_metadata.name.text).toBe('Harbour');
    expect((await mex('5971669009605755', { newsletter_id: id })).data.xwa2_newsletter_mute_v2).toEqual({
      id,
    });
    expect(network.world.channels.followed(ada, id)?.muted).toBe(true);
    expect((await mex('6104029483058502', { newsletter_id: id })).data.xwa2_newsletter_unmute_v2).toEqual({
      id,
    });
  });

  it('change the own About text', async () => {
    await mex('9152604461510864', { input: { text: 'At sea', ephemeral_duration_sec: 0 } });
    expect(network.world.phones.get(ada).about).toBe('At sea');
  });
});

describe('a group', () => {
  it('reports the time of its description', async () => {
    const { group } = network.world.groups.create(handset(ada), { name: 'Tea', participants: [ben] });
    await client.sock.groupUpdateDescription(group.jid, 'At five');
    const answer = await ask(
      { type: 'get', xmlns: 'w:g2', to: group.jid },
      { tag: 'query', attrs: { request: 'interactive' } },
    );
    const description = getBinaryNodeChild(getBinaryNodeChild(answer, 'group'), 'description');
    expect(description?.attrs.t).toBe(String(Math.floor(network.world.clock.now() / 1000)));
  });

  it('reports whether its admins approve joins, and whether every member may add people', async () => {
    const { group } = network.world.groups.create(handset(ada), { name: 'Walks', participants: [ben] });
    const joinerOf = (actor: string) =>
      network.world.groups.participants(handset(actor), group.jid, 'add', [cleo]);
    expect(() => joinerOf(ben)).toThrow(/admin/);
    await client.sock.groupMemberAddMode(group.jid, 'all_member_add');
    await client.sock.groupJoinApprovalMode(group.jid, 'on');
    expect(await client.sock.groupMetadata(group.jid)).toMatchObject({
      memberAddMode: true,
      joinApprovalMode: true,
    });
    expect(joinerOf(ben)).toMatchObject([{ outcome: 'ok' }]);
    await client.sock.groupMemberAddMode(group.jid, 'admin_add');
    await client.sock.groupJoinApprovalMode(group.jid, 'off');
    const plain = await client.sock.groupMetadata(group.jid);
    expect([plain.memberAddMode, plain.joinApprovalMode]).toEqual([false, false]);
  });

  it('notifies its other members of such a change', async () => {
    const { group } = network.world.groups.create(handset(ben), { name: 'Rows', participants: [ada] });
    const notification = new Promise<BinaryNode>((resolve) =>
      client.sock.ws.on('CB:notification,type:w:gp2', (stanza: BinaryNode) => {
        if (getBinaryNodeChild(stanza, 'membership_approval_mode')) resolve(stanza);
      }),
    );
    network.world.groups.setJoinApproval(handset(ben), group.jid, true);
    const change = getBinaryNodeChild(await notification, 'membership_approval_mode');
    expect(getBinaryNodeChild(change, 'group_join')?.attrs).toEqual({ state: 'on' });
    await vi.waitFor(() => expect(network.world.groups.get(handset(ben), group.jid).joinApproval).toBe(true));
  });
});
