import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ada, ben, createTestWorld, handset, settled, text } from '../fixture.ts';
import type { Attachment } from './types.ts';

const step = fc.oneof(
  fc.record({ do: fc.constant('send' as const) }),
  fc.record({ do: fc.constant('attach' as const) }),
  fc.record({ do: fc.constant('detach' as const) }),
  fc.record({ do: fc.constant('acknowledge' as const), pick: fc.nat() }),
  fc.record({ do: fc.constant('settle' as const) }),
);

/**
 * Whatever the device does, and in whatever order it acknowledges: each connection receives the unacknowledged items in order and
 * none twice, no acknowledged item returns, and in the end every item was received.
 */
test('nothing is lost, reordered or repeated, however a device comes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const world = createTestWorld();
      const device = world.devices.link(ben, new Uint8Array([1]));
      const acknowledged = new Set<number>();
      const everReceived = new Set<string>();
      let pending: number[] = [];
      let attachment: Attachment | undefined;
      let sent = 0;

      const attach = () => {
        const received: number[] = [];
        pending = received;
        attachment = world.mailboxes.attach(device.sessionId, {
          item({ id, news }) {
            expect(acknowledged.has(id)).toBe(false);
            expect(id).toBeGreaterThan(received.at(-1) ?? 0);
            received.push(id);
            if (news.kind === 'message') everReceived.add(news.message.id);
          },
          closed() {},
        });
        attachment.start();
      };

      for (const action of steps) {
        if (action.do === 'send') {
          sent += 1;
          world.messages.send(handset(ada), { id: `m${sent}`, to: ben, content: text('x') });
        }
        if (action.do === 'attach') attach();
        if (action.do === 'detach') attachment?.detach();
        if (action.do === 'acknowledge' && pending.length > 0) {
          const id = pending[action.pick % pending.length] ?? 0;
          acknowledged.add(id);
          world.mailboxes.acknowledge(device.sessionId, id);
        }
        if (action.do === 'settle') await settled();
      }

      attach();
      await settled();
      expect(everReceived.size).toBe(sent);
      expect(pending).toHaveLength(sent - acknowledged.size);
      world.close();
    }),
    { numRuns: 100 },
  );
});
