import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { optionHash, userJid } from '@parley/sandbox/world';
import { Curve } from 'baileys';
import { describe, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { ADA, connected, link, ME, open, pair, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

describe('a server that is not the network', () => {
  test('is refused when another root signed its certificates', async () => {
    const harness = await setUp({ endpoint: { rootPublicKey: Curve.generateKeyPair().public } });
    const progress = pair(harness);
    await vi.waitFor(() => expect(progress).toHaveLength(1), WAIT);
    expect(progress).toEqual([
      { kind: 'failed', reason: 'The server could not prove that it is the network.' },
    ]);
  });

  test('cannot break the driver with invalid bytes', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => {
      socket.on('message', () => {
        socket.send(randomBytes(200));
        socket.send(Buffer.from([0, 0, 40, ...randomBytes(40)]));
        socket.close();
      });
      socket.on('error', () => {});
    });
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const harness = await setUp({ endpoint: { url: `ws://127.0.0.1:${port}/ws/chat` } });
    const progress = pair(harness);
    await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('failed'), WAIT);
    server.close();
  });
});

describe('one owner at a time', () => {
  test('ends a session whose fence was overtaken as replaced; it acknowledges nothing', async () => {
    const harness = await setUp();
    await link(harness);
    const old = await connected(harness, 1);
    await harness.store.transaction((trx) => trx.updateTable('network_links').set({ fence: 2 }).execute());

    harness.world.messages.send(
      { phone: ADA, device: 0 },
      { id: 'FENCED', to: userJid(ME), content: { type: 'text', text: 'for the new owner' } },
    );

    await vi.waitFor(
      () => expect(old.session.state).toMatchObject({ kind: 'ended', cause: 'replaced' }),
      WAIT,
    );
    expect(old.events).toEqual([]);
    await old.session.close();
    const next = open(harness, 3);
    await vi.waitFor(() => expect(next.events).toMatchObject([{ messageId: 'FENCED' }]), WAIT);
    await next.session.close();
  });
});

describe('a message that was sent', () => {
  test('is the same message when it is sent again after a restart: its poll still counts', async () => {
    const harness = await setUp();
    await link(harness);
    const first = await connected(harness, 1);
    const poll = {
      messageId: '3EB0AAAA',
      to: userJid(ADA),
      content: { kind: 'poll', name: 'Lunch?', options: ['a', 'b'], selectableCount: 1 },
    } as const;
    await first.session.send(poll);

    await harness.crash();
    const again = await connected(harness, 2);
    await again.session.send(poll);
    // The phone holds the first copy; with another secret in the second, this vote would not open here.
    harness.world.messages.send(
      { phone: ADA, device: 0 },
      {
        id: 'VOTE',
        to: userJid(ME),
        content: { type: 'poll_vote', target: '3EB0AAAA', hashes: [optionHash('b')] },
      },
    );

    const votes = () => again.events.filter(({ kind }) => kind === 'poll_vote');
    await vi.waitFor(() => expect(votes()).toMatchObject([{ selectedHashes: [optionHash('b')] }]), WAIT);
    await again.session.close();
  });
});
