import { describe, expect, it } from 'vitest';
import type { PairingAttempt, PairingProgress, PairingRequest } from '../../port.ts';
import type { CreateHarness } from './harness.ts';
import { find, type LinkedNumber, type TestContact, useStage } from './stage.ts';

export function describePairing(createHarness: CreateHarness): void {
  describe('pairing', () => {
    const stage = useStage(createHarness);

    interface Try {
      readonly linkId: string;
      readonly progress: PairingProgress[];
      readonly attempt: PairingAttempt;
    }

    const pair = (owner: TestContact, method: PairingRequest['method']): Try => {
      const linkId = stage.newLinkId();
      const progress: PairingProgress[] = [];
      const onProgress = (step: PairingProgress): void => {
        progress.push(step);
      };
      const attempt = stage.harness.driver.pair({ linkId, phone: owner.phone, method, onProgress });
      return { linkId, progress, attempt };
    };

    const shown = <Kind extends 'qr' | 'code' | 'failed' | 'paired'>(
      { progress }: Try,
      kind: Kind,
    ): Promise<Extract<PairingProgress, { kind: Kind }>> => stage.eventually(() => find(progress, kind));

    const expectNothingKept = async (owner: TestContact, { linkId }: Try): Promise<void> => {
      const number: LinkedNumber = { ...owner, linkId, sessionId: 'none' };
      const { session } = stage.open(number);
      await stage.eventually(() =>
        expect(session.state).toMatchObject({ kind: 'ended', cause: 'logged_out' }),
      );
      await session.close();
    };

    it('links the number that scans the QR, and keeps no connection afterwards', async () => {
      const ada = stage.someone();
      const attempt = pair(ada, 'qr');
      const { qr } = await shown(attempt, 'qr');

      const device = await stage.harness.pairing.scan(ada.phone, qr);

      const { sessionId, lid } = await shown(attempt, 'paired');
      expect(sessionId).toBe(device.sessionId);
      expect([undefined, ada.lid]).toContain(lid);
      await stage.eventually(() =>
        expect(stage.world.devices.of(ada.phone)).toMatchObject([{ sessionId, attached: false }]),
      );
    });

    it('links the number whose phone enters the code', async () => {
      const ada = stage.someone();
      const attempt = pair(ada, 'code');
      const { code } = await shown(attempt, 'code');
      expect(code).toMatch(/^[A-Z0-9]{8}$/);

      const device = await stage.harness.pairing.enterCode(ada.phone, code);

      expect(await shown(attempt, 'paired')).toMatchObject({ sessionId: device.sessionId });
      expect(attempt.progress.map(({ kind }) => kind)).toEqual(['code', 'paired']);
    });

    it('shows a fresh QR when the old one has expired, and only the fresh one links', async () => {
      const ada = stage.someone();
      const attempt = pair(ada, 'qr');
      const first = await shown(attempt, 'qr');

      await stage.harness.advance(61_000);
      const second = await stage.eventually(() => {
        const latest = find(attempt.progress, 'qr');
        expect(latest.qr).not.toBe(first.qr);
        return latest;
      });

      expect(second.expiresAt).toBeGreaterThan(first.expiresAt);
      await expect(stage.harness.pairing.scan(ada.phone, first.qr)).rejects.toThrow();
      await stage.harness.pairing.scan(ada.phone, second.qr);
      await shown(attempt, 'paired');
      expect(stage.world.devices.of(ada.phone)).toHaveLength(1);
    });

    it('leaves nothing behind when it is cancelled, however often', async () => {
      const ada = stage.someone();
      const attempt = pair(ada, 'qr');
      const { qr } = await shown(attempt, 'qr');

      await attempt.attempt.cancel();
      await attempt.attempt.cancel();
      const stepsBefore = attempt.progress.length;

      await expect(stage.harness.pairing.scan(ada.phone, qr)).rejects.toThrow();
      expect(stage.world.devices.of(ada.phone)).toEqual([]);
      await expectNothingKept(ada, attempt);
      await stage.harness.advance(61_000);
      expect(attempt.progress).toHaveLength(stepsBefore);
    });

    it('can be cancelled before anything was shown', async () => {
      const ada = stage.someone();
      const attempt = pair(ada, 'code');
      await attempt.attempt.cancel();
      await expectNothingKept(ada, attempt);
      expect(attempt.progress).toEqual([]);
    });

    it('fails when another number scans, and unlinks that number again', async () => {
      const ada = stage.someone('Ada');
      const ben = stage.someone('Ben');
      const attempt = pair(ada, 'qr');
      const { qr } = await shown(attempt, 'qr');

      await stage.harness.pairing.scan(ben.phone, qr).catch(() => 'the phone may get the error as well');

      const { reason } = await shown(attempt, 'failed');
      expect(reason).not.toBe('');
      expect(reason).not.toContain(ben.phone);
      expect(attempt.progress.at(-1)?.kind).toBe('failed');
      await stage.eventually(() => expect(stage.world.devices.of(ben.phone)).toEqual([]));
      await expectNothingKept(ada, attempt);
    });

    it('does not link another number that enters the code', async () => {
      const ada = stage.someone('Ada');
      const ben = stage.someone('Ben');
      const attempt = pair(ada, 'code');
      const { code } = await shown(attempt, 'code');

      await stage.harness.pairing.enterCode(ben.phone, code).catch(() => 'a wrong code to this phone');

      await stage.eventually(() => expect(stage.world.devices.of(ben.phone)).toEqual([]));
      await attempt.attempt.cancel();
      expect(attempt.progress.map(({ kind }) => kind)).not.toContain('paired');
    });

    it('keeps two concurrent attempts apart', async () => {
      const ada = stage.someone('Ada');
      const ben = stage.someone('Ben');
      const [first, second] = [pair(ada, 'qr'), pair(ben, 'qr')];
      const [qrOfAda, qrOfBen] = [await shown(first, 'qr'), await shown(second, 'qr')];

      await stage.harness.pairing.scan(ben.phone, qrOfBen.qr);
      await stage.harness.pairing.scan(ada.phone, qrOfAda.qr);

      expect((await shown(first, 'paired')).sessionId).toContain(ada.phone);
      expect((await shown(second, 'paired')).sessionId).toContain(ben.phone);
    });

    it('shows no more once the driver is closed, and links no number', async () => {
      const ada = stage.someone();
      const attempt = pair(ada, 'qr');
      const { qr } = await shown(attempt, 'qr');

      await stage.harness.driver.close();
      const stepsBefore = attempt.progress.length;

      await expect(stage.harness.pairing.scan(ada.phone, qr)).rejects.toThrow();
      expect(attempt.progress).toHaveLength(stepsBefore);
      await stage.harness.restart();
    });
  });
}
