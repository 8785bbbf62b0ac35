import { describe, expect, it, vi } from 'vitest';
import { describeSessions } from '../testing/harness.ts';
import { connected, linkedNumber } from '../testing/numbers.ts';
import { expireAllWorkerLeases, expireWorkerLease, FREE_TOPIC } from './host.ts';
import { claimSessions } from './hosting-queries.ts';

describeSessions('taking over', (harness) => {
  const hostedBy = async (slotId: string) =>
    harness()
      .store.read.selectFrom('sessions')
      .select(['worker', 'fence'])
      .where('slot_id', '=', slotId)
      .executeTakeFirst();

  describe('a worker', () => {
    it('hosts and claims nothing between the loss of its lease and the next one', async () => {
      const { process, number } = await linkedNumber(harness());
      const before = await hostedBy(number.slotId);
      await harness().store.transaction((trx) => trx.deleteFrom('workers').execute());
      await harness().pass(3_000);
      await vi.waitFor(() =>
        expect(process.worker?.figures()).toMatchObject({ worker: undefined, hosted: 0 }),
      );
      harness().bus.publish(FREE_TOPIC, null);
      await harness().pass(500);
      expect(await hostedBy(number.slotId)).toEqual(before);
      await vi.waitFor(async () => {
        await harness().pass(1_000);
        expect(await harness().row(number)).toMatchObject({ status: 'connected', fence: 2 });
      });
    });

    it('releases sessions assigned to it in the database only, after two comparisons', async () => {
      const { process: other, number } = await linkedNumber(harness());
      other.crash();
      const process = await harness().startProcess();
      await harness().pass(1);
      const worker = process.worker?.figures().worker ?? null;
      await harness().store.transaction((trx) =>
        trx.updateTable('sessions').set({ worker, fence: 7 }).execute(),
      );
      await harness().pass(3_000);
      expect(await hostedBy(number.slotId)).toEqual({ worker, fence: 7 });
      await vi.waitFor(async () => {
        await harness().pass(1_000);
        expect(await harness().row(number)).toMatchObject({ status: 'connected', fence: 8 });
      });
    });

    it('keeps the few sessions that it has above its share', async () => {
      const { process, number } = await linkedNumber(harness());
      const numbers = [number];
      for (let each = 0; each < 2; each++) {
        const another = await harness().newNumber();
        await harness().link(another, process);
        await connected(harness(), another);
        numbers.push(another);
      }
      await harness().startProcess();
      await harness().pass(12_000);
      for (const { slotId } of numbers) expect(await hostedBy(slotId)).toMatchObject({ fence: 1 });
      expect(process.worker?.figures()).toMatchObject({ hosted: 3 });
    });

    it('announces free sessions only when it has released some', async () => {
      await linkedNumber(harness());
      await harness().startProcess();
      const announced = vi.fn();
      harness().bus.subscribe(FREE_TOPIC, announced);
      await harness().pass(12_000);
      expect(announced).not.toHaveBeenCalled();
    });

    it('claims at once the sessions that another hands over when it stops', async () => {
      const { process, number } = await linkedNumber(harness());
      const next = await harness().startProcess();
      await process.stop();
      await connected(harness(), number, 2);
      expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
      const { worker } = (await harness().row(number)) ?? {};
      const leases = await harness().store.read.selectFrom('workers').select('worker').execute();
      expect(leases).toEqual([{ worker }]);
    });

    it('ends the rest of a link that another worker has taken', async () => {
      const { process, number, sessionId } = await linkedNumber(harness());
      const device = () => harness().world.devices.get(sessionId);
      const stranger = harness().world.mailboxes.attach(sessionId, { item() {}, closed() {} });
      await vi.waitFor(() => expect(process.sessions.hosted.get(number.slotId)).toBeUndefined());
      await vi.waitFor(async () => expect(await harness().row(number)).toMatchObject({ reason: 'replaced' }));
      const now = harness().machineClock.now();
      const another = { worker: 'another', started_at: now, last_seen: now, lease_expires_at: now + 90_000 };
      await harness().store.transaction(async (trx) => {
        await trx.insertInto('workers').values(another).execute();
        await trx.updateTable('sessions').set({ worker: 'another', fence: 7 }).execute();
      });
      stranger.detach();
      const before = device()?.logins;
      await harness().pass(60_000);
      expect(device()?.logins).toBe(before);
    });
  });

  it('takes over at once from a worker that is known to be gone', async () => {
    const { process, number } = await linkedNumber(harness());
    const next = await harness().startProcess();
    const { worker = '' } = (await harness().row(number)) ?? {};
    process.crash();
    await expireWorkerLease(harness(), worker ?? '');
    await connected(harness(), number, 2);
    expect(next.sessions.hosted.get(number.slotId)).toMatchObject({ fence: 2 });
  });

  it('leaves everything to the next worker at once when no earlier one can be alive', async () => {
    const { process, number } = await linkedNumber(harness());
    const { store, clock, machineClock } = harness();
    const claim = () =>
      claimSessions(store, { worker: 'next', limit: 1, now: clock.now(), machineNow: machineClock.now() });
    expect(await claim()).toEqual([]);
    process.crash();
    await expireAllWorkerLeases(store);
    expect(await claim()).toMatchObject([{ number, row: { fence: 2, worker: 'next' } }]);
  });
});
