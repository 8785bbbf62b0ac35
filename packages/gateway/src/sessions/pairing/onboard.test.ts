import { describe, expect, it, vi } from 'vitest';
import { watchStore } from '#testing';
import { describeSessions, ORIGIN } from '../testing/harness.ts';
import { pollOnboarding, startOnboarding } from './onboard.ts';
import { shownTopic } from './pairing-service.ts';

describeSessions('a pairing attempt', (harness) => {
  describe('is refused', () => {
    it('for an unknown slot and for one of another account, with the same answer', async () => {
      const number = await harness().newNumber();
      const stranger = { ...number, accountId: 'acc_other' };
      await expect(harness().start(stranger)).rejects.toMatchObject({ code: 'device_not_found' });
      await expect(harness().start({ ...number, slotId: 'slot_none' })).rejects.toMatchObject({
        code: 'device_not_found',
      });
    });

    it('for a removed number', async () => {
      const number = await harness().newNumber();
      await harness().store.transaction((trx) =>
        trx.updateTable('devices').set({ removed_at: 1 }).where('slot_id', '=', number.slotId).execute(),
      );
      await expect(harness().start(number)).rejects.toMatchObject({ code: 'device_not_found' });
    });

    it('for a key of another number', async () => {
      const { accountId, slotId, phone } = await harness().newNumber();
      const start = (of: string) =>
        startOnboarding(harness().onboard, { accountId, phone: of }, slotId, 'qr');
      await expect(start('15550000000')).rejects.toMatchObject({ code: 'key_restricted' });
      await expect(start(phone)).resolves.toMatchObject({ status: 'pending' });
    });

    it('for a device that is not active', async () => {
      const number = await harness().newNumber();
      for (const status of ['inactive', 'suspended'] as const) {
        await harness().store.transaction((trx) =>
          trx.updateTable('devices').set({ status }).where('slot_id', '=', number.slotId).execute(),
        );
        await expect(harness().start(number)).rejects.toMatchObject({ code: 'device_not_active' });
      }
    });

    it('while the number is connected or expected back, and not when it is offline or logged out', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const sessionId = await harness().link(number, process);
      await expect(harness().start(number)).rejects.toMatchObject({ code: 'number_already_linked' });

      harness().world.faults.arm(sessionId, { kind: 'disconnect', count: 1, ms: 10 * 60_000 });
      await harness().pass(2_000);
      await expect(harness().start(number)).rejects.toMatchObject({ code: 'number_already_linked' });
      await harness().pass(5 * 60_000);
      await expect(harness().start(number)).resolves.toMatch(/^onb_/);
    });

    it('to a caller who does not own the attempt', async () => {
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const stranger = { ...number, accountId: 'acc_other' };
      await expect(harness().poll(stranger, id)).rejects.toMatchObject({ code: 'onboarding_not_found' });
      await expect(harness().poll(number, 'onb_none')).rejects.toMatchObject({
        code: 'onboarding_not_found',
      });
    });
  });

  describe('whose QR has ended', () => {
    it('shows it to a poll that has waited ten seconds for a fresh one, without asking the database meanwhile', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const shown = await harness().pollUntil(number, id, 'qr');
      process.crash();
      const { clock, machineClock, onboard } = harness();
      clock.advance(60_500);
      const store = watchStore(onboard.store);
      const subscribe = vi.spyOn(onboard.bus, 'subscribe');
      const asker = { accountId: number.accountId, phone: null, origin: ORIGIN };
      const polled = pollOnboarding({ ...onboard, store }, asker, id);
      await vi.waitFor(() => expect(subscribe).toHaveBeenCalledWith(shownTopic(id), expect.anything()));
      await store.untilQuiet();
      expect(store.reads).toBe(2);
      machineClock.advance(10_000);
      expect(await polled).toEqual(shown);
    });
  });

  it('has ended when everything of its number has', async () => {
    const process = await harness().startProcess({ hosts: false });
    const number = await harness().newNumber();
    const id = await harness().start(number);
    await process.sessions.linking.endAll(number);
    expect(await harness().poll(number, id)).toMatchObject({ error: 'The pairing was given up.' });
  });

  describe('again', () => {
    it('after a log-out gives the number a new link under a higher fence, and the old one is forgotten', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const first = await harness().link(number, process);
      const before = await harness().row(number);
      harness().world.devices.unlink(first);
      await vi.waitFor(async () =>
        expect(await harness().row(number)).toMatchObject({ status: 'logged_out' }),
      );

      const second = await harness().link(number, process);
      expect(second).not.toBe(first);
      const after = await harness().row(number);
      expect(after).toMatchObject({ session_id: second, fence: 2 });
      expect(after?.link_id).not.toBe(before?.link_id);
      await vi.waitFor(async () =>
        expect(await harness().publishedStates(number)).toEqual(['connected', 'logged_out', 'connected']),
      );
      await vi.waitFor(async () =>
        expect(await harness().store.read.selectFrom('ending_links').selectAll().execute()).toEqual([]),
      );
    });

    it('while the old link is offline, and unlinks that one as soon as the network is back', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const first = await harness().link(number, process);
      const devices = () => harness().world.devices.of(number.phone);
      harness().world.faults.arm(first, { kind: 'disconnect', count: 1, ms: 6 * 60_000 });
      await harness().pass(5 * 60_000 + 2_000);
      const second = await harness().link(number, process);
      expect(process.sessions.hosted.get(number.slotId)).toMatchObject({ sessionId: second, fence: 2 });
      await harness().pass(20_000);
      expect(devices()).toHaveLength(2);
      await harness().pass(2 * 60_000);
      expect(devices()).toMatchObject([{ sessionId: second }]);
      expect(await harness().row(number)).toMatchObject({ session_id: second, status: 'connected' });
    });
  });
});
