import { expect, it, vi } from 'vitest';
import type { OwnedNumber } from '#http';
import type { NetworkDriver } from '#network';
import type { FakeDriver } from '#network/fake';
import { keepLink } from './store.ts';
import type { Process } from './testing/process.ts';
import { describeSessions, type Stage } from './testing/stage.ts';

function linkOnNetwork({ pair, desk }: FakeDriver, { phone }: OwnedNumber, linkId: string): Promise<string> {
  return new Promise((resolve) => {
    pair({
      linkId,
      phone,
      method: 'qr',
      onProgress(progress) {
        if (progress.kind === 'qr') void desk.scan(phone, progress.qr);
        if (progress.kind === 'paired') resolve(progress.sessionId);
      },
    });
  });
}

/** Numbers as pairing leaves them, without the pairing; nobody hosts them. */
async function linkMany(stage: Stage, { driver }: Process, count: number): Promise<OwnedNumber[]> {
  const numbers = await stage.newNumbers(count);
  await stage.store.transaction(async (trx) => {
    for (const number of numbers) {
      const linkId = `link_${number.slotId}`;
      const sessionId = await linkOnNetwork(driver, number, linkId);
      const at = stage.clock.now();
      await keepLink(trx, { number, linkId, sessionId, lid: null, worker: 'nobody', at });
    }
  });
  return numbers;
}

describeSessions('many sessions', (stage) => {
  const connectedRows = () =>
    stage().store.read.selectFrom('sessions').select('slot_id').where('status', '=', 'connected').execute();

  it('come back after a crash without help: two hundred of them', async () => {
    const process = await stage().startProcess({ alone: true });
    await linkMany(stage(), process, 200);
    process.crash();

    const next = await stage().startProcess({ alone: true });
    await vi.waitFor(() => expect(next.sessions.hosted.connected()).toHaveLength(200), { timeout: 15_000 });
    await vi.waitFor(async () => expect(await connectedRows()).toHaveLength(200), { timeout: 15_000 });
  });

  it('are shared by workers that start together, and each has one host', async () => {
    const founder = await stage().startProcess();
    const numbers = await linkMany(stage(), founder, 60);
    founder.crash();
    await stage().pass(11_000);

    const workers = await Promise.all([stage().startProcess(), stage().startProcess()]);
    const connected = () => workers.flatMap(({ sessions }) => sessions.hosted.connected());
    await vi.waitFor(() => expect(connected()).toHaveLength(60), { timeout: 15_000 });
    expect(new Set(connected())).toEqual(new Set(numbers.map(({ slotId }) => slotId)));
  });

  it('move to a worker that joins, a few at a time, until each has its share; and nobody outside is told', async () => {
    const founder = await stage().startProcess();
    const numbers = await linkMany(stage(), founder, 40);
    const hosts = [founder];
    const counts = () => hosts.map(({ sessions }) => sessions.hosted.connected().length);
    await stage().pass(12_000);
    await vi.waitFor(() => expect(counts()).toEqual([40]), { timeout: 15_000 });

    hosts.push(await stage().startProcess());
    await stage().pass(3_500);
    expect(counts()[0]).toBeGreaterThanOrEqual(40 - 2 * 8);
    await vi.waitFor(
      async () => {
        await stage().pass(3_000);
        expect(counts()).toEqual([20, 20]);
      },
      { timeout: 15_000 },
    );
    const all = hosts.flatMap(({ sessions }) => sessions.hosted.connected());
    expect(new Set(all)).toEqual(new Set(numbers.map(({ slotId }) => slotId)));
    await stage().pass(15_000);
    for (const number of numbers) expect(await stage().told(number)).toEqual(['connected']);
  });

  it('board eight at a time, and one that does not arrive keeps the others waiting for ten seconds at most', async () => {
    const process = await stage().startProcess({ alone: true });
    await linkMany(stage(), process, 20);
    process.crash();

    const open = vi.fn<NetworkDriver['open']>();
    await stage().startProcess({
      alone: true,
      wrap: (driver) => ({
        ...driver,
        open: open.mockImplementation((request) => driver.open({ ...request, onState: () => {} })),
      }),
    });
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(8));
    await stage().pass(9_000);
    expect(open).toHaveBeenCalledTimes(8);
    await stage().pass(2_000);
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(16));
    await stage().pass(7_000);
    expect(open).toHaveBeenCalledTimes(16);
    await stage().pass(4_000);
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(20));
  });
});
