import { expect, it, vi } from 'vitest';
import { describeSessions } from '../testing/harness.ts';
import { connected, cut, linkedNumber } from '../testing/numbers.ts';

describeSessions('the log of sessions', (harness) => {
  it('records a number’s life by its slot, and nothing that would open a link', async () => {
    const { process, number, sessionId } = await linkedNumber(harness());
    const { slotId } = number;
    await cut(harness(), number, 1_000);
    await vi.waitFor(() => expect(process.logged.at(-1)).toMatchObject({ status: 'reconnecting' }));
    await harness().pass(10_000);
    await vi.waitFor(() => expect(process.logged.at(-1)).toMatchObject({ status: 'connected' }));
    harness().world.devices.unlink(sessionId);
    await vi.waitFor(() => expect(process.logged.at(-1)).toMatchObject({ status: 'logged_out' }));

    // A pairing ends beside the first connection.
    const lines = Object.groupBy(process.logged, ({ message }) => message);
    const onboardingId = expect.any(String);
    expect(lines).toEqual({
      'pairing.step': [
        { message: 'pairing.step', onboardingId, slotId, step: 'began', method: 'qr' },
        { message: 'pairing.step', onboardingId, slotId, step: 'qr' },
        { message: 'pairing.step', onboardingId, slotId, step: 'ended', outcome: 'paired' },
      ],
      'session.state': [
        { message: 'session.state', slotId, status: 'connected', fence: 1 },
        { message: 'session.state', slotId, status: 'reconnecting', reason: 'connection_lost' },
        { message: 'session.state', slotId, status: 'connected', fence: 1 },
        { message: 'session.state', slotId, status: 'logged_out', reason: 'logged_out' },
      ],
    });
  });

  it('names the worker from which a session was taken over', async () => {
    const { process, number } = await linkedNumber(harness());
    const { worker: from } = (await harness().row(number)) ?? {};
    process.crash();
    const next = await harness().startProcess();
    await harness().pass(12_000);
    await connected(harness(), number, 2);
    const { worker } = (await harness().row(number)) ?? {};
    const { slotId } = number;
    expect(next.logged).toContainEqual({
      ...{ message: 'session.state', slotId, status: 'claimed' },
      ...{ worker, from },
    });
  });

  it.each([
    ['expired', 6 * 60_000],
    ['given_up', 0],
  ])('records that a pairing was %s', async (outcome, ms) => {
    const process = await harness().startProcess();
    const number = await harness().newNumber();
    const id = await harness().start(number);
    await harness().pollUntil(number, id, 'qr');
    if (ms === 0) await harness().start(number);
    else await harness().pass(ms);
    await vi.waitFor(() =>
      expect(process.logged).toContainEqual({
        message: 'pairing.step',
        onboardingId: id,
        slotId: number.slotId,
        step: 'ended',
        outcome,
      }),
    );
  });
});
