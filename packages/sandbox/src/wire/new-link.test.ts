import {
  type BinaryNode,
  decodePatches,
  decodeSyncdSnapshot,
  extractSyncdPatches,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  newLTHashState,
  proto,
  type WAPatchName,
  type WASocket,
} from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import { enlarge } from '../world/fixture-large.ts';
import { type Client, event, memoryAuth, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.stop());

const received = (sock: WASocket, what: string): Promise<BinaryNode> =>
  new Promise((resolve) => sock.ws.once(`CB:${what}`, resolve));

/** Links a client and returns the stanzas that it gets, from its first login on. */
async function linkListening(phone: string, ...what: string[]) {
  const auth = memoryAuth();
  const waiting = network.connect(auth);
  const { qr = '' } = await event(waiting, 'connection.update', (update) => update.qr !== undefined);
  const gone = event(waiting, 'connection.update', ({ connection }) => connection === 'close');
  const { sessionId } = await network.wire.pairing.scan(phone, qr);
  await gone;
  const sock = network.connect(auth);
  return {
    client: { sock, auth, sessionId } satisfies Client,
    stanzas: what.map((one) => received(sock, one)),
  };
}

const child = (parent: BinaryNode | undefined, ...path: string[]): BinaryNode | undefined =>
  path.reduce<BinaryNode | undefined>((at, tag) => getBinaryNodeChild(at, tag), parent);

/** The answer for a collection to a client that has it up to `version`. */
async function sync({ sock, auth }: Client, name: WAPatchName, version: number, snapshot: boolean) {
  const answer = await sock.query({
    tag: 'iq',
    attrs: { to: '@s.whatsapp.net', type: 'set', xmlns: 'w:sync:app:state' },
    content: [
      {
        tag: 'sync',
        attrs: {},
        content: [
          { tag: 'collection', attrs: { name, version: `${version}`, return_snapshot: `${snapshot}` } },
        ],
      },
    ],
  });
  const collection = child(answer, 'sync', 'collection');
  const key = async (id: string) => (await auth.keys.get('app-state-sync-key', [id]))[id];
  return { answer, collection, key, options: { dispatcher: network.media.dispatcher } };
}

