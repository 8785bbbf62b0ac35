import type { PasskeyCredential } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import { assertion, CHALLENGE, guard, OPTIONS } from '../testing/guarded.ts';
import { describeSessions, ORIGIN } from '../testing/harness.ts';
import { answerOnboarding, cancelOnboarding, confirmOnboarding, pollOnboarding } from './onboard.ts';

const MINUTE_MS = 60_000;

describeSessions('pairing a guarded account', (harness) => {
  const asker = ({ accountId }: OwnedNumber) => ({ accountId, phone: null, origin: ORIGIN });
  const answer = (number: OwnedNumber, id: string, credential: PasskeyCredential = assertion()) =>
    answerOnboarding(harness().onboard, asker(number), id, credential);
  const confirm = (number: OwnedNumber, id: string) =>
    confirmOnboarding(harness().onboard, asker(number), id);
  const giveUp = (number: OwnedNumber, id: string) => cancelOnboarding(harness().onboard, asker(number), id);
  const until = () => harness().clock.now() + 10 * MINUTE_MS;
  const askPasskey = (challenge = CHALLENGE) =>
    ({ kind: 'passkey', options: { ...OPTIONS, challenge }, expiresAt: until() }) as const;
  const askConfirm = (code = 'K7QF2MXB') => ({ kind: 'confirm', code, expiresAt: until() }) as const;

  /** An attempt whose phone waits for the passkey. */
  async function guarded(number?: OwnedNumber) {
    const process = await harness().startProcess();
    const own = number ?? (await harness().newNumber());
    const network = guard(process, own);
    const id = await harness().start(own);
    await harness().pollUntil(own, id, 'qr');
    network.say(askPasskey());
    const shown = await harness().pollUntil(own, id, 'passkey');
    return { process, number: own, network, id, shown };
  }

  describe('shows the question to its passkey', () => {
    it('with the network’s own options, a page for the owner, and ten minutes', async () => {
      const { id, shown } = await guarded();
      expect(shown).toEqual({
        onboard_id: id,
        status: 'passkey',
        passkey: {
          options: OPTIONS,
          url: expect.stringMatching(/^https:\/\/gateway\.example\.com\/link\/[\w-]{43}$/),
          expires_at_unix: Math.floor(until() / 1_000),
        },
      });
    });

    it('under the host name of the sandbox’s passkeys, because a browser cannot sign for an address', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const network = guard(process, number);
      const id = await harness().start(number);
      await harness().pollUntil(number, id, 'qr');
      network.say({ ...askPasskey(), options: { ...OPTIONS, rpId: 'localhost' } });
      await harness().pollUntil(number, id, 'passkey');
      const here = { ...asker(number), origin: 'http://127.0.0.1:8080' };
      const { passkey } = await pollOnboarding(harness().onboard, here, id);
      expect(passkey?.url).toMatch(/^http:\/\/localhost:8080\/link\//);
    });

    it('and stores none of it unsealed', async () => {
      const { number, id, shown } = await guarded();
      const rows = async () => {
        const onboardings = await harness().store.read.selectFrom('onboardings').selectAll().execute();
        const links = await harness().store.read.selectFrom('onboarding_links').selectAll().execute();
        return Buffer.concat(
          [...onboardings, ...links]
            .flatMap((row) => Object.values(row))
            .map((value) => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(`${value} `))),
        );
      };
      const token = shown.passkey?.url.split('/').at(-1) ?? '';
      const before = await rows();
      await answer(number, id);
      const after = await rows();
      for (const text of [
        token,
        CHALLENGE,
        'whatsapp.com',
        'c2lnbmF0dXJl',
        assertion().response.clientDataJSON,
      ]) {
        expect(before.includes(text)).toBe(false);
        expect(after.includes(text)).toBe(false);
      }
    });
  });

  describe('goes on with the owner’s answer', () => {
    it('and is paired when the phone agrees too', async () => {
      const { number, network, id } = await guarded();
      expect(await answer(number, id)).toEqual({ onboard_id: id, status: 'pending' });
      await vi.waitFor(() => expect(network.received).toEqual([assertion()]));
      const sessionId = await network.link();
      expect(await harness().pollUntil(number, id, 'paired')).toEqual({
        onboard_id: id,
        status: 'paired',
        session_id: sessionId,
      });
      const rows = await harness().store.read.selectFrom('onboardings').select(['shown', 'answer']).execute();
      expect(rows).toEqual([{ shown: null, answer: null }]);
    });

    it('after the codes were compared, where the network wants that', async () => {
      const { number, network, id } = await guarded();
      await answer(number, id);
      await vi.waitFor(() => expect(network.received).toHaveLength(1));
      network.say(askConfirm());
      expect(await harness().pollUntil(number, id, 'confirm')).toEqual({
        onboard_id: id,
        status: 'confirm',
        code: 'K7QF-2MXB',
      });
      expect(await confirm(number, id)).toEqual({ onboard_id: id, status: 'pending' });
      await vi.waitFor(() => expect(network.received).toEqual([assertion(), 'confirmed']));
      await network.link();
      await harness().pollUntil(number, id, 'paired');
    });

    it('although another process took it and its bus message was lost', async () => {
      const { number, network, id } = await guarded();
      const withoutBus = { ...harness().onboard, bus: { ...harness().bus, publish: () => {} } };
      await answerOnboarding(withoutBus, asker(number), id, assertion());
      await harness().pass(5_000);
      await vi.waitFor(() => expect(network.received).toEqual([assertion()]));
    });

    it('once: no second answer reaches the network, neither from another tab nor by replay', async () => {
      const { number, network, id } = await guarded();
      const both = await Promise.allSettled([answer(number, id), answer(number, id)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await expect(answer(number, id)).rejects.toMatchObject({ code: 'passkey_not_asked' });
      await harness().pass(10_000);
      expect(network.received).toHaveLength(1);
    });
  });

  describe('refuses', () => {
    it('an assertion for another challenge, and keeps waiting', async () => {
      const { number, network, id } = await guarded();
      await expect(answer(number, id, assertion('b3RoZXI'))).rejects.toMatchObject({
        code: 'passkey_of_another_challenge',
        status: 400,
      });
      expect(await harness().poll(number, id)).toMatchObject({ status: 'passkey' });
      await answer(number, id);
      await vi.waitFor(() => expect(network.received).toEqual([assertion()]));
    });

    it('an answer without a question', async () => {
      await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      await harness().pollUntil(number, id, 'qr');
      await expect(answer(number, id)).rejects.toMatchObject({ code: 'passkey_not_asked', status: 409 });
      await expect(confirm(number, id)).rejects.toMatchObject({
        code: 'confirmation_not_asked',
        status: 409,
      });
    });

    it('a confirmation for a passkey question, and a passkey for a confirmation', async () => {
      const { number, network, id } = await guarded();
      await expect(confirm(number, id)).rejects.toMatchObject({ code: 'confirmation_not_asked' });
      await answer(number, id);
      await vi.waitFor(() => expect(network.received).toHaveLength(1));
      network.say(askConfirm());
      await harness().pollUntil(number, id, 'confirm');
      await expect(answer(number, id)).rejects.toMatchObject({ code: 'passkey_not_asked' });
    });

    it('a caller who does not own the attempt, or whose key is for another number', async () => {
      const { number, id } = await guarded();
      const stranger = { ...number, accountId: 'acc_other' };
      const other = { accountId: number.accountId, phone: '15550000000', origin: ORIGIN };
      for (const [attempt, code] of [
        [() => answer(stranger, id), 'onboarding_not_found'],
        [() => confirm(stranger, id), 'onboarding_not_found'],
        [() => giveUp(stranger, id), 'onboarding_not_found'],
        [() => answerOnboarding(harness().onboard, other, id, assertion()), 'key_restricted'],
        [() => confirmOnboarding(harness().onboard, other, id), 'key_restricted'],
        [() => cancelOnboarding(harness().onboard, other, id), 'key_restricted'],
      ] as const) {
        await expect(attempt()).rejects.toMatchObject({ code });
      }
      expect(await harness().poll(number, id)).toMatchObject({ status: 'passkey' });
    });
  });

  describe('asked again', () => {
    it('shows the new question on the same page, and drops the answer to the old one', async () => {
      const { process, number, network, id, shown } = await guarded();
      const restore = process.cutOff();
      await answer(number, id);
      restore();
      network.say(askPasskey('bmV3'));
      const again = await harness().pollUntil(number, id, 'passkey');
      expect(again.passkey?.options).toMatchObject({ challenge: 'bmV3' });
      expect(again.passkey?.url).toBe(shown.passkey?.url);
      await expect(answer(number, id)).rejects.toMatchObject({ code: 'passkey_of_another_challenge' });
      await answer(number, id, assertion('bmV3'));
      await vi.waitFor(() => expect(network.received.at(-1)).toEqual(assertion('bmV3')));
    });
  });

  describe('ends', () => {
    it('ten minutes after the passkey was asked for, however long the QR took, with an error code', async () => {
      const { number, network, id } = await guarded();
      await harness().pass(9 * MINUTE_MS + 50_000);
      expect(await harness().poll(number, id)).toMatchObject({ status: 'passkey' });
      await harness().pass(12_000);
      const over = {
        onboard_id: id,
        status: 'error',
        error: 'No passkey confirmed the pairing within ten minutes.',
        error_code: 'passkey_expired',
      };
      expect(await harness().poll(number, id)).toEqual(over);
      expect(network.isCancelled).toBe(true);
      await expect(answer(number, id)).rejects.toMatchObject({ code: 'passkey_not_asked' });
    });

    it('ten minutes after the codes were to be compared', async () => {
      const { number, network, id } = await guarded();
      await harness().pass(9 * MINUTE_MS);
      await answer(number, id);
      await vi.waitFor(() => expect(network.received).toHaveLength(1));
      network.say(askConfirm());
      await harness().pollUntil(number, id, 'confirm');
      await harness().pass(9 * MINUTE_MS);
      expect(await harness().poll(number, id)).toMatchObject({ status: 'confirm' });
      await harness().pass(MINUTE_MS + 2_000);
      expect(await harness().poll(number, id)).toMatchObject({ error_code: 'passkey_expired' });
    });

    it('for an answer that is too late, even when its worker died before the end', async () => {
      const { process, number, network, id } = await guarded();
      await answer(number, id);
      await vi.waitFor(() => expect(network.received).toHaveLength(1));
      network.say(askConfirm());
      await harness().pollUntil(number, id, 'confirm');
      process.crash();
      harness().clock.advance(10 * MINUTE_MS - 1);
      const shown = () => harness().store.read.selectFrom('onboardings').selectAll().execute();
      const before = await shown();
      harness().clock.advance(1);
      await expect(confirm(number, id)).rejects.toMatchObject({ code: 'confirmation_not_asked' });
      expect(await shown()).toEqual(before);
    });

    it.each([
      ['no_passkey', 'passkey_missing'],
      ['refused', 'passkey_refused'],
      ['expired', 'passkey_expired'],
      ['not_continued', 'passkey_not_continued'],
      ['superseded', 'passkey_superseded'],
    ] as const)('as the network says: %s', async (cause, error_code) => {
      const { number, network, id } = await guarded();
      network.say({ kind: 'failed', reason: 'In plain words.', cause });
      expect(await harness().pollUntil(number, id, 'error')).toEqual({
        onboard_id: id,
        status: 'error',
        error: 'In plain words.',
        error_code,
      });
    });

    it('in a clear error when its worker dies with the answer', async () => {
      const { process, number, network, id } = await guarded();
      process.cutOff();
      await answer(number, id);
      process.crash();
      await harness().startProcess();
      await harness().pass(15_000);
      expect(await harness().poll(number, id)).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/restarted/),
      });
      expect(network.received.length).toBeLessThanOrEqual(1);
      const rows = await harness().store.read.selectFrom('onboardings').select(['shown', 'answer']).execute();
      expect(rows).toEqual([{ shown: null, answer: null }]);
    });
  });

  describe('is cancelled', () => {
    it('by the account at any stage; the phone keeps no device, and a fresh attempt works', async () => {
      const { number, network, id } = await guarded();
      await giveUp(number, id);
      expect(await harness().poll(number, id)).toEqual({
        onboard_id: id,
        status: 'error',
        error: 'The pairing was given up.',
      });
      await vi.waitFor(() => expect(network.isCancelled).toBe(true));
      await giveUp(number, id);
      const next = await harness().start(number);
      await harness().pollUntil(number, next, 'qr');
      await network.link();
      await harness().pollUntil(number, next, 'paired');
    });

    it('too late after the phone has agreed: there is a session to delete', async () => {
      const process = await harness().startProcess();
      const number = await harness().newNumber();
      const id = await harness().start(number);
      const { qr } = await harness().pollUntil(number, id, 'qr');
      await process.driver.pairing.scan(number.phone, qr ?? '');
      await harness().pollUntil(number, id, 'paired');
      await expect(giveUp(number, id)).rejects.toMatchObject({ code: 'number_already_linked' });
      await vi.waitFor(async () =>
        expect(await harness().row(number)).toMatchObject({ status: 'connected' }),
      );
    });
  });
});
