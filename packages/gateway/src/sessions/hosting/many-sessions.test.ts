import { expect, it, vi } from 'vitest';
import type { FakeDriver } from '#network/testing/fake';
import type { OwnedNumber } from '#platform/http';
import { keepLink } from '../session-queries.ts';
import { describeSessions, type TestHarness } from '../testing/harness.ts';
import type { Process } from '../testing/process.ts';

function linkOnNetwork(
  { pair, pairing }: FakeDriver,
  { phone }: OwnedNumber,
  linkId: string,
): Promise<string> {
  return new Promise((resolve) => {
    pair({
      linkId,
      phone,
      method: 'qr',
      onProgress(progress) {
        if (progress.kind === 'qr') void pairing.scan(phone, progress.qr);
        if (progress.kind === 'paired') resolve(progress.sessionId);
      },
    });
  });
}

/** Numbers in the state that pairing leaves, without a host. */
async function linkMany(harness: TestHarness, { driver }: Process, count: number): Promise<OwnedNumber[]> {
  const numbers = await harness.newNumbers(count);
  await harness.store.transaction(async (trx) => {
    for (const number of numbers) {
      const linkId = `link_${number.slotId}`;
      const sessionId = await linkOnNetwork(driver, number, linkId);
      const at = harness.clock.now();
      await keepLink(trx, { number, linkId, sessionId, lid: null, worker: 'dead worker', at });
    }
  });
  return numbers;
}

describeSessions('many sessions', (harness) => {
  const connectedRows = () =>
    harness().store.read.selectFrom('sessions').select('slot_id').where('status', '=', 'connected').execute();

  it('come back after a crash without help: two hundred of them', async () => {
    const process = await harness().startProcess({ alone: true });
    await linkMany(harness(), process, 200);
    process.crash();

    const next = await harness().startProcess({ alone: true });
    await vi.waitFor(() => expect(next.sessions.hosted.connected()).toHaveLength(200), { timeout: 15_000 });
    await vi.waitFor(async () => expect(await connectedRows()).toHaveLength(200), { timeout: 15_000 });
  });

  it('are shared by workers that start together, and each has one host', async () => {
    const founder = await harness().startProcess();
    const numbers = await linkMany(harness(), founder, 60);
    founder.crash();
    await harness().pass(11_000);

    const workers = await Promise.all([harness().startProcess(), harness().startProcess()]);
    const connected = () => workers.flatMap(({ sessions }) => sessions.hosted.connected());
    await vi.waitFor(() => expect(connected()).toHaveLength(60), { timeout: 15_000 });
    expect(new Set(connected())).toEqual(new Set(numbers.map(({ slotId }) => slotId)));
  });

  it('move to a worker that joins, a few at a time, until each has its share, without events', async () => {
    const founder = await harness().startProcess();
    const numbers = await linkMany(harness(), founder, 34);
    const hosts = [founder];
    const counts = () => hosts.map(({ sessions }) => sessions.hosted.connected().length);
    await harness().pass(12_000);
    await vi.waitFor(() => expect(counts()).toEqual([34]), { timeout: 15_000 });

    hosts.push(await harness().startProcess());
    await harness().pass(3_500);
    expect(counts()[0]).toBeGreaterThanOrEqual(34 - 2 * 8);
    await vi.waitFor(
      async () => {
        await harness().pass(3_000);
        expect(counts()).toEqual([17, 17]);
      },
      { timeout: 15_000 },
    );
    const all = hosts.flatMap(({ sessions }) => sessions.hosted.connected());
    expect(new Set(all)).toEqual(new Set(numbers.map(({ slotId }) => slotId)));
    await harness().pass(15_000);
    for (const number of numbers) expect(await harness().publishedStates(number)).toEqual(['connected']);
  });

  it('are claimed as soon as another worker releases them, not with the next renewal', async () => {
    const founder = await harness().startProcess();
    await linkMany(harness(), founder, 16);
    await harness().pass(12_000);
    await vi.waitFor(() => expect(founder.sessions.hosted.connected()).toHaveLength(16), { timeout: 15_000 });
    const joining = await harness().startProcess();
    await harness().pass(0);
    joining.freeze();
    await harness().pass(4_000);
    await vi.waitFor(() => expect(joining.sessions.hosted.connected()).toHaveLength(8), { timeout: 15_000 });
  });

  it('log in thirty-two at a time, and one that hangs keeps the others waiting for ten seconds at most', async () => {
    const process = await harness().startProcess({ alone: true });
    const numbers = await linkMany(harness(), process, 40);
    process.crash();

    let opened = 0;
    await harness().startProcess({
      alone: true,
      wrap: (driver) => ({
        ...driver,
        // The first thirty-two never connect.
        open: (request) => driver.open(++opened > 32 ? request : { ...request, onState() {} }),
      }),
    });
    await vi.waitFor(() => expect(opened).toBe(32));
    await harness().pass(9_000);
    expect([opened, await connectedRows()]).toEqual([32, []]);
    await harness().pass(2_000);
    await vi.waitFor(async () => expect(await connectedRows()).toHaveLength(8));
    // What never connected is not published as disconnected.
    const states = await Promise.all(numbers.map((number) => harness().publishedStates(number)));
    expect(states.flat()).toEqual(Array(8).fill('connected'));
  });
});
