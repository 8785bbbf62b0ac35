import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { initAuthCreds, makeWASocket, type SocketConfig, type WASocket } from 'baileys';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createMemoryKeys } from '../link/memory-keys.ts';
import { createLibraryLog, endQuestions, endUnlessHeard } from './index.ts';

/** Longer than the test may take. */
const LONG_MS = 600_000;

/** A network that takes connections and says nothing. */
async function startSilentNetwork(): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connectToSilence(settings: Partial<SocketConfig> = {}): Promise<WASocket> {
  return makeWASocket({
    auth: { creds: initAuthCreds(), keys: createMemoryKeys() },
    logger: createLibraryLog({ debug() {}, warn() {} }),
    waWebSocketUrl: await startSilentNetwork(),
    ...settings,
  });
}

test('a connection on which the network says nothing is ended', async () => {
  const sock = await connectToSilence({ connectTimeoutMs: 0 });
  const over = new Promise((resolve) => {
    sock.ev.on('connection.update', ({ lastDisconnect }) => lastDisconnect && resolve(lastDisconnect.error));
  });
  endUnlessHeard(sock, 20);
  expect(await over).toMatchObject({ message: 'The network did not answer in time.' });
});

test('a question that the network has not answered ends with its connection', async () => {
  const sock = await connectToSilence();
  endQuestions(sock);
  await once(sock.ws, 'open');
  const answers = [sock.waitForMessage('first', LONG_MS), sock.waitForMessage('second', LONG_MS)];
  const settled = Promise.allSettled(answers);
  await sock.end(undefined);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
