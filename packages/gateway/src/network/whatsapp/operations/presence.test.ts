import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { userJid } from '@parley/sandbox/world';
import type { BinaryNode, WASocket } from 'baileys';
import { describe, expect, test, vi } from 'vitest';
import type { NetworkEvent } from '../../events.ts';
import type { SessionContext } from '../session-context.ts';
import { ADA, ME, online, useWire, WAIT } from '../testing/people.ts';
import { createPresence } from './presence.ts';

test('emits the last typing state last, however long the lookup of the person takes', async () => {
  const slow = Promise.withResolvers<Map<string, unknown>>();
  const reads = [slow.promise];
  const emitted: NetworkEvent[] = [];
  const context = {
    clock: { now: () => 0 },
    random: { fraction: () => 0 },
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

describe('a number that never appears online', () => {
  const setUp = useWire();
  const HOUR_MS = 3_600_000;

  async function started(settings = {}) {
    const harness = await setUp({ settings });
    const { events } = await online(harness);
    const states = () =>
      harness.received.flatMap(({ tag, attrs }: BinaryNode) =>
        tag === 'presence' && attrs.type ? [attrs.type] : [],
      );
    return {
      harness,
      states,
      /** The owner writes on the phone, and the message has arrived here. */
      async ownerWrites() {
        const id = harness.world.messages.newId();
        harness.world.messages.send(
          { phone: ME, device: 0 },
          { id, to: userJid(ADA), content: { type: 'text', text: 'From my phone' } },
        );
        await vi.waitFor(
          () => expect(events).toContainEqual(expect.objectContaining({ kind: 'message', messageId: id })),
          WAIT,
        );
      },
    };
  }

  test('does so for a moment once a day, when its owner uses the phone', async () => {
    const { harness, states, ownerWrites } = await started();
    await harness.advance(24 * HOUR_MS);
    expect(states()).not.toContain('available');
    // Not before the phone has sent the name of the number.
    await vi.waitFor(async () => {
      await ownerWrites();
      expect(states().filter((state) => state === 'available')).toHaveLength(1);
    }, WAIT);
    await harness.advance(5_000);
    await vi.waitFor(() => expect(states().at(-1)).toBe('unavailable'), WAIT);
    expect(harness.world.phones.get(ME).online).toBe(false);

    await harness.advance(10 * HOUR_MS);
    await ownerWrites();
    await harness.advance(12 * HOUR_MS);
    expect(states().filter((state) => state === 'available')).toHaveLength(1);
    await ownerWrites();
    await vi.waitFor(() => expect(states().filter((state) => state === 'available')).toHaveLength(2), WAIT);
  });

  test('stays offline for good where that is switched off', async () => {
    const { harness, states, ownerWrites } = await started({ pulse: false });
    await harness.advance(48 * HOUR_MS);
    await ownerWrites();
    await harness.advance(5_000);
    expect(states()).not.toContain('available');
  });
});
