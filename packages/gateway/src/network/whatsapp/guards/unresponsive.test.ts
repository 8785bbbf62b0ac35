import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { initAuthCreds, makeWASocket, type SocketConfig, type WASocket } from 'baileys';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createMemoryKeys } from '../link/socket.ts';
import { closeIfUnresponsive, createLibraryLog, endQuestions } from './index.ts';

/** Longer than the test may run. */
const LONG_MS = 600_000;

/** A server that accepts connections and sends nothing. */
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

test('closes a connection on which the network sends nothing', async () => {
  const sock = await connectToSilence({ connectTimeoutMs: 0 });
  const over = new Promise((resolve) => {
    sock.ev.on('connection.update', ({ lastDisconnect }) => lastDisconnect && resolve(lastDisconnect.error));
  });
  closeIfUnresponsive(sock, 20);
  expect(await over).toMatchObject({ message: 'The network did not answer in time.' });
});

test('ends an open query with its connection', async () => {
  const sock = await connectToSilence();
  endQuestions(sock);
  await once(sock.ws, 'open');
  const answers = [sock.waitForMessage('first', LONG_MS), sock.waitForMessage('second', LONG_MS)];
  const settled = Promise.allSettled(answers);
  await sock.end(undefined);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
