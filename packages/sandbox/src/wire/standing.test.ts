import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChild } from 'baileys';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import { type Client, event, seen, sendFrom, stanza, startTestNetwork, type TestNetwork } from './fixture.ts';

const HOUR_S = 3_600;
const cleoJid = `${cleo}@s.whatsapp.net`;

let network: TestNetwork;
let client: Client;
beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const ack = (id: string): Promise<BinaryNode> =>
  stanza(client, 'ack,class:message', ({ attrs }) => attrs.id === id);

/** The JSON inside. */
const wordsOf = (node: BinaryNode): string =>
  Buffer.from((getAllBinaryNodeChildren(node)[0]?.content as Uint8Array) ?? []).toString();

async function answerTo(id: string, to: string): Promise<string | undefined> {
  const answer = ack(id);
  await client.sock.sendMessage(to, { text: id }, { messageId: id });
  return (await answer).attrs.error;
}

describe('a restriction', () => {
  const endsAt = (): number => Math.floor(network.world.clock.now() / 1_000) + HOUR_S;
  beforeEach(() => network.world.standing.restrict(ada, { type: 'BIZ_QUALITY', seconds: 0 }));

  it('is pushed to a client, and answered when queried', async () => {
    const notification = event(
      client.sock,
      'connection.update',
      ({ reachoutTimeLock }) => !!reachoutTimeLock?.isActive,
    );
    network.world.standing.restrict(ada, { type: 'BIZ_QUALITY', seconds: HOUR_S });
    const lock = {
      isActive: true,
      enforcementType: 'BIZ_QUALITY',
      timeEnforcementEnds: new Date(endsAt() * 1_000),
    };
    expect((await notification).reachoutTimeLock).toEqual(lock);
    expect(await client.sock.fetchAccountReachoutTimelock()).toEqual(lock);
    const lifted = event(client.sock, 'connection.update', ({ reachoutTimeLock }) => !!reachoutTimeLock);
    network.world.standing.restrict(ada, { type: 'BIZ_QUALITY', seconds: 0 });
    expect((await lifted).reachoutTimeLock).toMatchObject({ isActive: false });
  });

  it('refuses a message that starts a chat with 463, and nothing else', async () => {
    network.world.messages.send(handset(ben), { id: 'FROM-BEN', to: ada, content: text('hello') });
    network.world.standing.restrict(ada, { type: 'RESTRICT_ALL_COMPANIONS', seconds: HOUR_S });
    expect(await answerTo('TO-CLEO', cleoJid)).toBe('463');
    expect(network.world.messages.find(cleo, 'TO-CLEO')).toBeUndefined();
    expect(await answerTo('TO-BEN', `${ben}@s.whatsapp.net`)).toBeUndefined();
  });

  it('of a type that the library does not have is on the wire unchanged', async () => {
    const notification = stanza(client, 'notification,type:mex', (node) =>
      wordsOf(node).includes('COMPANIONS'),
    );
    network.world.standing.restrict(ada, { type: 'RESTRICT_ALL_COMPANIONS', seconds: HOUR_S });
    expect(getBinaryNodeChild(await notification, 'update')?.attrs).toEqual({
      op_name: 'NotificationUserReachoutTimelockUpdate',
    });
    expect(JSON.parse(wordsOf(await notification))).toEqual({
      data: {
        xwa2_notify_account_reachout_timelock: {
          is_active: true,
          enforcement_type: 'RESTRICT_ALL_COMPANIONS',
          time_enforcement_ends: String(endsAt()),
        },
      },
    });
  });
});

