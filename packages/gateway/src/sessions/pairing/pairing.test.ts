import { WorldError } from '@parley/sandbox/world';
import { describe, expect, it, vi } from 'vitest';
import { describeSessions, type TestHarness } from '../testing/harness.ts';
import { shownTopic } from './pairing-service.ts';

/** Linked devices as the phone's own screen shows them. */
const devicesOf = (harness: TestHarness, phone: string) =>
  harness.world.devices.of(phone).map(({ sessionId }) => sessionId);

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'fine',
    (error: unknown) => (error instanceof WorldError ? error.code : error),
  );

describeSessions('pairing', (harness) => {
  const openRows = () =>
    harness().store.read.selectFrom('onboardings').selectAll().where('ended_at', 'is', null).execute();

  describe('by QR', () => {
    it('goes from pending over qr to paired, and the session is connected by then', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const { qr } = await harness().pollUntil(number, id, 'qr');
      const { sessionId } = await process.driver.pairing.scan(number.phone, qr ?? '');

      const paired = await harness().pollUntil(number, id, 'paired');
      expect(paired).toEqual({ onboard_id: id, status: 'paired', session_id: sessionId });
      expect(process.sessions.hosted.connected()).toEqual([number.slotId]);
      await harness().pass(6 * 60_000);
      expect(await harness().poll(number, id)).toEqual(paired);
    });

    it('is pending until there is a QR', async () => {
      const number = await harness().newNumber();
      const id = await harness().start(number);
      expect(await harness().poll(number, id)).toEqual({ onboard_id: id, status: 'pending' });
    });

    it('answers the poll after the end of a QR with a fresh one, and the old one is void', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const { qr: first } = await harness().pollUntil(number, id, 'qr');
      await harness().pass(61_000);
      const { status, qr: second } = await harness().poll(number, id);
      expect(status).toBe('qr');
      expect(second).not.toBe(first);
      expect(await codeOf(process.driver.pairing.scan(number.phone, first ?? ''))).toBe('gone');
      await process.driver.pairing.scan(number.phone, second ?? '');
      await harness().pollUntil(number, id, 'paired');
    });

    it('starts over when the network does not renew a QR in time', async () => {
      const process = await harness().startProcess();
      const pair = vi.spyOn(process.driver, 'pair');
      pair.mockImplementationOnce(({ onProgress }) => {
        onProgress({ kind: 'qr', qr: 'stale', expiresAt: harness().clock.now() + 60_000 });
        return { answerPasskey() {}, confirm() {}, cancel: async () => {} };
      });
      const number = await harness().newNumber();
      const id = await harness().start(number);
      expect(await harness().pollUntil(number, id, 'qr')).toMatchObject({ qr: 'stale' });
      await harness().pass(60_000);
      expect(pair).toHaveBeenCalledTimes(1);
      await harness().pass(2_000);
      const { qr } = await harness().poll(number, id);
      expect(qr).not.toBe('stale');
      await process.driver.pairing.scan(number.phone, qr ?? '');
      await harness().pollUntil(number, id, 'paired');
    });

    it('keeps a network that renews a QR at the very moment of its grace period’s end', async () => {
      const process = await harness().startProcess();
      const { clock } = harness();
      const cancel = vi.fn(async () => {});
      const pair = vi.spyOn(process.driver, 'pair').mockImplementationOnce(({ onProgress }) => {
        const show = (qr: string) => onProgress({ kind: 'qr', qr, expiresAt: clock.now() + 60_000 });
        show('first');
        clock.after(60_000, () => show('second'));
        return { answerPasskey() {}, confirm() {}, cancel };
      });
      const number = await harness().newNumber();
      const id = await harness().start(number);
      await harness().pollUntil(number, id, 'qr');
      clock.advance(61_000);
      await vi.waitFor(async () => expect((await harness().poll(number, id)).qr).toBe('second'));
      await harness().pass(1_000);
      expect(pair).toHaveBeenCalledTimes(1);
      expect(cancel).not.toHaveBeenCalled();
    });

    it('answers a poll in between with the fresh QR, and not at any other change', async () => {
      const process = await harness().startProcess();
      const { clock, onboard } = harness();
      let show = (_qr: string): void => {};
      vi.spyOn(process.driver, 'pair').mockImplementationOnce(({ onProgress }) => {
        show = (qr) => onProgress({ kind: 'qr', qr, expiresAt: clock.now() + 60_000 });
        show('first');
        return { answerPasskey() {}, confirm() {}, cancel: async () => {} };
      });
      const number = await harness().newNumber();
      const id = await harness().start(number);
      await harness().pollUntil(number, id, 'qr');
      clock.advance(60_500);
      const subscribe = vi.spyOn(onboard.bus, 'subscribe');
      const polled = harness().poll(number, id);
      await vi.waitFor(() => expect(subscribe).toHaveBeenCalledWith(shownTopic(id), expect.anything()));
      onboard.bus.publish(shownTopic(id), null);
      await harness().row(number);
      show('second');
      expect(await polled).toMatchObject({ status: 'qr', qr: 'second' });
    });

    it('keeps the shown values sealed, and deletes them at the end', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const { qr = '' } = await harness().pollUntil(number, id, 'qr');
      const [row] = await openRows();
      expect(row?.shown).toBeTruthy();
      expect(Buffer.from(row?.shown ?? []).includes(qr)).toBe(false);
      await process.driver.pairing.scan(number.phone, qr);
      await harness().pollUntil(number, id, 'paired');
      const all = await harness().store.read.selectFrom('onboardings').select('shown').execute();
      expect(all).toEqual([{ shown: null }]);
    });

    it('fails with a reason when another number scans', async () => {
      const process = await harness().startProcess();
      const [number, other] = [await harness().newNumber(), await harness().newNumber()];
      const id = await harness().start(number);
      const { qr } = await harness().pollUntil(number, id, 'qr');
      await process.driver.pairing.scan(other.phone, qr ?? '');
      const failed = await harness().pollUntil(number, id, 'error');
      expect(failed.error).toMatch(/another number/i);
      expect(await harness().row(number)).toBeUndefined();
      expect(devicesOf(harness(), other.phone)).toEqual([]);
    });
  });

  describe('by code', () => {
    it('shows two groups of four, and is paired when they are typed', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number, 'code');
      const { code = '' } = await harness().pollUntil(number, id, 'code');
      expect(code).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
      const typed = code.replace('-', '');
      const { sessionId } = await process.driver.pairing.enterCode(number.phone, typed);
      expect(await harness().pollUntil(number, id, 'paired')).toMatchObject({ session_id: sessionId });
    });
  });

  describe('an attempt', () => {
    it('ends in error after five minutes, and its QR is void', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      await harness().pollUntil(number, id, 'qr');
      await harness().pass(4 * 60_000 + 58_000);
      const { status, qr } = await harness().poll(number, id);
      expect(status).toBe('qr');
      await harness().pass(3_000);
      expect(await harness().poll(number, id)).toEqual({
        onboard_id: id,
        status: 'error',
        error: 'No phone answered within five minutes.',
      });
      expect(await codeOf(process.driver.pairing.scan(number.phone, qr ?? ''))).toBe('not_found');
      expect(devicesOf(harness(), number.phone)).toEqual([]);
    });

    it('ends after five minutes too when no worker ever took it up', async () => {
      const number = await harness().newNumber();
      const id = await harness().start(number);
      await harness().pass(5 * 60_000);
      expect(await harness().poll(number, id)).toMatchObject({ status: 'error' });
      await harness().startProcess();
      await vi.waitFor(async () => expect(await openRows()).toEqual([]));
    });

    it('is replaced by a newer one for the same number, and only that one', async () => {
      const process = await harness().startProcess();
      const [number, other] = [await harness().newNumber(), await harness().newNumber()];
      const [first, untouched] = [await harness().start(number), await harness().start(other)];
      const { qr } = await harness().pollUntil(number, first, 'qr');
      const second = await harness().start(number);
      expect(await harness().poll(number, first)).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/newer/),
      });
      await harness().pollUntil(number, second, 'qr');
      await harness().pollUntil(other, untouched, 'qr');
      await vi.waitFor(async () =>
        expect(await codeOf(process.driver.pairing.scan(number.phone, qr ?? ''))).toBe('not_found'),
      );
    });

    it('that a newer one replaces after its worker died with the scan leaves no device on the phone', async () => {
      const process = await harness().startProcess({ alone: true });
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const { qr } = await harness().pollUntil(number, id, 'qr');
      process.cutOff();
      await process.driver.pairing.scan(number.phone, qr ?? '');
      process.crash();
      expect(devicesOf(harness(), number.phone)).toHaveLength(1);

      await harness().start(number);
      expect(await harness().poll(number, id)).toMatchObject({ error: expect.stringMatching(/newer/) });
      await harness().startProcess({ alone: true });
      await vi.waitFor(() => expect(devicesOf(harness(), number.phone)).toEqual([]));
    });

    it('of a worker that died ends when the next one starts', async () => {
      const process = await harness().startProcess({ alone: true });
      const number = await harness().newNumber();
      const id = await harness().start(number);
      await harness().pollUntil(number, id, 'qr');
      process.crash();
      await harness().startProcess({ alone: true });
      const ended = await harness().pollUntil(number, id, 'error');
      expect(ended.error).toMatch(/restarted/);
    });

    it('of a dead worker ends when its lease has lapsed, while others go on', async () => {
      const dying = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      await harness().pollUntil(number, id, 'qr');
      await harness().startProcess();
      dying.crash();
      await harness().pass(5_000);
      expect(await harness().poll(number, id)).toMatchObject({ status: 'qr' });
      await harness().pass(10_000);
      await harness().pollUntil(number, id, 'error');
    });

    it('that died between the scan and the first write is unlinked again: the phone shows no device', async () => {
      const process = await harness().startProcess({ alone: true });
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const { qr } = await harness().pollUntil(number, id, 'qr');
      process.cutOff();
      await process.driver.pairing.scan(number.phone, qr ?? '');
      process.crash();
      expect(devicesOf(harness(), number.phone)).toHaveLength(1);

      await harness().startProcess({ alone: true });
      await harness().pollUntil(number, id, 'error');
      await vi.waitFor(() => expect(devicesOf(harness(), number.phone)).toEqual([]));
      await vi.waitFor(async () =>
        expect(await harness().store.read.selectFrom('ending_links').selectAll().execute()).toEqual([]),
      );
    });

    it('whose link was stored in time has succeeded, although its worker died before recording it', async () => {
      const process = await harness().startProcess({ alone: true });
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const { qr } = await harness().pollUntil(number, id, 'qr');
      const { sessionId } = await process.driver.pairing.scan(number.phone, qr ?? '');
      await vi.waitFor(async () =>
        expect(await harness().row(number)).toMatchObject({ session_id: sessionId }),
      );
      process.crash();
      // As a crash between storing the link and recording the outcome leaves it.
      const unsaid = { status: 'qr', session_id: null, ended_at: null } as const;
      await harness().store.transaction((trx) => trx.updateTable('onboardings').set(unsaid).execute());

      await harness().startProcess({ alone: true });
      expect(await harness().pollUntil(number, id, 'paired')).toMatchObject({ session_id: sessionId });
      expect(devicesOf(harness(), number.phone)).toEqual([sessionId]);
    });

    it('keeps nothing but its outcome, and that for a day', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      await harness().link(number, process);
      harness().clock.advance(25 * 60 * 60_000);
      for (let step = 0; step < 4; step += 1) {
        harness().machineClock.advance(61 * 60_000);
        await harness().pass(5_000);
      }
      expect(await harness().store.read.selectFrom('onboardings').selectAll().execute()).toEqual([]);
    });
  });
});
