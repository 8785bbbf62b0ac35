import type { PasswordLink } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSteppedClock, type TravelClock } from '#kernel';
import { type MailServer, startMailServer } from '#platform/mail/testing';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { type Browser, expectRefusal, openBrowser } from './testing/browser.ts';
import { startGatewayWithMail } from './testing/mail.ts';
import { type Owner, PASSWORD, signIn } from './testing/owners.ts';

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = 'another horse entirely';

const tokenIn = (url: string): string => new URL(url).hash.slice(1);
const isSignedIn = async (browser: Browser) => (await browser.ask('GET', '/me')).statusCode === 200;

describe('password recovery', () => {
  let server: MailServer;
  let gateway: TestGateway;
  let machineClock: TravelClock;
  let places = 0;
  const openBrowserElsewhere = (): Browser => openBrowser(gateway, `203.0.113.${++places}`);

  beforeAll(async () => {
    ({ server, machineClock, gateway } = await startGatewayWithMail('https://parley.example'));
  });
  afterAll(async () => {
    await gateway.close();
    await server.close();
  });

  const ask = (email: string, browser = openBrowserElsewhere()) =>
    browser.ask('POST', '/recovery', { email });
  const recover = (token: string, browser = openBrowserElsewhere()) =>
    browser.ask('POST', '/recovery/password', { token, new_password: NEW_PASSWORD });
  const queue = () => gateway.app.store.read.selectFrom('mail_outbox').selectAll().execute();
  const allLeft = () => vi.waitFor(async () => expect(await queue()).toEqual([]));

  async function linkFor({ email }: Owner): Promise<string> {
    expect((await ask(email)).statusCode).toBe(204);
    await allLeft();
    return server.linkTo(email);
  }

  it('takes a link by mail, once; it ends every session and invalidates the old password', async () => {
    const owner = await signIn(gateway);
    const elsewhere = openBrowserElsewhere();
    await elsewhere.post('/sign-in', { email: owner.email, password: PASSWORD });
    const link = await linkFor(owner);
    expect(link).toMatch(/^https:\/\/parley\.example\/portal\/recover#[\w-]{43}$/);
    const token = tokenIn(link);
    const browser = openBrowserElsewhere();
    expect(await browser.post('/recovery/open', { token })).toMatchObject({ email: owner.email });
    // Reading the link does not use it up.
    expect((await recover(token, browser)).statusCode).toBe(204);
    expect([await isSignedIn(owner.browser), await isSignedIn(elsewhere)]).toEqual([false, false]);
    expectRefusal(
      await browser.ask('POST', '/sign-in', { email: owner.email, password: PASSWORD }),
      'sign_in_failed',
    );
    await browser.post('/sign-in', { email: owner.email, password: NEW_PASSWORD });
    expectRefusal(await recover(token), 'link_not_found');
    const audit = await gateway.operate<{ entries: object[] }>('GET', `/audit?account_id=${owner.accountId}`);
    expect(audit.entries[0]).toMatchObject({
      action: 'password.recovered',
      actor: expect.stringMatching(/^member:/),
    });
  });

  it('stores and logs nothing from which the link could be reconstructed', async () => {
    const owner = await signIn(gateway);
    const token = tokenIn(await linkFor(owner));
    const rows = await gateway.app.store.read.selectFrom('one_time_links').selectAll().execute();
    const stored = rows.map(({ token_hash }) => Buffer.from(token_hash).toString('latin1')).join();
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('latin1'));
    expect(stored).not.toContain(token);
    for (const secret of [token, owner.email, 'hidden-word']) expect(gateway.log()).not.toContain(secret);
  });

  it('expires after an hour', async () => {
    const owner = await signIn(gateway);
    const token = tokenIn(await linkFor(owner));
    machineClock.advance(HOUR_MS - 1);
    expect((await openBrowserElsewhere().ask('POST', '/recovery/open', { token })).statusCode).toBe(200);
    machineClock.advance(1);
    expectRefusal(await recover(token), 'link_not_found');
  });

  it('invalidates the person’s other links', async () => {
    const owner = await signIn(gateway);
    const first = tokenIn(await linkFor(owner));
    const second = tokenIn(await linkFor(owner));
    expect((await recover(second)).statusCode).toBe(204);
    expectRefusal(await recover(first), 'link_not_found');
  });

  it('has the same answer and effects for an unknown address', async () => {
    const owner = await signIn(gateway);
    const answers = [];
    for (const email of [owner.email, 'stranger@example.com']) {
      const before = (await queue()).length;
      const { statusCode, body, headers } = await ask(email);
      // Both cases queue one mail to process later.
      answers.push({ statusCode, body, names: Object.keys(headers), put: (await queue()).length - before });
    }
    expect(answers[1]).toEqual(answers[0]);
    await allLeft();
    expect(server.mails.some(({ to }) => to.includes('stranger@example.com'))).toBe(false);
  });

  it('links to the configured address, whatever host the request names', async () => {
    const owner = await signIn(gateway);
    const { app } = gateway;
    const payload = JSON.stringify({ email: owner.email });
    const headers = {
      'x-parley-portal': '1',
      'content-type': 'application/json',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    };
    await app.http.inject({ method: 'POST', url: '/portal/api/recovery', headers, payload });
    await allLeft();
    expect(server.linkTo(owner.email)).toMatch(/^https:\/\/parley\.example\//);
  });

  it('is limited to three requests per address, and ten per client', async () => {
    for (let i = 0; i < 3; i++) expect((await ask('often@example.com')).statusCode).toBe(204);
    const refused = await ask('Often@example.com');
    expectRefusal(refused, 'sign_in_too_often');
    expect(refused.headers['retry-after']).toBe('600');
    const browser = openBrowserElsewhere();
    for (let i = 0; i < 10; i++)
      expect((await ask(`someone-${i}@example.com`, browser)).statusCode).toBe(204);
    expectRefusal(await ask('someone-else@example.com', browser), 'sign_in_too_often');
    await allLeft();
  });

  it('survives an outage of the mail server', async () => {
    const owner = await signIn(gateway);
    const { port } = new URL(server.url);
    await server.close();
    expect((await ask(owner.email)).statusCode).toBe(204);
    await vi.waitFor(() => expect(gateway.log()).toContain('it is tried again'));
    server = await startMailServer({ port: Number(port) });
    await vi.waitFor(
      async () => {
        machineClock.advance(3_000);
        expect(await queue()).toEqual([]);
      },
      { timeout: 10_000, interval: 200 },
    );
    expect((await recover(tokenIn(server.linkTo(owner.email)))).statusCode).toBe(204);
  });
});

describe('without mail', () => {
  let gateway: TestGateway;
  let machineClock: TravelClock;

  beforeAll(async () => {
    machineClock = createSteppedClock();
    gateway = await startGateway({ machineClock });
  });
  afterAll(() => gateway.close());

  it('no mail is promised', async () => {
    expect(await openBrowser(gateway).get('/entrance')).toMatchObject({ mail: false });
    expectRefusal(
      await openBrowser(gateway).ask('POST', '/recovery', { email: 'ada@example.com' }),
      'mail_off',
    );
  });

  it('the operator creates a link, also for an account that never had a password', async () => {
    const email = 'quiet@example.com';
    const { account_id } = await gateway.operate<{ account_id: string }>('POST', '/accounts', {
      name: 'Quiet',
      email,
    });
    const path = `/accounts/${account_id}`;
    expect(await gateway.operate('GET', `${path}/members`)).toMatchObject({
      members: [{ name: 'Quiet', email, role: 'owner', has_password: false, two_factor: false }],
    });
    const made = await gateway.operate<PasswordLink>('POST', `${path}/reset-password`);
    expect(made).toMatchObject({
      email,
      url: expect.stringMatching(/^http:\/\/localhost\/portal\/recover#/),
    });
    expect(Date.parse(made.expires_at)).toBe(machineClock.now() + 24 * HOUR_MS);
    const browser = openBrowser(gateway);
    const token = tokenIn(made.url);
    await browser.post('/recovery/password', { token, new_password: NEW_PASSWORD });
    await browser.post('/sign-in', { email, password: NEW_PASSWORD });
    expect(await isSignedIn(browser)).toBe(true);
    const { entries } = await gateway.operate<{ entries: object[] }>(
      'GET',
      `/audit?account_id=${account_id}`,
    );
    expect(entries).toMatchObject([
      { action: 'password.recovered' },
      { action: 'password.link_made', actor: 'operator' },
      { action: 'account.created', actor: 'operator' },
    ]);
  });

  it('the operator’s link works only for a member of that account', async () => {
    const owner = await signIn(gateway);
    const stranger = await signIn(gateway);
    const answer = await gateway.request({
      method: 'POST',
      url: `/operator/v1/accounts/${owner.accountId}/reset-password`,
      key: OPERATOR_TOKEN,
      body: { email: stranger.email },
    });
    expectRefusal(answer, 'member_not_found');
  });
});
