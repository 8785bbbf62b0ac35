import type { WebhookWithSecret } from '@parley/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { MailServer } from '#platform/mail/testing';
import type { TestGateway } from '#testing';
import { startGatewayWithMail } from './testing/mail.ts';
import { register, signIn } from './testing/owners.ts';

const HOUR_MS = 3_600_000;

let gateway: TestGateway;
let server: MailServer;

beforeAll(async () => {
  ({ gateway, server } = await startGatewayWithMail('https://parley.example'));
});
afterAll(async () => {
  await gateway.close();
  await server.close();
});

it('an owner whose receiver fails for an hour gets one mail, without the secret part of the URL', async () => {
  const { browser, email, accountId } = await signIn(gateway);
  const { phone } = await register({ browser, email, accountId });
  const url = 'https://hooks.example/secret-path';
  const { id } = await browser.post<WebhookWithSecret>(`/numbers/${phone}/webhook`, { messages_url: url });
  const now = gateway.clock.now();
  await gateway.app.store.transaction((trx) =>
    trx
      .insertInto('failing_receivers')
      .values({
        ...{
          account_id: accountId,
          url,
          cause: 'timeout',
          status_code: null,
          probe_at: null,
          notified_at: null,
        },
        ...{ failing_since: now - HOUR_MS + 90_000, failed_at: now },
      })
      .execute(),
  );
  const about = () => server.mails.filter(({ text }) => text.includes('hooks.example'));
  gateway.clock.advance(60_000);
  expect(about()).toEqual([]);
  await vi.waitFor(() => {
    gateway.clock.advance(60_000);
    expect(about()).toHaveLength(1);
  });
  const [mail] = about();
  expect(mail?.to).toEqual([email]);
  expect(mail?.text).toContain(`https://parley.example/portal/webhooks/${id}`);
  expect(mail?.text).toContain('no complete answer within 10 seconds');
  expect(mail?.text).not.toContain('secret-path');
  gateway.clock.advance(10 * 60_000);
  await vi.waitFor(async () => {
    const outbox = await gateway.app.store.read.selectFrom('mail_outbox').selectAll().execute();
    expect([outbox, about().length]).toEqual([[], 1]);
  });
});
