import type { AuditLog, BrowserSessionList, Me } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TravelClock } from '#kernel';
import type { MailServer } from '#platform/mail/testing';
import { OPERATOR_TOKEN, type TestGateway } from '#testing';
import { type Browser, expectRefusal, openBrowser } from './testing/browser.ts';
import { startGatewayWithMail } from './testing/mail.ts';
import { type Owner, register, signIn } from './testing/owners.ts';

describe('an operator who visits an account', () => {
  let gateway: TestGateway;
  let server: MailServer;
  let machineClock: TravelClock;
  let ada: Owner;
  let browser: Browser;

  beforeAll(async () => {
    ({ gateway, server, machineClock } = await startGatewayWithMail('https://parley.example'));
    ada = await signIn(gateway);
    await register(ada);
    browser = openBrowser(gateway, '198.51.100.9');
    await browser.post('/operator/sign-in', { token: OPERATOR_TOKEN });
  });
  afterAll(async () => {
    await gateway.close();
    await server.close();
  });

  const look = (given: object = { name: 'Grace', reason: 'Request 7' }) =>
    browser.ask('POST', `/operator/v1/accounts/${ada.accountId}/visit`, given);

  it('reads its pages under their name, and changes nothing', async () => {
    expect((await look({})).statusCode).toBe(400);
    expect((await look()).statusCode).toBe(201);
    expect(await browser.get<Me>('/me')).toMatchObject({
      account_id: ada.accountId,
      role: 'read_only',
      visit: { operator: 'Grace' },
    });
    const { numbers } = await browser.get<{ numbers: { phone: string }[] }>('/numbers');
    expect(numbers).toHaveLength(1);
    const path = `/numbers/${numbers[0]?.phone}`;
    expectRefusal(await browser.ask('PUT', `${path}/nickname`, { nickname: 'Mine' }), 'role_lacks_right');
    expectRefusal(await browser.ask('GET', `${path}/chats`), 'role_lacks_right');
    expectRefusal(await browser.ask('POST', '/sign-out-everywhere'), 'role_lacks_right');
    expectRefusal(await browser.ask('GET', '/me/sessions'), 'role_lacks_right');
    expectRefusal(await browser.ask('POST', '/exports'), 'role_lacks_right');
  });

  it('is shown to the owners, who also get a mail and may end the visit', async () => {
    await look();
    const { entries } = await ada.browser.get<AuditLog>('/audit');
    expect(entries[0]).toMatchObject({
      action: 'account.visited',
      actor: 'operator',
      detail: { name: 'Grace', reason: 'Request 7' },
    });
    await expect
      .poll(() => server.mails.filter(({ text }) => text.includes('Request 7')).length)
      .toBeGreaterThan(0);
    const { sessions } = await ada.browser.get<BrowserSessionList>('/me/sessions');
    const visit = sessions.find(({ browser: name }) => name === 'Operator: Grace');
    expect((await ada.browser.ask('DELETE', `/me/sessions/${visit?.session_id}`)).statusCode).toBe(204);
    expectRefusal(await browser.ask('GET', '/me'), 'sign_in_required');
  });

  it('is signed out after half an hour', async () => {
    await look();
    machineClock.advance(29 * 60_000);
    expect((await browser.ask('GET', '/me')).statusCode).toBe(200);
    machineClock.advance(60_000);
    expectRefusal(await browser.ask('GET', '/me'), 'sign_in_required');
  });
});

describe('the audit log', () => {
  it('records webhooks and pairings too, with the key that was used', async () => {
    const { gateway, server } = await startGatewayWithMail('https://parley.example');
    try {
      const owner = await signIn(gateway);
      const { phone, slot_id } = await register(owner);
      const { api_key } = await owner.browser.post<{ api_key: string }>('/api-keys', { name: 'all' });
      await owner.browser.post(`/numbers/${phone}/pairing`, { method: 'qr' });
      const urls = { messages_url: 'http://127.0.0.1:8099/hook' };
      const made = await gateway.request({
        method: 'POST',
        url: '/v1/webhooks',
        key: api_key,
        body: { session_id: `${phone}@s.whatsapp.net`, ...urls },
      });
      expect(made.statusCode).toBe(201);
      const { entries } = await owner.browser.get<AuditLog>('/audit');
      expect(entries.slice(0, 2)).toMatchObject(
        [
          { action: 'webhook.created', actor: /^key:/, subject: made.json().id },
          { action: 'pairing.started', actor: /^member:/ },
        ].map((entry) => ({ ...entry, actor: expect.stringMatching(entry.actor) })),
      );
      expect(slot_id).toBeDefined();
    } finally {
      await gateway.close();
      await server.close();
    }
  });
});