describe('a cap', () => {
  const capByWord = async (type: string, query_id = '27910975521856601'): Promise<unknown> => {
    const query = {
      tag: 'query',
      attrs: { query_id },
      content: Buffer.from(JSON.stringify({ variables: { input: { type } } })),
    };
    const answer = await client.sock.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:mex' },
      content: [query],
    });
    return JSON.parse(wordsOf(answer));
  };

  it('is pushed, and answered by each query under its own name for it', async () => {
    const notification = event(client.sock, 'message-capping.update');
    network.world.standing.cap(ada, { quota: 50, used: 45, cycleSeconds: HOUR_S });
    const now = Math.floor(network.world.clock.now() / 1_000);
    const cap = {
      total_quota: 50,
      used_quota: 45,
      cycle_start_timestamp: String(now),
      cycle_end_timestamp: String(now + HOUR_S),
      server_sent_timestamp: String(now),
      ote_status: 'NOT_ELIGIBLE',
      mv_status: 'NOT_ELIGIBLE',
      capping_status: 'SECOND_WARNING',
    };
    expect(await notification).toEqual(cap);
    const data = { xwa2_message_capping_info: cap };
    expect(await capByWord('INDIVIDUAL_NEW_CHAT_MSG', '24503548349331633')).toEqual({ data });
    expect(await capByWord('INDIVIDUAL_NEW_CHAT_THREAD')).toEqual({ data });
    for (const other of ['INDIVIDUAL_NEW_CHAT_MSG', 'SOMETHING_ELSE'])
      expect(await capByWord(other)).toMatchObject({ errors: [{ extensions: { error_code: 400 } }] });
  });
});

describe('a broken link', () => {
  it('refuses queries of one kind with 429', async () => {
    network.world.standing.limit(ada, 'groups', 60);
    await expect(client.sock.groupFetchAllParticipating()).rejects.toMatchObject({ data: 429 });
    await client.sock.fetchBlocklist();
    network.world.standing.limit(ada, 'groups', 0);
    await client.sock.groupFetchAllParticipating();
  });

  it('carries an undecryptable message, which is requested again and then decrypts', async () => {
    network.world.faults.arm(client.sessionId, { kind: 'undecryptable', count: 1, ms: 0 });
    const read = event(
      client.sock,
      'messages.upsert',
      ({ messages: [message] }) => message?.key.id === 'DAMAGED' && !!message.message,
    );
    const copies: BinaryNode[] = [];
    client.sock.ws.on('CB:message', (copy: BinaryNode) => copies.push(copy));
    network.world.messages.send(handset(ben), { id: 'DAMAGED', to: ada, content: text('damaged') });
    await read;
    expect(copies.map(({ attrs }) => attrs.id)).toEqual(['DAMAGED', 'DAMAGED']);
  });

  it('delays every answer for a time', async () => {
    network.world.faults.arm(client.sessionId, { kind: 'slow_link', count: 1, ms: 5_000, lastsMs: 60_000 });
    const order: string[] = [];
    const answers = [client.sock.refreshMediaConn(true), client.sock.fetchBlocklist()].map((answer) =>
      answer.then(() => order.push('an answer')),
    );
    const id = await sendFrom(client, `${ben}@s.whatsapp.net`, { text: 'late' });
    const acked = ack(id).then(() => order.push('the ack'));
    await seen(network, ben, id);
    order.push('five seconds');
    network.world.clock.advance(5_000);
    await Promise.all([...answers, acked]);
    expect(order[0]).toBe('five seconds');
    expect(order).toHaveLength(4);
    network.world.clock.advance(60_000);
    await client.sock.refreshMediaConn(true);
  });

  it('loses all traffic by a fault, and the next connection gets what was sent', async () => {
    network.world.faults.arm(client.sessionId, { kind: 'deaf', count: 2, ms: 0 });
    const received = vi.fn();
    client.sock.ws.on('frame', received);
    network.world.messages.send(handset(ben), { id: 'MISSED', to: ada, content: text('missed') });
    await client.sock.sendMessage(`${ben}@s.whatsapp.net`, { text: 'lost' }, { messageId: 'LOST' });
    const broken = await network.reconnect(client);
    const farewell = ['stream:error', 'xmlstreamend'];
    expect(received.mock.calls.filter(([{ tag }]) => !farewell.includes(tag))).toEqual([]);
    expect(network.world.messages.find(ben, 'LOST')).toBeUndefined();
    const next = network.connect(broken.auth);
    const { messages } = await event(
      next,
      'messages.upsert',
      ({ messages: [one] }) => one?.key.id === 'MISSED',
    );
    expect(messages).toHaveLength(1);
  });
});
