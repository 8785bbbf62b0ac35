import { createSoftAuthenticator, type SoftAuthenticator } from '@parley/sandbox/authenticator';
import type { PhoneSettings } from '@parley/sandbox/world';
import { describe, expect, it } from 'vitest';
import {
  PASSKEY_PATIENCE_MS,
  type PairingAttempt,
  type PairingProgress,
  type PairingRequest,
} from '../../port.ts';
import type { CreateHarness } from './harness.ts';
import { find, type LinkedNumber, type TestContact, useStage } from './stage.ts';

/** Within this time from the challenge, no comparison is needed. */
export const NEAR_MS = 5 * 60_000;

export function describePasskey(createHarness: CreateHarness): void {
  describe('pairing with a passkey', () => {
    const stage = useStage(createHarness);

    interface Guarded extends TestContact {
      readonly browser: SoftAuthenticator;
    }

    interface Try {
      readonly linkId: string;
      readonly progress: PairingProgress[];
      readonly attempt: PairingAttempt;
      /** Outcome on the phone. */
      readonly linking: Promise<unknown>;
    }

    /** A person with a guarded account, and the browser that has the passkey. */
    const guardedOne = async (settings: Partial<PhoneSettings> = {}): Promise<Guarded> => {
      const owner = stage.someone('Ada', { requiresPasskey: true, ...settings });
      const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });
      const { passkeys } = stage.world;
      await passkeys.keep(owner.phone, browser.create(passkeys.creation(owner.phone)));
      return { ...owner, browser };
    };

    /** Runs up to the phone's part of it. */
    const begin = async (owner: TestContact, method: PairingRequest['method'] = 'qr'): Promise<Try> => {
      const linkId = stage.newLinkId();
      const progress: PairingProgress[] = [];
      const onProgress = (step: PairingProgress): void => {
        progress.push(step);
      };
      const { driver, pairing } = stage.harness;
      const attempt = driver.pair({ linkId, phone: owner.phone, method, onProgress });
      const linking =
        method === 'qr'
          ? pairing.scan(owner.phone, (await shown({ progress }, 'qr')).qr)
          : pairing.enterCode(owner.phone, (await shown({ progress }, 'code')).code);
      return { linkId, progress, attempt, linking: linking.catch((error: unknown) => error) };
    };

    const shown = <Kind extends PairingProgress['kind']>(
      { progress }: Pick<Try, 'progress'>,
      kind: Kind,
    ): Promise<Extract<PairingProgress, { kind: Kind }>> => stage.eventually(() => find(progress, kind));

    const answer = async (attempt: Try, { browser }: Guarded): Promise<void> => {
      const { options } = await shown(attempt, 'passkey');
      attempt.attempt.answerPasskey(browser.get(options));
    };

    const kinds = ({ progress }: Try): string[] => progress.map(({ kind }) => kind);

    const expectNothingLeft = async (owner: TestContact, { linkId }: Try): Promise<void> => {
      const number: LinkedNumber = { ...owner, linkId, sessionId: 'none' };
      const { session } = stage.open(number);
      await stage.eventually(() =>
        expect(session.state).toMatchObject({ kind: 'ended', cause: 'logged_out' }),
      );
      await session.close();
      expect(stage.world.devices.of(owner.phone)).toEqual([]);
    };

    it.each(['qr', 'code'] as const)('links a guarded number by %s', async (method) => {
      const ada = await guardedOne();
      const attempt = await begin(ada, method);
      const { options, expiresAt } = await shown(attempt, 'passkey');
      expect(options).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 600_000,
        rpId: 'localhost',
        allowCredentials: [],
        userVerification: 'required',
        extensions: { uvm: true },
      });
      expect(expiresAt).toBeGreaterThan(0);
      expect(stage.harness.pairing.guarded(ada.phone)).toEqual({ stage: 'continue' });
      expect(stage.world.devices.of(ada.phone)).toEqual([]);

      await answer(attempt, ada);

      const { sessionId } = await shown(attempt, 'paired');
      expect(await attempt.linking).toMatchObject({ sessionId });
      expect(kinds(attempt)).toEqual([method, 'passkey', 'paired']);
      expect(stage.harness.pairing.guarded(ada.phone)).toBeUndefined();
    });

    it('shows no other QR or code after the challenge, and gives the owner more time than a QR has', async () => {
      const ada = await guardedOne();
      const attempt = await begin(ada);
      await shown(attempt, 'passkey');
      await stage.harness.advance(4 * 60_000);
      expect(kinds(attempt)).toEqual(['qr', 'passkey']);
      await answer(attempt, ada);
      await shown(attempt, 'paired');
    });

    it.each(['qr', 'code'] as const)(
      'requires a comparison when that took longer than five minutes, by %s',
      async (method) => {
        const ada = await guardedOne();
        const attempt = await begin(ada, method);
        const { expiresAt } = await shown(attempt, 'passkey');
        await stage.harness.advance(NEAR_MS);
        await answer(attempt, ada);

        const confirm = await shown(attempt, 'confirm');
        expect(confirm).toEqual({ kind: 'confirm', code: expect.stringMatching(/^[1-9A-Z]{8}$/), expiresAt });
        await stage.eventually(() =>
          expect(stage.harness.pairing.guarded(ada.phone)).toEqual({ stage: 'compare', code: confirm.code }),
        );
        expect(stage.world.devices.of(ada.phone)).toEqual([]);

        attempt.attempt.confirm();
        await shown(attempt, 'paired');
        expect(kinds(attempt)).toEqual([method, 'passkey', 'confirm', 'paired']);
      },
    );

    it('ignores unrequested and second answers, and an early confirmation', async () => {
      const ada = await guardedOne();
      const attempt = await begin(ada);
      const { options } = await shown(attempt, 'passkey');
      attempt.attempt.confirm();
      const first = ada.browser.get(options);
      attempt.attempt.answerPasskey(first);
      attempt.attempt.answerPasskey({ ...first, response: { ...first.response, signature: 'AAAA' } });
      await shown(attempt, 'paired');
      attempt.attempt.answerPasskey(first);
      attempt.attempt.confirm();
      expect(kinds(attempt)).toEqual(['qr', 'passkey', 'paired']);
    });

    it('shows no challenge for a number that is not guarded', async () => {
      const ben = stage.someone('Ben');
      const attempt = await begin(ben);
      await shown(attempt, 'paired');
      expect(kinds(attempt)).toEqual(['qr', 'paired']);
    });

    it('fails with no_passkey when there is none', async () => {
      const ada = stage.someone('Ada', { requiresPasskey: true });
      const attempt = await begin(ada);
      const failed = await shown(attempt, 'failed');
      expect(failed).toMatchObject({ cause: 'no_passkey', reason: expect.stringMatching(/^[A-Z].*\.$/) });
      expect(await attempt.linking).toBeInstanceOf(Error);
      await expectNothingLeft(ada, attempt);
    });

    it('requests the options when they did not come with the request', async () => {
      const ada = await guardedOne();
      stage.world.passkeys.arm(ada.phone, 'passkey_options_missing', 1);
      const attempt = await begin(ada);
      await answer(attempt, ada);
      await shown(attempt, 'paired');
      expect(kinds(attempt)).toEqual(['qr', 'passkey', 'paired']);
    });

    it('fails with refused when the network refuses the assertion', async () => {
      const [ada, eve] = [await guardedOne(), await guardedOne()];
      const attempt = await begin(ada);
      await answer(attempt, eve);
      expect(await shown(attempt, 'failed')).toMatchObject({ cause: 'refused' });
      await expectNothingLeft(ada, attempt);

      const again = await begin(ada);
      await answer(again, ada);
      await shown(again, 'paired');
    });

    it('fails with refused when an assertion of an earlier attempt is replayed', async () => {
      const ada = await guardedOne();
      const first = await begin(ada);
      const { options } = await shown(first, 'passkey');
      const old = ada.browser.get(options);
      await first.attempt.cancel();
      const second = await begin(ada);
      await shown(second, 'passkey');
      second.attempt.answerPasskey(old);
      expect(await shown(second, 'failed')).toMatchObject({ cause: 'refused' });
      await expectNothingLeft(ada, second);
    });

    it('fails with not_continued when the phone does not continue, before the whole time is over', async () => {
      const ada = await guardedOne();
      stage.world.passkeys.arm(ada.phone, 'passkey_no_continuation', 1);
      const attempt = await begin(ada);
      await answer(attempt, ada);
      await stage.eventually(async () => {
        await stage.harness.advance(10_000);
        expect(find(attempt.progress, 'failed')).toMatchObject({ cause: 'not_continued' });
      });
      await expectNothingLeft(ada, attempt);
    });

    it('fails with expired when the passkey was not used', async () => {
      const ada = await guardedOne();
      const attempt = await begin(ada);
      await shown(attempt, 'passkey');
      await stage.harness.advance(PASSKEY_PATIENCE_MS);
      expect(await shown(attempt, 'failed')).toMatchObject({ cause: 'expired' });
      await expectNothingLeft(ada, attempt);
    });

    it('fails with expired when the codes were not compared', async () => {
      const ada = await guardedOne();
      const attempt = await begin(ada);
      await shown(attempt, 'passkey');
      await stage.harness.advance(NEAR_MS);
      await answer(attempt, ada);
      await shown(attempt, 'confirm');
      await stage.harness.advance(PASSKEY_PATIENCE_MS - NEAR_MS);
      expect(await shown(attempt, 'failed')).toMatchObject({ cause: 'expired' });
      await expectNothingLeft(ada, attempt);
    });

    it('shows a new challenge when the network sends one, and accepts only the newest', async () => {
      const ada = await guardedOne();
      stage.world.passkeys.arm(ada.phone, 'passkey_second_request', 1);
      const attempt = await begin(ada);
      const first = await shown(attempt, 'passkey');
      attempt.attempt.answerPasskey(ada.browser.get(first.options));
      const second = await stage.eventually(() => {
        const newest = find(attempt.progress, 'passkey');
        expect(newest.options.challenge).not.toBe(first.options.challenge);
        return newest;
      });
      attempt.attempt.answerPasskey(ada.browser.get(second.options));
      await stage.eventually(() => expect(kinds(attempt).slice(0, 3)).toEqual(['qr', 'passkey', 'passkey']));
      await stage.eventually(() => {
        attempt.attempt.confirm();
        find(attempt.progress, 'paired');
      });
      expect(stage.world.devices.of(ada.phone)).toHaveLength(1);
    });

    it('fails with superseded when the network keeps sending new challenges', async () => {
      const ada = await guardedOne();
      stage.world.passkeys.arm(ada.phone, 'passkey_second_request', 100);
      const attempt = await begin(ada);
      await stage.eventually(() => {
        attempt.attempt.answerPasskey(ada.browser.get(find(attempt.progress, 'passkey').options));
        expect(find(attempt.progress, 'failed')).toMatchObject({ cause: 'superseded' });
      });
      await expectNothingLeft(ada, attempt);
    });

    it.each([['before anything was signed'], ['while the owner compares']])(
      'leaves nothing behind when it is cancelled %s',
      async (when) => {
        const ada = await guardedOne();
        const attempt = await begin(ada);
        await shown(attempt, 'passkey');
        if (when === 'while the owner compares') {
          await stage.harness.advance(NEAR_MS);
          await answer(attempt, ada);
          await shown(attempt, 'confirm');
        }
        const stepsBefore = attempt.progress.length;
        await attempt.attempt.cancel();
        expect(await attempt.linking).toBeInstanceOf(Error);
        attempt.attempt.confirm();
        await stage.harness.advance(PASSKEY_PATIENCE_MS);
        expect(attempt.progress).toHaveLength(stepsBefore);
        await expectNothingLeft(ada, attempt);
      },
    );

    it('leaves nothing behind when the driver crashes during it, and a fresh attempt works', async () => {
      const ada = await guardedOne();
      const attempt = await begin(ada);
      await shown(attempt, 'passkey');
      await stage.harness.restart();
      await expectNothingLeft(ada, attempt);
      const again = await begin(ada);
      await answer(again, ada);
      await shown(again, 'paired');
      expect(stage.world.devices.of(ada.phone)).toHaveLength(1);
    });
  });
}
