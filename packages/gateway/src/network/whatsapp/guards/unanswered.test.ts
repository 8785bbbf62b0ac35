import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { initAuthCreds, makeWASocket } from 'baileys';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createMemoryKeys } from '../link/memory-keys.ts';
import { createLibraryLog, endQuestions } from './index.ts';

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

test('a question that the network has not answered ends with its connection', async () => {
  const sock = makeWASocket({
    auth: { creds: initAuthCreds(), keys: createMemoryKeys() },
    logger: createLibraryLog({ debug() {}, warn() {} }),
    waWebSocketUrl: await startSilentNetwork(),
  });
  endQuestions(sock);
  await once(sock.ws, 'open');
  const answers = [sock.waitForMessage('first', LONG_MS), sock.waitForMessage('second', LONG_MS)];
  const settled = Promise.allSettled(answers);
  await sock.end(undefined);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
