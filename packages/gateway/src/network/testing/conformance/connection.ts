import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { catchUp, defined, failureOf, messageIdsOf, say } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { type LinkedNumber, type OpenNumber, useStage } from './stage.ts';

const LOGGED_OUT = { kind: 'ended', cause: 'logged_out' };

export function describeConnection(createHarness: CreateHarness): void {
  describe('connection', () => {
    const stage = useStage(createHarness);

    const expectEnded = (number: OpenNumber, cause: string): Promise<void> =>
      stage.eventually(() => expect(number.session.state).toMatchObject({ kind: 'ended', cause }));

    const expectForgotten = async (number: LinkedNumber): Promise<void> => {
      const again = stage.open(number);
      await expectEnded(again, 'logged_out');
      await again.session.close();
    };

    /** Cuts the connection and keeps the network from accepting another for `ms`. */
    const cut = (number: LinkedNumber, ms: number): void =>
      stage.world.faults.arm(number.sessionId, { kind: 'disconnect', count: 1, ms });

    /** No faster: an attempt takes some real time, and must not time out because the clock has run ahead. */
    const untilBack = (number: OpenNumber): Promise<void> =>
      stage.eventually(async () => {
        await stage.harness.advance(1_000);
        await setTimeout(100);
        expect(number.session.state.kind).toBe('connected');
      });

    it('connects in the background after open', async () => {
      const number = stage.open(await stage.link());
      expect(number.session.state.kind).toBe('connecting');

      await stage.eventually(() => expect(number.session.state.kind).toBe('connected'));

      expect(number.session.linkId).toBe(number.linkId);
      expect(number.session.state).toEqual({ kind: 'connected', sessionId: number.sessionId });
      expect(number.witness.states.at(-1)).toEqual(number.session.state);
      await expect(number.session.probe()).resolves.toBeUndefined();
    });

    it('reconnects after the connection was lost, and reports when it will try', async () => {
      const me = await stage.online();

      cut(me, 0);
      await stage.eventually(() => expect(me.witness.timesConnected).toBe(2));

      const lost = defined(me.witness.states.find((state) => state.kind === 'reconnecting'));
      expect(lost).toMatchObject({ retryAt: expect.any(Number), reason: expect.stringMatching(/./) });
      await catchUp(stage, me, stage.someone());
    });

    it('waits longer after each failure while the network stays away', async () => {
      const me = await stage.online();

      cut(me, 120_000);
      for (let step = 0; step < 60; step += 1) await stage.harness.advance(1_000);
      const tries = me.witness.states.filter(({ kind }) => kind === 'reconnecting').length;
      expect(tries).toBeGreaterThan(1);
      expect(tries).toBeLessThan(20);

      for (let step = 0; step < 120; step += 1) await stage.harness.advance(1_000);
      await untilBack(me);
    });

    it('ends when the phone unlinks it, and stays ended', async () => {
      const me = await stage.online();

      stage.world.devices.unlink(me.sessionId);

      await expectEnded(me, 'logged_out');
      expect(me.witness.states.at(-1)).toMatchObject(LOGGED_OUT);
      expect(me.witness.states.map(({ kind }) => kind)).not.toContain('reconnecting');
      me.session.reconnect();
      expect(me.session.state).toMatchObject(LOGGED_OUT);
      expect((await failureOf(me.session.probe())).kind).toBe('offline');
    });

    it('detects at the next open that the phone has unlinked it', async () => {
      const number = await stage.link();
      stage.world.devices.unlink(number.sessionId);
      await expectEnded(stage.open(number), 'logged_out');
    });

    it('ends as replaced when another process takes the link', async () => {
      const me = await stage.online();

      const other = stage.world.mailboxes.attach(me.sessionId, { item() {}, closed() {} });

      await expectEnded(me, 'replaced');
      expect(stage.world.devices.get(me.sessionId)).toMatchObject({ attached: true });
      other.detach();
    });

    it('logs out: the phone shows no linked device and nothing is stored here', async () => {
      const me = await stage.online();

      expect(await me.session.logOut()).toBe(true);

      expect(stage.world.devices.of(me.phone)).toEqual([]);
      expect((await failureOf(me.session.probe())).kind).toBe('offline');
      await expectForgotten(me);
    });

    it('keeps its link at a log-out without a connection, so that it can be logged out later', async () => {
      const me = await stage.online();
      cut(me, 60_000);
      await stage.eventually(() => expect(me.session.state.kind).not.toBe('connected'));

      expect(await me.session.logOut()).toBe(false);
      expect(stage.world.devices.get(me.sessionId)).toBeDefined();

      const later = stage.open(me);
      for (let step = 0; step < 120; step += 1) await stage.harness.advance(1_000);
      await untilBack(later);
      expect(await later.session.logOut()).toBe(true);
      expect(stage.world.devices.of(me.phone)).toEqual([]);
      await expectForgotten(me);
    });

    it('forgets at log-out a link that the phone has dissolved', async () => {
      const me = await stage.online();
      stage.world.devices.unlink(me.sessionId);
      await expectEnded(me, 'logged_out');

      expect(await me.session.logOut()).toBe(true);

      await expectForgotten(me);
    });

    it('forgets a link without contacting the network, however often', async () => {
      const number = await stage.link();

      await stage.harness.driver.forget(number.linkId);
      await stage.harness.driver.forget(number.linkId);

      expect(stage.world.devices.get(number.sessionId)).toBeDefined();
      await expectForgotten(number);
    });

    it('reconnects on demand without losing or repeating an event', async () => {
      const me = await stage.online();
      const ada = stage.someone();
      const sent = [say(stage, ada, me.jid, 'before')];

      me.session.reconnect();
      sent.push(say(stage, ada, me.jid, 'meanwhile'));
      await stage.eventually(() => expect(me.witness.timesConnected).toBe(2));
      sent.push(say(stage, ada, me.jid, 'after'));

      await stage.eventually(() => expect(messageIdsOf(me.witness.offered)).toEqual(sent));
      await catchUp(stage, me, ada);
      expect(messageIdsOf(me.witness.offered).slice(0, -1)).toEqual(sent);
    });

    it('keeps the link when the session is closed, and makes no more callbacks', async () => {
      const me = await stage.online();
      const ada = stage.someone();

      await me.session.close();
      await me.session.close();
      const { states, offered } = me.witness;
      const counts = [states.length, offered.length];
      const waiting = say(stage, ada, me.jid);
      await stage.eventually(() =>
        expect(stage.world.devices.get(me.sessionId)).toMatchObject({ attached: false }),
      );

      const again = stage.open(me);
      await stage.eventually(() => defined(again.witness.message(waiting)));
      expect([states.length, offered.length]).toEqual(counts);
    });

    it('closes every session with the driver and logs none out', async () => {
      const numbers = [await stage.online(), await stage.online()];

      await stage.harness.driver.close();
      const counts = numbers.map(({ witness }) => witness.states.length);

      for (const { session, sessionId } of numbers) {
        expect((await failureOf(session.probe())).kind).toBe('offline');
        expect(stage.world.devices.get(sessionId)).toMatchObject({ attached: false });
      }
      await stage.harness.restart();
      const again = numbers.map(stage.open);
      await stage.eventually(() => {
        for (const { session } of again) expect(session.state.kind).toBe('connected');
      });
      expect(numbers.map(({ witness }) => witness.states.length)).toEqual(counts);
    });

    it('reconnects with the same link after a crash', async () => {
      const me = await stage.online();
      await stage.harness.restart();

      const again = stage.open(me);

      await stage.eventually(() =>
        expect(again.session.state).toEqual({ kind: 'connected', sessionId: me.sessionId }),
      );
    });
  });
}