describe('a newly linked client', () => {
  it('gets its edge routing, the mark of a changed account, and its own push name', async () => {
    const { client, stanzas } = await linkListening(ada, 'ib,,edge_routing', 'ib,,dirty');
    const [routing, dirty] = await Promise.all(stanzas);
    expect(child(routing, 'edge_routing', 'routing_info')?.content).toHaveLength(8);
    expect(child(dirty, 'dirty')?.attrs).toEqual({ type: 'account_sync', timestamp: expect.any(String) });
    await vi.waitFor(() => expect(client.auth.creds.me?.name).toBe('Ada'));

    expect(client.auth.creds.routingInfo).toHaveLength(8);
    const again = network.connect(client.auth);
    const notification = received(again, 'ib,,dirty');
    await event(again, 'connection.update', ({ connection }) => connection === 'open');
    await notification;
    // the client has confirmed its synchronization
    await vi.waitFor(() => expect(network.world.vault.read('dirty', client.sessionId)).toBeUndefined());
  });

  it('gets its history from the media server, with the latest messages and the salt of first contacts', async () => {
    const before = { id: 'BEFORE-THE-LINK', to: cleo, content: text('from before') };
    network.world.messages.send(handset(ben), before);
    for (let n = 0; n < 120; n += 1) {
      const [phone, name] = [`1556000${1000 + n}`, `Person ${n}`];
      network.world.contacts.save(handset(cleo), { phone, firstName: name, fullName: `${name} Else` });
    }
    const downloads = vi.spyOn(network.media, 'onDownload');
    const { client } = await linkListening(cleo);
    const { messages, contacts } = await event(
      client.sock,
      'messaging-history.set',
      (set) => set.messages.length > 0,
    );
    expect(messages).toMatchObject([
      {
        key: { id: before.id, remoteJid: `${ben}@s.whatsapp.net`, fromMe: false },
        message: { conversation: 'from before' },
      },
    ]);
    expect(contacts.filter(({ name }) => name?.endsWith('Else'))).toHaveLength(120);
    await event(client.sock, 'messaging-history.set', (set) =>
      set.contacts.some(({ notify }) => notify === 'Cleo'),
    );
    const paths = () => downloads.mock.calls.map(([path]) => path);
    // Clients of earlier tests may still be downloading theirs.
    const pieces = paths().filter((path) => /^\/mms\/md-msg-hist\/[\w-]{43}\?/.test(path));
    expect(new Set(pieces).size).toBeGreaterThanOrEqual(2);
    await vi.waitFor(() => expect(paths()).toContainEqual(expect.stringMatching(/^\/mms\/md-app-state\//)));
  });
});

describe('app state', () => {
  let client: Client;
  beforeAll(async () => {
    enlarge(network.world, ben, { contacts: 300, groups: 3, historyBytes: 10_000 });
    client = await network.link(ben);
    await vi.waitFor(() => expect(client.auth.creds.myAppStateKeyId).toBeDefined());
  });

  it('comes as a snapshot on the media server for a client without a version', async () => {
    const { answer, collection, key, options } = await sync(client, 'critical_unblock_low', 0, true);
    expect(collection?.attrs).toEqual({ name: 'critical_unblock_low', version: '1' });
    const { snapshot } = (await extractSyncdPatches(answer, options)).critical_unblock_low;
    const { state, mutationMap } = await decodeSyncdSnapshot(
      'critical_unblock_low',
      snapshot ?? proto.SyncdSnapshot.create(),
      key,
      undefined,
      true,
    );
    expect(state.version).toBe(1);
    expect(Object.keys(mutationMap)).toHaveLength(300);
  });

  it('comes as patches for others, with large mutations on the media server', async () => {
    const { answer, collection, key, options } = await sync(client, 'critical_unblock_low', 0, false);
    const [patch] = getBinaryNodeChildren(child(collection, 'patches'), 'patch');
    expect(patch?.content?.length).toBeLessThan(1_000);
    const { patches } = (await extractSyncdPatches(answer, options)).critical_unblock_low;
    expect(patches[0]?.externalMutations?.directPath).toMatch(/^\/mms\/md-app-state\/[\w-]{43}\?/);
    const decoded = await decodePatches(
      'critical_unblock_low',
      patches,
      newLTHashState(),
      key,
      options,
      undefined,
      undefined,
      true,
    );
    expect(Object.keys(decoded.mutationMap)).toHaveLength(300);
  });

  it('comes in pages when there are many patches', async () => {
    for (let n = 0; n < 60; n += 1) {
      const phone = `1557000${1000 + n}`;
      network.world.contacts.save(handset(ben), { phone, firstName: 'One', fullName: 'One More' });
    }
    await vi.waitFor(async () => {
      const { collection } = await sync(client, 'critical_unblock_low', 60, false);
      expect(collection?.attrs.version).toBe('61');
    }, 30_000);
    const first = await sync(client, 'critical_unblock_low', 1, false);
    expect(first.collection?.attrs).toMatchObject({ version: '51', has_more_patches: 'true' });
    const second = await sync(client, 'critical_unblock_low', 51, false);
    expect(second.collection?.attrs).toEqual({ name: 'critical_unblock_low', version: '61' });
  });

  it('has the salt of first contacts, which the library cannot decode yet', async () => {
    const { answer, key, options } = await sync(client, 'regular_high', 0, true);
    const { snapshot } = (await extractSyncdPatches(answer, options)).regular_high;
    const opened = await decodeSyncdSnapshot(
      'regular_high',
      snapshot ?? proto.SyncdSnapshot.create(),
      key,
      undefined,
      true,
    );
    expect(Object.keys(opened.mutationMap)).toEqual(['["nct_salt_sync"]']);
  });
});

it('a client that reconnects first gets the number of its waiting items', async () => {
  const client = await network.link(ada);
  await client.sock.end(undefined);
  await vi.waitFor(() => expect(network.world.devices.get(client.sessionId)?.attached).toBe(false));
  for (const id of ['one', 'two'])
    network.world.messages.send(handset(ben), { id: `WAITS-${id}`, to: ada, content: text(id) });
  const sock = network.connect(client.auth);
  const preview = child(await received(sock, 'ib,,offline_preview'), 'offline_preview');
  expect(preview?.attrs).toMatchObject({ message: '2', receipt: '0', appdata: '0' });
});
