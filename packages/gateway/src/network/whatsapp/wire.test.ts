import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { optionHash, userJid } from '@parley/sandbox/world';
import { Curve } from 'baileys';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { NetworkEvent } from '../events.ts';
import type { ConnectionState, PairingProgress } from '../port.ts';
import { startWireHarness, type WireHarness } from './test/fixture.ts';

const ME = '15550001001';
const ADA = '15550002001';
const WAIT = { timeout: 15_000, interval: 10 };

let harness: WireHarness | undefined;

afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

async function setUp(options?: Parameters<typeof startWireHarness>[0]): Promise<WireHarness> {
  harness = await startWireHarness(options);
  harness.world.phones.create(ME, { name: 'Parley' });
  harness.world.phones.create(ADA, { name: 'Ada' });
  return harness;
}

function pair({ driver }: WireHarness): PairingProgress[] {
  const progress: PairingProgress[] = [];
  driver.pair({ linkId: 'link', phone: ME, method: 'qr', onProgress: (step) => progress.push(step) });
  return progress;
}

async function link(stage: WireHarness): Promise<void> {
  const progress = pair(stage);
  const qr = await vi.waitFor(() => {
    const step = progress.at(-1);
    if (step?.kind !== 'qr') throw new Error('no QR yet');
    return step.qr;
  }, WAIT);
  await stage.wire.desk.scan(ME, qr);
  await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
}

function open({ driver }: WireHarness, fence: number) {
  const states: ConnectionState[] = [];
  const events: NetworkEvent[] = [];
  const session = driver.open({
    linkId: 'link',
    fence,
    onState: (state) => states.push(state),
    onEvents: async (taken) => void events.push(...taken),
  });
  return { session, states, events };
}

describe('a server that is not the network', () => {
  test('is refused when another root signed its certificates', async () => {
    const stage = await setUp({ endpoint: { rootPublicKey: Curve.generateKeyPair().public } });
    const progress = pair(stage);
    await vi.waitFor(() => expect(progress).toHaveLength(1), WAIT);
    expect(progress).toEqual([
      { kind: 'failed', reason: 'The server could not prove that it is the network.' },
    ]);
  });

  test('cannot break the driver with bytes that make no sense', async () => {
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
    const stage = await setUp({ endpoint: { url: `ws://127.0.0.1:${port}/ws/chat` } });
    const progress = pair(stage);
    await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('failed'), WAIT);
    server.close();
  });
});

describe('one owner at a time', () => {
  test('a session whose fence was overtaken ends as replaced and acknowledges nothing', async () => {
    const stage = await setUp();
    await link(stage);
    const old = open(stage, 1);
    await vi.waitFor(() => expect(old.session.state.kind).toBe('connected'), WAIT);
    await stage.store.transaction((trx) => trx.updateTable('network_links').set({ fence: 2 }).execute());

    stage.world.messages.send(
      { phone: ADA, device: 0 },
      { id: 'FENCED', to: userJid(ME), content: { type: 'text', text: 'for the new owner' } },
    );

    await vi.waitFor(() => expect(old.session.state).toEqual({ kind: 'ended', cause: 'replaced' }), WAIT);
    expect(old.events).toEqual([]);
    await old.session.close();
    const next = open(stage, 3);
    await vi.waitFor(() => expect(next.events).toMatchObject([{ messageId: 'FENCED' }]), WAIT);
    await next.session.close();
  });
});

describe('a message that was sent', () => {
  test('is the same message when it is sent again after a restart: its poll still counts', async () => {
    const stage = await setUp();
    await link(stage);
    const first = open(stage, 1);
    await vi.waitFor(() => expect(first.session.state.kind).toBe('connected'), WAIT);
    const poll = {
      messageId: '3EB0AAAA',
      to: userJid(ADA),
      content: { kind: 'poll', name: 'Lunch?', options: ['a', 'b'], selectableCount: 1 },
    } as const;
    await first.session.send(poll);

    await stage.crash();
    const again = open(stage, 2);
    await vi.waitFor(() => expect(again.session.state.kind).toBe('connected'), WAIT);
    await again.session.send(poll);
    // The phone holds the first copy; with another secret in the second, this vote would not open here.
    stage.world.messages.send(
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
