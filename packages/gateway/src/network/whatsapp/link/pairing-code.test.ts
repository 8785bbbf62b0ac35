import { initAuthCreds } from 'baileys';
import { describe, expect, test, vi } from 'vitest';
import { createSeededRandom } from '#kernel';
import type { PairingProgress } from '../../port.ts';
import { ME, useWire, WAIT } from '../testing/people.ts';
import { companionHello, requestPairingCode } from './pairing-code.ts';

describe('the request for a code', () => {
  test('sends what the network expects: golden vector', () => {
    const noiseKey = { public: Uint8Array.of(1, 2), private: Uint8Array.of(3) };
    const hello = companionHello({ noiseKey }, '15550001001@s.whatsapp.net', Uint8Array.of(4));
    expect(hello).toEqual({
      tag: 'link_code_companion_reg',
      attrs: {
        jid: '15550001001@s.whatsapp.net',
        stage: 'companion_hello',
        should_show_push_notification: 'true',
      },
      content: [
        {
          tag: 'link_code_pairing_wrapped_companion_ephemeral_pub',
          attrs: {},
          content: Uint8Array.of(4),
        },
        { tag: 'companion_server_auth_key_pub', attrs: {}, content: Uint8Array.of(1, 2) },
        { tag: 'companion_platform_id', attrs: {}, content: '1' },
        { tag: 'companion_platform_display', attrs: {}, content: 'Chrome (Ubuntu)' },
        { tag: 'link_code_pairing_nonce', attrs: {}, content: '0' },
      ],
    });
  });

  test.each([
    [400, 'QR'],
    [429, 'wait'],
    [500, 'no pairing code'],
  ])('refused by the network with %i returns a reason instead of a code: %s', async (data, words) => {
    const query = () => Promise.reject(Object.assign(new Error('refused'), { data }));
    const asked = requestPairingCode(
      { query },
      { creds: initAuthCreds(), phone: ME, random: createSeededRandom(1) },
    );
    await expect(asked).rejects.toMatchObject({ name: 'NoCode', message: expect.stringContaining(words) });
  });

  test('returns no code without an answer', async () => {
    const asked = requestPairingCode(
      // The library resolves with undefined then, against its own type.
      { query: () => Promise.resolve(undefined as never) },
      { creds: initAuthCreds(), phone: ME, random: createSeededRandom(1) },
    );
    await expect(asked).rejects.toMatchObject({ name: 'NoCode', message: expect.stringContaining('answer') });
  });
});

describe('pairing by code', () => {
  const setUp = useWire();

  function pairByCode({ driver }: Awaited<ReturnType<typeof setUp>>): PairingProgress[] {
    const progress: PairingProgress[] = [];
    driver.pair({ linkId: 'link', phone: ME, method: 'code', onProgress: (step) => progress.push(step) });
    return progress;
  }

  test('works with any device name', async () => {
    const harness = await setUp({ settings: { deviceName: 'Parley at the shop' } });
    const progress = pairByCode(harness);
    const code = await vi.waitFor(() => {
      const step = progress.at(-1);
      if (step?.kind !== 'code') throw new Error('no code yet');
      return step.code;
    }, WAIT);
    await harness.wire.pairing.enterCode(ME, code);
    await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
  });

  test('shows a fresh code after the first has expired, and that one works', async () => {
    const harness = await setUp();
    const progress = pairByCode(harness);
    await vi.waitFor(() => expect(progress).toHaveLength(1), WAIT);
    await harness.advance(160_000);
    const codes = await vi.waitFor(() => {
      expect(progress).toHaveLength(2);
      return progress.map((step) => (step.kind === 'code' ? step.code : ''));
    }, WAIT);
    expect(codes[1]).not.toBe(codes[0]);
    await harness.wire.pairing.enterCode(ME, codes[1] ?? '');
    await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
  });

  test('shows no code that the network has refused, and reports the reason', async () => {
    const harness = await setUp();
    for (let asked = 0; asked < 10; asked += 1) {
      const progress: PairingProgress[] = [];
      const attempt = harness.driver.pair({
        linkId: `link-${asked}`,
        phone: ME,
        method: 'code',
        onProgress: (step) => progress.push(step),
      });
      await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('code'), WAIT);
      await attempt.cancel();
    }
    const progress = pairByCode(harness);
    await vi.waitFor(() => expect(progress).not.toEqual([]), WAIT);
    expect(progress).toEqual([{ kind: 'failed', reason: expect.stringContaining('Too many pairing codes') }]);
  });
});
