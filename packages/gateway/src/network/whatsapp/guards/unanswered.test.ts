import { initAuthCreds, makeWASocket } from 'baileys';
import { expect, test } from 'vitest';
import { createMemoryKeys } from '../link/memory-keys.ts';
import { createLibraryLog, endQuestions } from './index.ts';

/** Longer than the test may take. */
const LONG_MS = 600_000;

test('a question that the network has not answered ends with its connection', async () => {
  const sock = makeWASocket({
    auth: { creds: initAuthCreds(), keys: createMemoryKeys() },
    logger: createLibraryLog({ debug() {}, warn() {} }),
    waWebSocketUrl: 'ws://127.0.0.1:9',
  });
  endQuestions(sock);
  const answers = [sock.waitForMessage('first', LONG_MS), sock.waitForMessage('second', LONG_MS)];
  const settled = Promise.allSettled(answers);
  await sock.end(undefined);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
