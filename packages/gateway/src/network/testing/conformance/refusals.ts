import { describe, expect, it } from 'vitest';
import { failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type LinkedNumber, type OpenNumber, useStage } from './stage.ts';

const HOUR_MS = 3_600_000;

/** How a driver treats a login that the network refuses, for a number or for the client. */
export function describeRefusals(createHarness: CreateHarness): void {
  describe('a refused login', () => {
    const stage = useStage(createHarness);

    const logins = ({ sessionId }: LinkedNumber): number => stage.world.devices.get(sessionId)?.logins ?? 0;

    const refuse = (number: LinkedNumber, code: number): void =>
      stage.world.faults.arm(number.sessionId, { kind: 'refuse_login', count: 1, ms: 24 * HOUR_MS, code });

    const untilState = (number: OpenNumber, state: object): Promise<void> =>
      stage.eventually(() => expect(number.session.state).toMatchObject(state));

    /** In steps, so that due timers can use the wire. */
    const pass = async (hours: number, number?: OpenNumber): Promise<void> => {
      for (let step = 0; step < hours; step += 1) {
        await stage.harness.advance(HOUR_MS);
        await stage.eventually(() => expect(number?.session.state.kind).not.toBe('connecting'));
      }
    };

    it('for a ban reports its reason and end, is not repeated before, not by the next driver either, and then ends', async () => {
      const me = await stage.online();
      stage.world.sanctions.ban(me.phone, { code: 101, seconds: 4 * 3_600 });
      await untilState(me, { kind: 'refused', reason: 'temporarily_banned' });
      const { state } = me.session;
      const banned = stage.world.phones.get(me.phone).bannedUntil ?? 0;
      expect(state).toMatchObject({
        detail: expect.stringMatching(/\w \w/),
        until: expect.any(Number),
        code: 101,
      });
      expect(Math.abs((state.kind === 'refused' ? (state.until ?? 0) : 0) - banned)).toBeLessThan(2_000);
      const knocked = logins(me);
      expect((await failureOf(me.session.probe())).kind).toBe('offline');

      me.session.reconnect();
      await pass(1);
      await stage.harness.restart();
      const again = stage.open(me);
      await untilState(again, {
        kind: 'refused',
        code: 101,
        until: state.kind === 'refused' ? state.until : 0,
      });
      await pass(2);
      expect(logins(me)).toBe(knocked);

      await pass(2, again);
      await untilState(again, { kind: 'connected' });
      expect(logins(me)).toBe(knocked + 1);
    });

    it.each([
      [403, 'locked'],
      [406, 'banned'],
      [401, 'logged_out'],
      [411, 'logged_out'],
    ])('with %i ends the link: no driver connects again', async (code, cause) => {
      const me = await stage.online();
      refuse(me, code);
      await untilState(me, { kind: 'ended', cause, detail: expect.stringMatching(/\w \w/) });
      const knocked = logins(me);
      await pass(24);
      await stage.harness.restart();
      const again = stage.open(me);
      await untilState(again, { kind: 'ended', cause });
      expect(logins(me)).toBe(knocked);
      // A link that the network has ended is forgotten here without a query.
      expect(await again.session.logOut()).toBe(true);
      expect(logins(me)).toBe(knocked);
    });

    it.each([
      [405, 'client_outdated'],
      [409, 'client_refused'],
    ])('with %i is about the client: it waits, and knocks a few times a day', async (code, reason) => {
      const me = await stage.online();
      refuse(me, code);
      await untilState(me, { kind: 'refused', reason });
      expect(me.session.state).not.toHaveProperty('until');
      const knocked = logins(me);
      await pass(12, me);
      expect(logins(me) - knocked).toBeLessThanOrEqual(12);
      for (let hour = 12; hour < 48 && me.session.state.kind !== 'connected'; hour += 1) await pass(1, me);
      await untilState(me, { kind: 'connected' });
    });
  });
}
