import type { Account } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock, type TravelClock } from '#kernel';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { type Browser, expectRefusal, openBrowser } from './testing/browser.ts';
import { type Owner, PASSWORD, signIn } from './testing/owners.ts';

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.ask('GET', '/me')).statusCode === 200;

const tryToSignIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.ask('POST', '/sign-in', { email, password });

describe('signing in', () => {
  let gateway: TestGateway;
  let machineClock: TravelClock;
  let ada: Owner;
  let places = 0;

  /** Each test has a network of its own, so that none uses up another's attempts. */
  const openBrowserElsewhere = (): Browser => openBrowser(gateway, `198.51.100.${++places}`);

  beforeAll(async () => {
    machineClock = createSteppedClock();
    gateway = await startGateway({ machineClock });
    ada = await signIn(gateway);
  });
  afterAll(() => gateway.close());

  it('opens a new account where sign-up is open', async () => {
    const browser = openBrowserElsewhere();
    const given = { name: 'Grace', email: 'Grace@example.com', password: PASSWORD };
    const { account_id } = await browser.post<Account>('/sign-up', given);
    expect(await browser.get('/me')).toEqual({
      account_id,
      name: 'Grace',
      email: 'grace@example.com',
      member_id: expect.stringMatching(/^mem_/),
      role: 'owner',
      status: 'active',
      blocked: null,
      terms: { current_version: null, accepted_version: null, pending_version: null, url: null },
      deletion: null,
      visit: null,
    });
    const taken = await openBrowserElsewhere().ask('POST', '/sign-up', { ...given, name: 'Eve' });
    expectRefusal(taken, 'email_taken');
    const audit = await gateway.operate<{ entries: object[] }>('GET', `/audit?account_id=${account_id}`);
    expect(audit.entries).toMatchObject([
      { action: 'account.created', actor: expect.stringMatching(/^member:mem_/) },
    ]);
  });

  it('takes the right password, whatever the case of the email, and sets a cookie that only the server reads', async () => {
    const browser = openBrowserElsewhere();
    const answer = await tryToSignIn(browser, ada.email.toUpperCase());
    expect(answer.json()).toMatchObject({ account_id: ada.accountId, email: ada.email });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^parley_owner=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('has the same answer and timing for a wrong password and an unknown email', async () => {
    const browser = openBrowserElsewhere();
    await browser.post('/sign-up', { name: 'Mary', email: 'mary@example.com', password: PASSWORD });
    const timed = async (email: string) => {
      const startedAt = performance.now();
      expectRefusal(await tryToSignIn(browser, email, 'a wrong password'), 'sign_in_failed');
      return performance.now() - startedAt;
    };
    const wrong = await timed('mary@example.com');
    const unknown = await timed('unknown@example.com');
    // Without the hash it would be a hundred times faster; the machine may be busy with other things.
    expect(unknown).toBeGreaterThan(wrong / 8);
    expect(wrong).toBeGreaterThan(unknown / 8);
  });

  it('refuses every password of an account that has none', async () => {
    await gateway.operate('POST', '/accounts', { name: 'Quiet', email: 'quiet@example.com' });
    expectRefusal(await tryToSignIn(openBrowserElsewhere(), 'quiet@example.com'), 'sign_in_failed');
  });

  it('is refused after some wrong guesses, for a while, also with the right password', async () => {
    const guesser = openBrowserElsewhere();
    for (let i = 0; i < 5; i++)
      expectRefusal(await tryToSignIn(guesser, ada.email, `guess ${i}`), 'sign_in_failed');
    const refused = await tryToSignIn(guesser, ada.email);
    expectRefusal(refused, 'sign_in_too_often');
    expect(refused.headers['retry-after']).toBe('30');
    // From another network the owner still signs in.
    expect((await tryToSignIn(openBrowserElsewhere(), ada.email)).statusCode).toBe(200);
    machineClock.advance(30_000);
    expect((await tryToSignIn(guesser, ada.email)).statusCode).toBe(200);
  });

  it('does not count correct passwords', async () => {
    const browser = openBrowserElsewhere();
    for (let i = 0; i < 7; i++) expect((await tryToSignIn(browser, ada.email)).statusCode).toBe(200);
  });

  it('ends with signing out, also for a copied cookie', async () => {
    const { browser } = await signIn(gateway);
    const thief = openBrowserElsewhere();
    thief.keep(browser.cookie);
    expect(await isSignedIn(thief)).toBe(true);
    const answer = await browser.ask('POST', '/sign-out');
    expect(answer.headers['set-cookie']).toContain('parley_owner=; Max-Age=0');
    expect(browser.cookie).toBe('');
    expectRefusal(await thief.ask('GET', '/me'), 'sign_in_required');
    expect((await browser.ask('POST', '/sign-out')).statusCode).toBe(204);
  });

  it('replaces the earlier session of the same browser', async () => {
    const { browser, email } = await signIn(gateway);
    const copy = openBrowserElsewhere();
    copy.keep(browser.cookie);
    await tryToSignIn(browser, email);
    expect([await isSignedIn(browser), await isSignedIn(copy)]).toEqual([true, false]);
  });

  it('ends everywhere at once on request', async () => {
    const { browser, email } = await signIn(gateway);
    const other = openBrowserElsewhere();
    await tryToSignIn(other, email);
    await browser.post('/sign-out-everywhere');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, false]);
  });

  it('ends in every other browser when the password changes', async () => {
    const { browser, email } = await signIn(gateway);
    const other = openBrowserElsewhere();
    await tryToSignIn(other, email);
    const change = (current_password: string) =>
      browser.ask('POST', '/me/password', { current_password, new_password: 'another good password' });
    expectRefusal(await change('not my password'), 'password_wrong');
    expect(await isSignedIn(other)).toBe(true);
    expect((await change(PASSWORD)).statusCode).toBe(204);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expectRefusal(await tryToSignIn(other, email), 'sign_in_failed');
    expect((await tryToSignIn(other, email, 'another good password')).statusCode).toBe(200);
  });

  it('logs neither passwords nor cookies', () => {
    const [, token = ''] = ada.browser.cookie.split('=');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(gateway.log()).not.toContain(token);
    expect(gateway.log()).not.toContain(PASSWORD);
  });

  describe('as the operator', () => {
    it('opens the operator API to the browser, until it signs out', async () => {
      const browser = openBrowserElsewhere();
      expectRefusal(await browser.ask('GET', '/operator/v1/accounts'), 'operator_token_invalid');
      const answer = await browser.ask('POST', '/operator/sign-in', { token: OPERATOR_TOKEN });
      expect(answer.headers['set-cookie']).toMatch(/^parley_operator=.*HttpOnly; SameSite=Strict$/);
      expect((await browser.ask('GET', '/operator/v1/accounts')).statusCode).toBe(200);
      expect(await browser.get('/entrance')).toMatchObject({ signed_in: { owner: false, operator: true } });
      await browser.post('/operator/sign-out');
      expectRefusal(await browser.ask('GET', '/operator/v1/accounts'), 'operator_token_invalid');
    });

    it('is refused with a wrong token, and after several of them for a while', async () => {
      const browser = openBrowserElsewhere();
      const guess = () => browser.ask('POST', '/operator/sign-in', { token: 'a wrong one' });
      for (let i = 0; i < 5; i++) expectRefusal(await guess(), 'operator_token_invalid');
      expectRefusal(await guess(), 'sign_in_too_often');
    });

    it('is not possible as an owner', async () => {
      expectRefusal(await ada.browser.ask('GET', '/operator/v1/accounts'), 'operator_token_invalid');
    });
  });
});

