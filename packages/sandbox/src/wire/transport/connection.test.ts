import { Curve } from 'baileys';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSteppedClock } from '../../world/fixture.ts';
import { silentLog } from '../ports.ts';
import type { Connection } from './connection.ts';
import { connectRaw } from './fixture.ts';
import { type Node, node } from './nodes.ts';
import { startChatServer } from './server.ts';

let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

/** A connected client and a recorder of its stanzas, which passes them on to `take`. */
async function connectClient(take: (stanza: Node, connection: Connection) => void | Promise<void>) {
  const received: string[] = [];
  const clock = createSteppedClock();
  const server = await startChatServer({
    host: '127.0.0.1',
    port: 0,
    identity: { root: Curve.generateKeyPair(), staticKey: Curve.generateKeyPair() },
    clock,
    log: silentLog,
    serve: (_request, response) => response.end(),
    handleLogin: (connection) => ({
      async receive(stanza) {
        await take(stanza, connection);
        received.push(stanza.attrs.id ?? '');
      },
      ended: () => received.push('end'),
    }),
  });
  opened.defer(() => server.stop());
  const client = connectRaw(server.url);
  opened.defer(() => client.hangUp());
  return { client, received, clock };
}

const [one, two, three] = ['one', 'two', 'three'].map((id) => node('presence', { id })) as [Node, Node, Node];
const finalStanza = node('stream:error', { code: 515 });
const isFinalStanza = ({ tag }: Node): boolean => tag === 'stream:error';

it('handles all stanzas of a client that has hung up meanwhile', async () => {
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { client, received } = await connectClient(async () => {
    begun.resolve();
    await slow.promise;
  });
  client.say(one, two, three);
  await begun.promise;
  client.hangUp();
  await client.gone;
  expect(received).toEqual([]);
  slow.resolve();
  await vi.waitFor(() => expect(received).toEqual(['one', 'two', 'three', 'end']));
});

it('answers in a later turn than that of the stanza, one stanza after the other', async () => {
  const order: string[] = [];
  const { client } = await connectClient(({ attrs: { id = '' } }, connection) => {
    order.push(id);
    setImmediate(() => order.push(`after ${id}`));
    connection.send(node('ack', { id }));
  });
  client.say(one, two);
  await client.receives(({ attrs }) => attrs.id === 'two');
  expect(order.slice(0, 3)).toEqual(['one', 'after one', 'two']);
});

describe('a client whose connection is being closed', () => {
  it('gets answers to its earlier stanzas, then the final stanza', async () => {
    const { client, received } = await connectClient(({ attrs: { id } }, connection) => {
      if (id === 'one') connection.close(finalStanza);
      connection.send(node('ack', { id }));
    });
    client.say(one, two, three);
    await client.receives(isFinalStanza);
    expect(client.received.map(({ tag, attrs }) => attrs.id ?? tag)).toEqual([
      'one',
      'two',
      'three',
      'stream:error',
      'xmlstreamend',
    ]);
    expect(received).toEqual(['one', 'two', 'three', 'end']);
  });

  it('gets the final stanza although one of its own was invalid', async () => {
    const { client } = await connectClient(({ attrs: { id } }, connection) => {
      if (id === 'two') throw new Error('not understood');
      connection.close(finalStanza);
    });
    client.say(one, two);
    await client.receives(isFinalStanza);
    await client.gone;
    expect(client.received.map(({ tag }) => tag)).toEqual(['stream:error', 'xmlstreamend']);
  });

  it('is gone at once after the final stanza and the end of the stream', async () => {
    const { client } = await connectClient((_stanza, connection) => connection.close(finalStanza));
    client.say(one);
    await client.receives(isFinalStanza);
    await expect(client.gone).resolves.toBeUndefined();
  });

  it('gets everything that was written, however much, when there is no final stanza', async () => {
    const much = node('iq', { id: 'much' }, Buffer.alloc(300_000, 7));
    const { client } = await connectClient((_stanza, connection) => {
      for (let copy = 0; copy < 4; copy += 1) connection.send(much);
      connection.close();
    });
    client.say(one);
    await client.gone;
    await vi.waitFor(() => expect(client.received).toHaveLength(4));
  });

  it('is not served any more', async () => {
    const { client, received } = await connectClient((_stanza, connection) => connection.close(finalStanza));
    client.say(one);
    await client.receives(isFinalStanza);
    client.say(two);
    client.hangUp();
    await client.gone;
    await vi.waitFor(() => expect(received).toEqual(['one', 'end']));
  });
});
