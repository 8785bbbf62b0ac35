import type { InvitationMade } from '@parley/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { MailServer } from '#platform/mail/testing';
import { OPERATOR_TOKEN, type TestGateway } from '#testing';
import { openBrowser } from './testing/browser.ts';
import { startGatewayWithMail } from './testing/mail.ts';
import { type Owner, PASSWORD, signIn } from './testing/owners.ts';

const HOSTILE =
  'Ada\r\nBcc: all@example.com\r\n\r\nYour account is closed.\u2028Pay here: https://evil.example';
const ON_ONE_LINE = 'Ada Bcc: all@example.com Your account is closed. Pay here: https://evil.example';

let server: MailServer;
let gateway: TestGateway;
let ada: Owner;

beforeAll(async () => {
  ({ server, gateway } = await startGatewayWithMail('http://parley.example'));
  ada = await signIn(gateway);
});
afterAll(async () => {
  await gateway.close();
  await server.close();
});

it('are refused by every operation with one sentence, and change nothing', async () => {
  const refusal = { error: 'name must be on one line, without control characters' };
  const invitation = { email: 'friend@example.com', role: 'developer', by: 'link' };
  const { url = '' } = await ada.browser.post<InvitationMade>('/team/invitations', invitation);
  const token = new URL(url).hash.slice(1);
  for (const name of [HOSTILE, 'a\u0085b', 'a\u202eb', 'a\x1b[2Jb']) {
    const given = { name, email: 'eve@example.com', password: PASSWORD };
    const signUp = await openBrowser(gateway).ask('POST', '/sign-up', given);
    expect([signUp.statusCode, signUp.json()]).toEqual([400, refusal]);
    const made = await gateway.request({
      method: 'POST',
      url: '/operator/v1/accounts',
      key: OPERATOR_TOKEN,
      body: { name, email: 'eve@example.com' },
    });
    expect([made.statusCode, made.json()]).toEqual([400, refusal]);
    const joined = await openBrowser(gateway).ask('POST', '/invitation/accept', {
      token,
      name,
      password: PASSWORD,
    });
    expect([joined.statusCode, joined.json()]).toEqual([400, refusal]);
    const key = await ada.browser.ask('POST', '/api-keys', { name });
    expect([key.statusCode, key.json()]).toEqual([400, refusal]);
  }
  const accounts = await gateway.app.store.read.selectFrom('accounts').select('email').execute();
  expect(accounts.map(({ email }) => email)).not.toContain('eve@example.com');
});

it('add no paragraphs and no headers to mails, when stored by an earlier version', async () => {
  await gateway.app.store.transaction((trx) =>
    trx.updateTable('accounts').set({ name: HOSTILE }).where('id', '=', ada.accountId).execute(),
  );
  const invitation = { email: 'grace@example.com', role: 'developer', by: 'mail' };
  await ada.browser.post('/team/invitations', invitation);
  await vi.waitFor(() => expect(server.mails.length).toBeGreaterThan(0));
  const [mail] = server.mails;
  expect(mail?.to).toEqual(['grace@example.com']);
  expect(mail?.text.split(/\r?\n/)).toContain(
    `You are invited to join the account ${ON_ONE_LINE} in the Parley portal.`,
  );
  const [headers = ''] = mail?.raw.split('\r\n\r\n') ?? [];
  expect(headers).toMatch(/^Subject: Join Ada/m);
  expect(headers).not.toMatch(/^Bcc:/im);
});
