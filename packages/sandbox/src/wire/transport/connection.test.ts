import { Curve, makeWASocket, type WASocket } from 'baileys';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSteppedClock } from '../../world/fixture.ts';
import { memoryAuth, quiet } from '../fixture.ts';
import { silentLog } from '../ports.ts';
import { node } from './nodes.ts';
import { startChatServer } from './server.ts';

let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

/** A real client on the line with somebody who writes down what is heard, and takes as long for the first word as he is told to. */
async function conversation(firstWord: Promise<void>) {
  const heard: string[] = [];
  const greeted = Promise.withResolvers<void>();
  const server = await startChatServer({
    host: '127.0.0.1',
    port: 0,
    identity: { root: Curve.generateKeyPair(), staticKey: Curve.generateKeyPair() },
    clock: createSteppedClock(),
    log: silentLog,
    serve: (_request, response) => response.end(),
    greet() {
      greeted.resolve();
      return {
        async receive({ attrs }) {
          if (heard.length === 0) await firstWord;
          heard.push(attrs.id ?? '');
        },
        ended: () => heard.push('end'),
      };
    },
  });
  opened.defer(() => server.stop());
  const sock: WASocket = makeWASocket({ auth: memoryAuth(), waWebSocketUrl: server.url, logger: quiet });
  opened.defer(async () => sock.end(undefined));
  await greeted.promise;
  return { sock, heard };
}

it('hears a client out that has hung up meanwhile', async () => {
  const slow = Promise.withResolvers<void>();
  const { sock, heard } = await conversation(slow.promise);
  for (const id of ['one', 'two', 'three']) await sock.sendNode(node('presence', { id }));
  await sock.ws.close();
  expect(heard).toEqual([]);
  slow.resolve();
  await vi.waitFor(() => expect(heard).toEqual(['one', 'two', 'three', 'end']));
});
