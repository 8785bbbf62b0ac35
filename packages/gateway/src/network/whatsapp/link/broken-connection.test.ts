import { randomBytes } from 'node:crypto';
import { userJid } from '@parley/sandbox/world';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OutboundMessage } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { PairingProgress } from '../../port.ts';
import type { WireHarness } from '../testing/fixture.ts';
import {
  adaWrites,
  bubblesOfAda,
  connected,
  ME,
  messageIds,
  type Opened,
  online,
  pair,
  shownQr,
  textToAda,
  useWire,
  WAIT,
} from '../testing/people.ts';
import { type Relay, startRelay } from '../testing/relay.ts';

const setUp = useWire();
let relay: Relay;

async function setUpBehindRelay(): Promise<WireHarness> {
  relay = await startRelay();
  const harness = await setUp({ endpoint: { url: relay.url } });
  relay.target = harness.wire.url;
  return harness;
}

afterEach(() => relay.stop());

/** Waits while the pauses between attempts are skipped. */
function soon(harness: WireHarness, check: () => void): Promise<void> {
  return vi.waitFor(async () => {
    try {
      check();
    } catch (complaint) {
      await harness.advance(500);
      throw complaint;
    }
  }, WAIT);
}

/** Skips every pause of the session. */
const comesBack = (harness: WireHarness, me: Opened): Promise<void> =>
  vi.waitFor(async () => {
    const { state } = me.session;
    if (state.kind === 'reconnecting') await harness.advance(state.retryAt - harness.now());
    expect(me.session.state.kind).toBe('connected');
  }, WAIT);

describe('a connection that is cut at any stage of pairing', () => {
  /** Pairs with a phone that scans whatever QR is shown. */
  async function pairThrough(harness: WireHarness, linkId: string): Promise<PairingProgress> {
    const progress: PairingProgress[] = [];
    harness.driver.pair({
      linkId,
      phone: ME,
      method: 'qr',
      onProgress(step) {
        progress.push(step);
        if (step.kind === 'qr') harness.wire.pairing.scan(ME, step.qr).catch(() => {});
      },
    });
    await soon(harness, () => expect(['paired', 'failed']).toContain(progress.at(-1)?.kind));
    return progress.at(-1) ?? { kind: 'failed', reason: 'never' };
  }

  test('ends in a link or in a failure, the same on phone and gateway', {
    timeout: 120_000,
  }, async () => {
    const harness = await setUpBehindRelay();
    expect((await pairThrough(harness, 'whole')).kind).toBe('paired');
    const stages = relay.passed;
    expect(stages).toBeGreaterThan(5);
    for (const { sessionId } of harness.world.devices.of(ME)) harness.world.devices.unlink(sessionId);

    for (let frames = 1; frames <= stages; frames += 1) {
      const linkId = `cut-${frames}`;
      relay.cutAfter(frames);
      const outcome = await pairThrough(harness, linkId);
      relay.mend();
      const me = harness.driver.open({
        linkId,
        fence: 1,
        onState() {},
        onStanding() {},
        onEvents: async () => {},
      });
      // Phone and gateway may notice a cut one after the other.
      await soon(harness, () => {
        expect(['connected', 'ended']).toContain(me.state.kind);
        const linked = harness.world.devices.of(ME).map(({ sessionId }) => sessionId);
        const held = me.state.kind === 'connected' ? [me.state.sessionId] : [];
        expect(held, `after ${frames} frames: ${outcome.kind}`).toEqual(linked);
      });
      await me.logOut();
      await soon(harness, () => expect(harness.world.devices.of(ME)).toEqual([]));
    }
  });
});

describe('a connection that is cut while the link is being stored', () => {
  test('deletes nothing of the link on the next connection', async () => {
    const harness = await setUpBehindRelay();
    const firstIsKept = Promise.withResolvers<void>();
    const { transaction } = harness.store;
    const kept = vi.spyOn(harness.store, 'transaction').mockImplementationOnce(async (work) => {
      const done = await transaction(work);
      await firstIsKept.promise;
      return done;
    });
    const progress = pair(harness);
    const first = await shownQr(progress);
    relay.cutAfter(1);
    void harness.wire.pairing.scan(ME, first).catch(() => {});
    await vi.waitFor(async () => expect(await shownQr(progress)).not.toBe(first), WAIT);
    void harness.wire.pairing.scan(ME, await shownQr(progress)).catch(() => {});
    // It waits for its turn; otherwise it would delete its own link.
    await vi.waitFor(() => expect(kept).toHaveBeenCalledTimes(2), { timeout: 500 }).catch(() => {});
    firstIsKept.resolve();
    await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
    const { session } = await connected(harness);
    expect(session.state).toMatchObject({ sessionId: harness.world.devices.of(ME)[0]?.sessionId });
  });
});

