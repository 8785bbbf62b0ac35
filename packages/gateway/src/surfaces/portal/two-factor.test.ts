import type { BrowserSessionList, MemberList, RecoveryCodes, TwoFactorBegun } from '@parley/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt } from '#accounts/testing';
import { createSteppedClock, type TravelClock } from '#kernel';
import { startGateway, type TestGateway } from '#testing';
import { type Browser, expectRefusal, openBrowser } from './testing/browser.ts';
import { type Owner, PASSWORD, signIn } from './testing/owners.ts';

const PERIOD_MS = 30_000;
const isSignedIn = async (browser: Browser) => (await browser.ask('GET', '/me')).statusCode === 200;

let gateway: TestGateway;
let machineClock: TravelClock;
let places = 0;
const openBrowserElsewhere = (): Browser => openBrowser(gateway, `192.0.2.${++places}`);

describe('access to an account', () => {
  beforeAll(async () => {
    machineClock = createSteppedClock();
    gateway = await startGateway({ machineClock });
  });
  afterAll(() => gateway.close());

  describe('with a second factor', () => {
    let ada: Owner;
    let secret: Buffer;
    let recoveryCodes: string[];

    const codeNow = () => codeAt(secret, machineClock.now());
    const enter = (code: string | undefined, browser = openBrowserElsewhere(), password = PASSWORD) =>
      browser.ask('POST', '/sign-in', { email: ada.email, password, ...(code !== undefined && { code }) });
    const actions = async () => {
      const path = `/audit?account_id=${ada.accountId}`;
      const { entries } = await gateway.operate<{ entries: { action: string; actor: string }[] }>(
        'GET',
        path,
      );
      return entries.map(({ action, actor }) => `${action} by ${actor.split(':', 1)}`);
    };

    beforeEach(async () => {
      ada = await signIn(gateway);
      const begun = await ada.browser.post<TwoFactorBegun>('/me/two-factor', { password: PASSWORD });
      expect(begun.uri).toContain(`secret=${begun.secret}&issuer=Parley`);
      secret = fromBase32(begun.secret);
      const confirmed = await ada.browser.post<RecoveryCodes>('/me/two-factor/confirm', { code: codeNow() });
      recoveryCodes = confirmed.recovery_codes;
      machineClock.advance(PERIOD_MS);
    });

    it('the password alone is not enough, and a wrong one is refused as without a second factor', async () => {
      expectRefusal(await enter(undefined), 'second_factor_required');
      expectRefusal(await enter(undefined, openBrowserElsewhere(), 'a wrong password'), 'sign_in_failed');
      expectRefusal(await enter(codeNow(), openBrowserElsewhere(), 'a wrong password'), 'sign_in_failed');
      const browser = openBrowserElsewhere();
      expect((await enter(codeNow(), browser)).statusCode).toBe(200);
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('a code counts once, and invalidates older ones', async () => {
      const [before, now] = [codeAt(secret, machineClock.now() - PERIOD_MS), codeNow()];
      expect((await enter(now)).statusCode).toBe(200);
      expectRefusal(await enter(now), 'code_wrong');
      expectRefusal(await enter(before), 'code_wrong');
      machineClock.advance(PERIOD_MS);
      expect((await enter(codeNow())).statusCode).toBe(200);
    });

    it('guessing ends after five codes from any network, also for the right one', async () => {
      for (let i = 0; i < 5; i++) expectRefusal(await enter('000000'), 'code_wrong');
      const refused = await enter(codeNow());
      expectRefusal(refused, 'sign_in_too_often');
      expect(refused.headers['retry-after']).toBe('300');
      machineClock.advance(300_000);
      expect((await enter(codeNow())).statusCode).toBe(200);
    });

    it('a recovery code replaces the app’s code, once', async () => {
      const [first = '', second = ''] = recoveryCodes;
      expect(recoveryCodes).toHaveLength(10);
      expect(new Set(recoveryCodes).size).toBe(10);
      const browser = openBrowserElsewhere();
      expect((await enter(first.toUpperCase().replaceAll('-', ' '), browser)).statusCode).toBe(200);
      expectRefusal(await enter(first), 'code_wrong');
      expect(await browser.get('/me/two-factor')).toEqual({ enabled: true, recovery_codes_left: 9 });
      expect((await enter(second)).statusCode).toBe(200);
      expect((await actions())[0]).toBe('two_factor.recovery_code_used by member');
    });

    it('neither the secret nor a recovery code can be read from the database', async () => {
      const { read } = gateway.app.store;
      const factors = await read.selectFrom('second_factors').selectAll().execute();
      for (const { sealed } of factors) expect(Buffer.from(sealed).includes(secret)).toBe(false);
      const codes = await read.selectFrom('recovery_codes').selectAll().execute();
      const stored = codes.map(({ code_hash }) => Buffer.from(code_hash).toString('latin1')).join();
      for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
      for (const shown of [...recoveryCodes, codeNow()]) expect(gateway.log()).not.toContain(shown);
    });

    it('turning it off takes the password and a code', async () => {
      const browser = openBrowserElsewhere();
      await enter(codeNow(), browser);
      machineClock.advance(PERIOD_MS);
      const off = (password: string, code: string) =>
        browser.ask('POST', '/me/two-factor/off', { password, code });
      expectRefusal(await off('a wrong password', codeNow()), 'password_wrong');
      expectRefusal(await off(PASSWORD, '000000'), 'code_wrong');
      expect((await off(PASSWORD, codeNow())).statusCode).toBe(204);
      expect((await enter(undefined)).statusCode).toBe(200);
      expect(await browser.get('/me/two-factor')).toEqual({ enabled: false, recovery_codes_left: 0 });
      expect((await actions()).slice(0, 2)).toEqual([
        'two_factor.disabled by member',
        'two_factor.enabled by member',
      ]);
    });

    it('the operator turns it off for a member who has lost password and app', async () => {
      const members = `/accounts/${ada.accountId}/members`;
      const {
        members: [member],
      } = await gateway.operate<MemberList>('GET', members);
      expect(member).toMatchObject({ two_factor: true });
      await gateway.operate('DELETE', `${members}/${member?.member_id}/two-factor`);
      expect((await enter(undefined)).statusCode).toBe(200);
      expect((await actions())[0]).toBe('two_factor.reset by operator');
    });

    it('a recovered password leaves it on', async () => {
      const path = `/accounts/${ada.accountId}/reset-password`;
      const { url } = await gateway.operate<{ url: string }>('POST', path);
      const body = { token: new URL(url).hash.slice(1), new_password: 'another horse entirely' };
      await openBrowserElsewhere().post('/recovery/password', body);
      expectRefusal(
        await enter(undefined, openBrowserElsewhere(), body.new_password),
        'second_factor_required',
      );
    });
  });

  describe('turning it on', () => {
    it('takes the password, and a code of the app before anything changes', async () => {
      const ada = await signIn(gateway);
      expectRefusal(await ada.browser.ask('POST', '/me/two-factor', { password: 'wrong' }), 'password_wrong');
      expectRefusal(
        await ada.browser.ask('POST', '/me/two-factor/confirm', { code: '123456' }),
        'two_factor_off',
      );
      await ada.browser.post('/me/two-factor', { password: PASSWORD });
      expectRefusal(
        await ada.browser.ask('POST', '/me/two-factor/confirm', { code: '000000' }),
        'code_wrong',
      );
      const again = openBrowserElsewhere();
      await again.post('/sign-in', { email: ada.email, password: PASSWORD });
      expect(await again.get('/me/two-factor')).toEqual({ enabled: false, recovery_codes_left: 0 });
    });

    it('ends earlier sessions, except this one', async () => {
      const ada = await signIn(gateway);
      const other = openBrowserElsewhere();
      await other.post('/sign-in', { email: ada.email, password: PASSWORD });
      const { secret } = await ada.browser.post<TwoFactorBegun>('/me/two-factor', { password: PASSWORD });
      const code = codeAt(fromBase32(secret), machineClock.now());
      await ada.browser.post('/me/two-factor/confirm', { code });
      expect([await isSignedIn(ada.browser), await isSignedIn(other)]).toEqual([true, false]);
      expectRefusal(await ada.browser.ask('POST', '/me/two-factor', { password: PASSWORD }), 'two_factor_on');
    });
  });

  describe('signed-in browsers', () => {
    it('are listed with place and time of the sign-in, and can be signed out one by one', async () => {
      const ada = await signIn(gateway);
      machineClock.advance(60_000);
      const other = openBrowserElsewhere();
      const headers = {
        'x-parley-portal': '1',
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Firefox/150',
      };
      await other.ask('POST', '/sign-in', { email: ada.email, password: PASSWORD }, headers);
      const list = async () => (await ada.browser.get<BrowserSessionList>('/me/sessions')).sessions;
      const sessions = await list();
      const now = new Date(gateway.clock.now()).toISOString();
      expect(sessions).toMatchObject([
        { browser: 'Firefox/150', address: `192.0.2.${places}`, signed_in_at: now, current: false },
        { address: '198.51.100.7', current: true },
      ]);
      const [{ session_id } = { session_id: '' }] = sessions;
      const stranger = await signIn(gateway);
      const end = (browser: Browser) => browser.ask('DELETE', `/me/sessions/${session_id}`);
      expectRefusal(await end(stranger.browser), 'browser_session_not_found');
      expect((await end(ada.browser)).statusCode).toBe(204);
      expectRefusal(await end(ada.browser), 'browser_session_not_found');
      expect([await isSignedIn(ada.browser), await isSignedIn(other)]).toEqual([true, false]);
      expect(await list()).toHaveLength(1);
    });
  });
});

function fromBase32(text: string): Buffer {
  const bits = [...text].map((character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
