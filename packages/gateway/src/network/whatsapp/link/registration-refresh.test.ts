import { EventEmitter } from 'node:events';
import type { BinaryNode, WASocket } from 'baileys';
import { describe, expect, test, vi } from 'vitest';
import { connected, ME, pair, shownQr, useWire, WAIT } from '../testing/people.ts';
import { onRegistrationRefresh } from './qr-rotation.ts';

const setUp = useWire();
const refOf = (qr: string): string => qr.slice(qr.indexOf('#') + 1).split(',')[0] ?? '';

describe('a QR whose secret the network retires at the scan', () => {
  test('is shown again with the same ref and a new secret, which links; the network misses no acknowledgement', async () => {
    const harness = await setUp();
    harness.world.phones.update({ phone: ME, device: 0 }, { refreshesPairing: true });
    const progress = pair(harness);
    const first = await shownQr(progress);
    await expect(harness.wire.pairing.scan(ME, first)).rejects.toMatchObject({ code: 'conflict' });
    const second = await shownQr(progress);
    expect(second).not.toBe(first);
    expect(refOf(second)).toBe(refOf(first));

    await expect(harness.wire.pairing.scan(ME, first)).rejects.toMatchObject({ code: 'conflict' });
    await harness.wire.pairing.scan(ME, second);
    await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
    expect(harness.wire.pairing.unacknowledged).toBe(0);
    expect((await connected(harness)).session.state.kind).toBe('connected');
  });
});

describe('a notification about the registration', () => {
  const refreshes = (from: string, child: string): number => {
    const ws = new EventEmitter();
    const refresh = vi.fn();
    onRegistrationRefresh({ ws } as unknown as Pick<WASocket, 'ws'>, refresh);
    const content: BinaryNode[] = [{ tag: child, attrs: {} }];
    ws.emit('CB:notification,type:companion_reg_refresh', { tag: 'notification', attrs: { from }, content });
    return refresh.mock.calls.length;
  };

  test('asks for a new secret in both of its forms, and from the network only', () => {
    expect(refreshes('@s.whatsapp.net', 'companion_reg_refresh')).toBe(1);
    expect(refreshes('@s.whatsapp.net', 'pair-device-rotate-qr')).toBe(1);
    expect(refreshes('@s.whatsapp.net', 'something-else')).toBe(0);
    expect(refreshes('15550002001@s.whatsapp.net', 'companion_reg_refresh')).toBe(0);
  });
});
