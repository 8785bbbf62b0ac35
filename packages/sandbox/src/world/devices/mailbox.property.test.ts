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
 * Whatever a device does, and in whatever order it acknowledges: each connection hears the unacknowledged in order and
 * none twice, nothing acknowledged comes back, and in the end everything was heard.
 */
test('nothing is lost, overtaken or told again, however a device comes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const world = createTestWorld();
      const device = world.devices.link(ben, new Uint8Array([1]));
      const acknowledged = new Set<number>();
      const everHeard = new Set<string>();
      let hearing: number[] = [];
      let attachment: Attachment | undefined;
      let sent = 0;

      const attach = () => {
        const heard: number[] = [];
        hearing = heard;
        attachment = world.mailboxes.attach(device.sessionId, {
          item({ id, news }) {
            expect(acknowledged.has(id)).toBe(false);
            expect(id).toBeGreaterThan(heard.at(-1) ?? 0);
            heard.push(id);
            if (news.kind === 'message') everHeard.add(news.message.id);
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
        if (action.do === 'acknowledge' && hearing.length > 0) {
          const id = hearing[action.pick % hearing.length] ?? 0;
          acknowledged.add(id);
          world.mailboxes.acknowledge(device.sessionId, id);
        }
        if (action.do === 'settle') await settled();
      }

      attach();
      await settled();
      expect(everHeard.size).toBe(sent);
      expect(hearing).toHaveLength(sent - acknowledged.size);
      world.close();
    }),
    { numRuns: 100 },
  );
});
