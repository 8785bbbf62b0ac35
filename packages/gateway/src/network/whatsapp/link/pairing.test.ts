import { describe, expect, test, vi } from 'vitest';
import type { PairingProgress } from '../../port.ts';
import { ADA, connected, ME, pair, shownQr, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

describe('an attempt that is cancelled right after the phone agreed', () => {
  test('unlinks the device again: the phone shows none, and nothing is stored here', async () => {
    const harness = await setUp();
    const progress: PairingProgress[] = [];
    const onProgress = (step: PairingProgress): void => void progress.push(step);
    const attempt = harness.driver.pair({ linkId: 'link', phone: ME, method: 'qr', onProgress });
    await harness.wire.pairing.scan(ME, await shownQr(progress));
    expect(harness.world.devices.of(ME)).toHaveLength(1);

    await attempt.cancel();

    expect(harness.world.devices.of(ME)).toEqual([]);
    expect(progress.map(({ kind }) => kind)).toEqual(['qr']);
    expect(await harness.store.read.selectFrom('network_links').selectAll().execute()).toEqual([]);
  });
});

describe('a driver that dies right after the phone agreed', () => {
  test('has stored what is needed to unlink the device', async () => {
    const harness = await setUp();
    const progress = pair(harness);
    await harness.wire.pairing.scan(ME, await shownQr(progress));
    await harness.crash();
    expect(harness.world.devices.of(ME)).toHaveLength(1);

    const { session } = await connected(harness);
    expect(await session.logOut()).toBe(true);
    expect(harness.world.devices.of(ME)).toEqual([]);
    expect(await harness.store.read.selectFrom('network_links').selectAll().execute()).toEqual([]);
  });
});

describe('a phone of another number', () => {
  test('keeps no linked device, and the owner gets the reason', async () => {
    const harness = await setUp();
    const progress = pair(harness);
    await harness.wire.pairing.scan(ADA, await shownQr(progress));
    await vi.waitFor(() => expect(progress.at(-1)).toMatchObject({ kind: 'failed' }), WAIT);
    expect(harness.world.devices.of(ADA)).toEqual([]);
  });
});
