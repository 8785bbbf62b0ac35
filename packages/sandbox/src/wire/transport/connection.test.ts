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

/** A client on the line with somebody who writes down what is heard, after doing with it what he is told to. */
async function conversation(take: (stanza: Node, connection: Connection) => void | Promise<void>) {
  const heard: string[] = [];
  const clock = createSteppedClock();
  const server = await startChatServer({
    host: '127.0.0.1',
    port: 0,
    identity: { root: Curve.generateKeyPair(), staticKey: Curve.generateKeyPair() },
    clock,
    log: silentLog,
    serve: (_request, response) => response.end(),
    greet: (connection) => ({
      async receive(stanza) {
        await take(stanza, connection);
        heard.push(stanza.attrs.id ?? '');
      },
      ended: () => heard.push('end'),
    }),
  });
  opened.defer(() => server.stop());
  const client = connectRaw(server.url);
  opened.defer(() => client.hangUp());
  return { client, heard, clock };
}

const [one, two, three] = ['one', 'two', 'three'].map((id) => node('presence', { id })) as [Node, Node, Node];
const lastWord = node('stream:error', { code: 515 });
const saysLast = ({ tag }: Node): boolean => tag === 'stream:error';

it('hears a client out that has hung up meanwhile', async () => {
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { client, heard } = await conversation(async () => {
    begun.resolve();
    await slow.promise;
  });
  client.say(one, two, three);
  await begun.promise;
  client.hangUp();
  await client.gone;
  expect(heard).toEqual([]);
  slow.resolve();
  await vi.waitFor(() => expect(heard).toEqual(['one', 'two', 'three', 'end']));
});

it('answers in a later turn than the one in which it was spoken to, stanza by stanza', async () => {
  const order: string[] = [];
  const { client } = await conversation(({ attrs: { id = '' } }, connection) => {
    order.push(id);
    setImmediate(() => order.push(`after ${id}`));
    connection.send(node('ack', { id }));
  });
  client.say(one, two);
  await client.hears(({ attrs }) => attrs.id === 'two');
  expect(order.slice(0, 3)).toEqual(['one', 'after one', 'two']);
});

describe('a client that is let go', () => {
  it('is heard and answered for what it had said before, then told the last word', async () => {
    const { client, heard } = await conversation(({ attrs: { id } }, connection) => {
      if (id === 'one') connection.close(lastWord);
      connection.send(node('ack', { id }));
    });
    client.say(one, two, three);
    await client.hears(saysLast);
    expect(client.heard.map(({ tag, attrs }) => attrs.id ?? tag)).toEqual([
      'one',
      'two',
      'three',
      'stream:error',
    ]);
    expect(heard).toEqual(['one', 'two', 'three', 'end']);
  });

  it('gets the last word although it said something that nobody understands', async () => {
    const { client } = await conversation(({ attrs: { id } }, connection) => {
      if (id === 'two') throw new Error('not understood');
      connection.close(lastWord);
    });
    client.say(one, two);
    await client.hears(saysLast);
    expect(client.heard.map(({ tag }) => tag)).toEqual(['stream:error']);
  });

  it('has the time to read, but not for ever', async () => {
    const { client, clock } = await conversation((_stanza, connection) => connection.close(lastWord));
    client.say(one);
    await client.hears(saysLast);
    expect(client.isOpen).toBe(true);
    clock.advance(5_000);
    await client.gone;
  });

  it('gets all that was written, however much, when there is no last word', async () => {
    const much = node('iq', { id: 'much' }, Buffer.alloc(300_000, 7));
    const { client } = await conversation((_stanza, connection) => {
      for (let copy = 0; copy < 4; copy += 1) connection.send(much);
      connection.close();
    });
    client.say(one);
    await client.gone;
    await vi.waitFor(() => expect(client.heard).toHaveLength(4));
  });

  it('is not heard any more', async () => {
    const { client, heard } = await conversation((_stanza, connection) => connection.close(lastWord));
    client.say(one);
    await client.hears(saysLast);
    client.say(two);
    client.hangUp();
    await client.gone;
    await vi.waitFor(() => expect(heard).toEqual(['one', 'end']));
  });
});