describe('a gateway in production', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const environment = {
      PARLEY_MODE: 'production',
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    gateway = await startGateway({ environment });
  });
  afterAll(() => gateway.close());

  it('refuses sign-up by strangers, has no sandbox for owners, and restricts its cookies to HTTPS', async () => {
    const stranger = openBrowser(gateway);
    expect(await stranger.get('/entrance')).toEqual({
      sign_up: false,
      mail: false,
      operator: true,
      sandbox: false,
      signed_in: { owner: false, operator: false },
    });
    const given = { name: 'Eve', email: 'eve@example.com', password: PASSWORD };
    expectRefusal(await stranger.ask('POST', '/sign-up', given), 'sign_up_closed');

    const { browser, email } = await signIn(gateway);
    const answer = await tryToSignIn(browser, email);
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^__Host-parley_owner=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    const sandbox = await browser.ask('POST', '/sandbox', { method: 'GET', path: '/phones' });
    expectRefusal(sandbox, 'not_found');
  });
});

describe('a gateway without the portal', () => {
  it('answers 404 for its pages and routes', async () => {
    const gateway = await startGateway({
      environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_ROLES: 'api,worker,webhooks' },
    });
    const browser = openBrowser(gateway);
    const start = await gateway.request({ method: 'GET', url: '/' });
    expect([start.statusCode, start.headers.location]).toEqual([302, '/docs']);
    for (const path of ['/portal', '/portal/numbers', '/entrance', '/me'])
      expectRefusal(await browser.ask('GET', path), 'not_found');
    expectRefusal(await tryToSignIn(browser, 'ada@example.com'), 'not_found');
    await gateway.close();
  });
});
