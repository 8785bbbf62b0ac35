import { createSoftAuthenticator } from '@parley/sandbox/authenticator';
import { describe, expect, test, vi } from 'vitest';
import type { PairingAttempt, PairingProgress, PairingRequest } from '../../../port.ts';
import { find } from '../../../testing/conformance/stage.ts';
import type { WireHarness } from '../../testing/fixture.ts';
import { ME, useWire, WAIT } from '../../testing/people.ts';

/** Behaviour that only a wire shows; the rest of a guarded number is in the conformance suite. */
const setUp = useWire();

async function guard({ world }: WireHarness) {
  world.phones.update({ phone: ME, device: 0 }, { requiresPasskey: true });
  const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });
  await world.passkeys.keep(ME, browser.create(world.passkeys.creation(ME)));
  return browser;
}

interface Try {
  readonly attempt: PairingAttempt;
  readonly progress: readonly PairingProgress[];
}

function pair({ driver }: WireHarness, method: PairingRequest['method']): Try {
  const progress: PairingProgress[] = [];
  const onProgress = (step: PairingProgress): void => void progress.push(step);
  return { attempt: driver.pair({ linkId: 'link', phone: ME, method, onProgress }), progress };
}

const shown = <Kind extends PairingProgress['kind']>({ progress }: Try, kind: Kind) =>
  vi.waitFor(() => find(progress, kind), WAIT);

describe('pairing by code', () => {
  test('continues when the phone leaves its key out of its greeting, and makes the owner compare codes', async () => {
    const harness = await setUp();
    const browser = await guard(harness);
    harness.world.passkeys.arm(ME, 'passkey_bare_code', 1);
    const pairing = pair(harness, 'code');
    const { code } = await shown(pairing, 'code');
    const linking = harness.wire.pairing.enterCode(ME, code);
    const { options } = await shown(pairing, 'passkey');
    pairing.attempt.answerPasskey(browser.get(options));
    const compared = await shown(pairing, 'confirm');
    await vi.waitFor(() =>
      expect(harness.wire.pairing.guarded(ME)).toEqual({ stage: 'compare', code: compared.code }),
    );
    pairing.attempt.confirm();
    const { sessionId } = await shown(pairing, 'paired');
    expect((await linking).sessionId).toBe(sessionId);
  });
});

describe('secrets of the ceremony', () => {
  test('are in no log, no console output, and no table in clear', async () => {
    const logged: unknown[] = [];
    const log = {
      debug: (...line: unknown[]) => void logged.push(line),
      warn: (...line: unknown[]) => void logged.push(line),
    };
    const printed = vi.spyOn(process.stdout, 'write');
    const complained = vi.spyOn(process.stderr, 'write');
    const harness = await setUp({ log });
    const browser = await guard(harness);
    harness.world.passkeys.arm(ME, 'passkey_refused', 1);

    const secrets: string[] = [];
    const link = async (): Promise<Try> => {
      const pairing = pair(harness, 'qr');
      const { qr } = await shown(pairing, 'qr');
      harness.wire.pairing.scan(ME, qr).catch(() => {});
      const { options } = await shown(pairing, 'passkey');
      await harness.advance(300_000);
      const credential = browser.get(options);
      const { clientDataJSON, signature } = credential.response;
      secrets.push(qr.split(',')[3] ?? '', options.challenge, credential.id, clientDataJSON, signature);
      pairing.attempt.answerPasskey(credential);
      return pairing;
    };
    expect(await shown(await link(), 'failed')).toMatchObject({ cause: 'refused' });
    const pairing = await link();
    secrets.push((await shown(pairing, 'confirm')).code);
    pairing.attempt.confirm();
    await shown(pairing, 'paired');
    expect(harness.wire.pairing.unacknowledged, 'notifications that the network would repeat').toBe(0);

    const tables = await harness.store.read.selectFrom('network_links').selectAll().execute();
    expect(tables).toHaveLength(1);
    const everything = [
      JSON.stringify(logged),
      JSON.stringify(printed.mock.calls),
      JSON.stringify(complained.mock.calls),
      ...tables.map(({ creds }) => Buffer.from(creds).toString('latin1')),
    ].join('\n');
    expect(secrets).toHaveLength(11);
    for (const secret of secrets) expect(everything).not.toContain(secret);
    vi.restoreAllMocks();
  });
});

describe('a connection that is lost while the owner uses the passkey', () => {
  test('ends the attempt with a plain reason, and shows no other QR', async () => {
    const harness = await setUp();
    await guard(harness);
    const pairing = pair(harness, 'qr');
    const { qr } = await shown(pairing, 'qr');
    harness.wire.pairing.scan(ME, qr).catch(() => {});
    await shown(pairing, 'passkey');
    await harness.wire.stop();
    const { reason, cause } = await shown(pairing, 'failed');
    expect(reason).toMatch(/connection .* was lost while the passkey was used/);
    expect(cause).toBeUndefined();
    expect(pairing.progress.map(({ kind }) => kind)).toEqual(['qr', 'passkey', 'failed']);
  });
});
