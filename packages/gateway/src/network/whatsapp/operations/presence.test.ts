import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { WASocket } from 'baileys';
import { expect, test } from 'vitest';
import type { NetworkEvent } from '../../events.ts';
import type { SessionContext } from '../session-context.ts';
import { createPresence } from './presence.ts';

test('emits the last typing state last, however long the lookup of the person takes', async () => {
  const slow = Promise.withResolvers<Map<string, unknown>>();
  const reads = [slow.promise];
  const emitted: NetworkEvent[] = [];
  const context = {
    clock: { now: () => 0 },
    me: () => ({ id: '15550001001:1@s.whatsapp.net' }),
    vault: () => ({ read: async () => reads.shift() ?? new Map() }),
    emit: (event: NetworkEvent) => void emitted.push(event),
  };
  const presence = createPresence(context as unknown as SessionContext, { of: async (_sock, jid) => jid });
  const ws = new EventEmitter();
  presence.attach({ ws, ev: new EventEmitter() } as unknown as WASocket);
  const attrs = { from: '15550002001@s.whatsapp.net' };

  ws.emit('CB:chatstate', { tag: 'chatstate', attrs, content: [{ tag: 'composing', attrs: {} }] });
  ws.emit('CB:chatstate', { tag: 'chatstate', attrs, content: [{ tag: 'paused', attrs: {} }] });
  await setImmediate();
  expect(emitted).toEqual([]);
  slow.resolve(new Map());
  await setImmediate();
  expect(emitted).toMatchObject([{ typing: true }, { typing: false }]);
});
