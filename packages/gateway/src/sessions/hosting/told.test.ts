import { expect, it, vi } from 'vitest';
import { describeSessions } from '../testing/harness.ts';
import { connected, cut, linkedNumber } from '../testing/numbers.ts';

describeSessions('the log of sessions', (harness) => {
  it('tells a number’s life by its slot, and nothing that would open a link', async () => {
    const { process, number, sessionId } = await linkedNumber(harness());
    const { slotId } = number;
    await cut(harness(), number, 1_000);
    await vi.waitFor(() => expect(process.told.at(-1)?.message).toBe('session lost'));
    await harness().pass(10_000);
    await vi.waitFor(() => expect(process.told.at(-1)?.message).toBe('session connected'));
    harness().world.devices.unlink(sessionId);
    await vi.waitFor(() => expect(process.told.at(-1)?.message).toBe('session logged out'));

    // A pairing ends beside the first connection.
    const lines = Object.groupBy(process.told, ({ message }) => message.split(' ')[0] ?? '');
    expect(lines).toEqual({
      pairing: [
        { message: 'pairing began', onboarding: expect.any(String), slotId, method: 'qr' },
        { message: 'pairing ended', onboarding: expect.any(String), slotId, outcome: 'paired' },
      ],
      session: [
        { message: 'session connected', slotId, fence: 1 },
        { message: 'session lost', slotId, reason: 'connection_lost' },
        { message: 'session connected', slotId, fence: 1 },
        { message: 'session logged out', slotId, reason: 'logged_out' },
      ],
    });
  });

  it('says from whom a session was taken over', async () => {
    const { process, number } = await linkedNumber(harness());
    const { worker: from } = (await harness().row(number)) ?? {};
    process.crash();
    const next = await harness().startProcess();
    await harness().pass(12_000);
    await connected(harness(), number, 2);
    const { worker } = (await harness().row(number)) ?? {};
    const { slotId } = number;
    expect(next.told).toContainEqual({ message: 'session taken over', slotId, worker, from });
  });

  it.each([
    ['expired', 6 * 60_000],
    ['given_up', 0],
  ])('says that a pairing was %s', async (outcome, ms) => {
    const process = await harness().startProcess();
    const number = await harness().newNumber();
    const id = await harness().start(number);
    await harness().pollUntil(number, id, 'qr');
    if (ms === 0) await harness().start(number);
    else await harness().pass(ms);
    await vi.waitFor(() =>
      expect(process.told).toContainEqual({
        message: 'pairing ended',
        onboarding: id,
        slotId: number.slotId,
        outcome,
      }),
    );
  });
});