describe('a connection that is cut at any stage of a send', () => {
  test('fails it with an error that the outbox retries; after that the message is there once', {
    timeout: 120_000,
  }, async () => {
    const harness = await setUpBehindRelay();
    const me = await online(harness);
    const toStranger = (number: number): OutboundMessage => {
      const phone = String(15_550_003_000 + number);
      harness.world.phones.create(phone, { name: 'Stranger' });
      return { ...textToAda(`3EB0CC${number}`), to: userJid(phone) };
    };
    const before = relay.passed;
    await me.session.send(toStranger(0));
    const stages = relay.passed - before;
    expect(stages).toBeGreaterThan(3);

    for (let frames = 1; frames <= stages; frames += 1) {
      const message = toStranger(frames);
      relay.cutAfter(frames);
      const failure: unknown = await me.session.send(message).catch((error: unknown) => error);
      if (failure !== undefined) {
        expect(failure, `after ${frames} frames`).toBeInstanceOf(NetworkError);
        expect(failure).toMatchObject({ kind: expect.stringMatching(/^(transient|offline)$/) });
      }
      relay.mend();
      // It may take a second attempt to notice that the connection is gone.
      await vi.waitFor(async () => {
        await comesBack(harness, me);
        if (failure !== undefined) await me.session.send(message);
      }, WAIT);
      const phone = message.to?.split('@')[0] ?? '';
      expect(harness.world.messages.seenBy(phone).map(({ id }) => id)).toEqual([message.messageId]);
    }
  });
});

describe('a connection that is cut at any stage of an incoming message', () => {
  test('loses no message and publishes none twice', { timeout: 120_000 }, async () => {
    const harness = await setUpBehindRelay();
    const me = await online(harness);
    const sent: string[] = [];
    for (let frames = 1; frames <= 6; frames += 1) {
      relay.cutAfter(frames);
      for (const id of [`A${frames}`, `B${frames}`, `C${frames}`]) {
        adaWrites(harness, id);
        sent.push(id);
      }
      await soon(harness, () => expect(messageIds(me)).toEqual(sent));
      relay.mend();
      await comesBack(harness, me);
    }
  });

  test('publishes a message once whose receipt never reached the network', async () => {
    const harness = await setUpBehindRelay();
    const me = await online(harness);
    relay.hold('to_network');
    adaWrites(harness, 'UNRECEIPTED');
    await vi.waitFor(() => expect(messageIds(me)).toEqual(['UNRECEIPTED']), WAIT);
    relay.cutAfter(1);
    adaWrites(harness, 'NEXT');
    await soon(harness, () => expect(messageIds(me)).toContain('NEXT'));
    adaWrites(harness, 'LAST');
    await soon(harness, () => expect(messageIds(me)).toEqual(['UNRECEIPTED', 'NEXT', 'LAST']));
  });
});

describe('a network that', () => {
  test('stops answering is left after 20 s, with a transient error for the current operation', async () => {
    const harness = await setUpBehindRelay();
    const me = await online(harness);
    relay.hold('to_driver');
    const sending = me.session.send(textToAda('3EB0DD01')).catch((error: unknown) => error);
    const probing = me.session.probe().catch((error: unknown) => error);
    await harness.advance(10_000);
    expect(await probing).toMatchObject({ kind: 'transient' });
    await harness.advance(10_000);
    expect(await sending).toMatchObject({ kind: 'transient' });

    me.session.reconnect();
    await comesBack(harness, me);
    await me.session.send(textToAda('3EB0DD01'));
    expect(bubblesOfAda(harness, '3EB0DD01')).toBe(1);
  });

  test.each([
    ['noise in a frame', () => Buffer.from([0, 0, 40, ...randomBytes(40)])],
    ['an empty frame', () => Buffer.from([0, 0, 0])],
    ['random bytes', () => randomBytes(2_000)],
    ['the beginning of an endless frame', () => Buffer.from([255, 255, 255, ...randomBytes(100)])],
  ])('sends %s costs at most the connection', async (_what, garbage) => {
    const harness = await setUpBehindRelay();
    const me = await online(harness);
    relay.inject(garbage());
    adaWrites(harness, 'AFTERWARDS');
    // An incomplete frame is noticed by the silence after it.
    const noticed = setTimeout(() => me.session.reconnect(), 2_000);
    await soon(harness, () => expect(messageIds(me)).toEqual(['AFTERWARDS']));
    clearTimeout(noticed);
    await comesBack(harness, me);
    // It may notice only now, and retries as the outbox does.
    await vi.waitFor(() => me.session.send(textToAda('3EB0EE01')), WAIT);
    expect(bubblesOfAda(harness, '3EB0EE01')).toBe(1);
  });
});
