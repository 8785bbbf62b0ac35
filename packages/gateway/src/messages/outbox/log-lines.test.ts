import { describe, expect, it, vi } from 'vitest';
import { useTestHarness } from '../testing/harness.ts';

describe('the lines of the outbox', () => {
  const harness = useTestHarness();

  it('have the outcome of an attempt with the ids of the API, and neither text nor number', async () => {
    harness.start();
    const me = await harness.newSender();
    const messageId = await me.text('Hello');
    await harness.untilStatus(messageId, 'sent');
    await vi.waitFor(() => expect(harness.lines).toHaveLength(1));
    const { slotId, phone } = me.number;
    expect(harness.lines).toEqual([
      {
        name: 'send.attempt',
        messageId,
        slotId,
        attempt: 1,
        outcome: 'sent',
        eventId: expect.stringMatching(/^status_/),
        ms: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(harness.lines)).not.toMatch(new RegExp(`Hello|${phone}`));
  });

  it('count attempts, and have the reason of a final failure', async () => {
    harness.start();
    const me = await harness.newSender();
    harness.world.faults.arm(me.device.sessionId, { kind: 'send_transient', count: 1, ms: 0 });
    const messageId = await me.text('Again');
    await vi.waitFor(() => {
      harness.clock.advance(1_000);
      expect(harness.lines).toHaveLength(2);
    });
    expect(harness.lines).toMatchObject([
      { messageId, attempt: 1, outcome: 'postponed' },
      { messageId, attempt: 2, outcome: 'sent' },
    ]);
  });
});
