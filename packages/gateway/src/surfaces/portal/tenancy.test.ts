import {
  type Invoice,
  type Operation,
  operations,
  PASSKEY_CREDENTIAL_EXAMPLE,
  type PortalNumber,
} from '@parley/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { startGateway, type TestGateway } from '#testing';
import { type Answer, expectRefusal, openBrowser } from './testing/browser.ts';
import { type Owner, register, signIn } from './testing/owners.ts';

const all = Object.values<Operation>(operations);
const portal = all.filter(({ surface }) => surface === 'portal');
const named = (chosen: readonly Operation[]) => chosen.map((operation) => [operation.id, operation] as const);

const MONTH_MS = 31 * 86_400_000;
const PATIENCE = { timeout: 15_000, interval: 50 };

/** Things with an owner, by their parameter names in paths. */
interface Things {
  readonly phone: string;
  readonly webhookId: string;
  readonly keyId: string;
  readonly onboardId: string;
  readonly sessionId: string;
  readonly memberId: string;
  readonly invitationId: string;
  readonly invoiceId: string;
}

/** Bodies that would have an effect if the request were allowed. */
const BODIES: Record<string, object> = {
  replayDeliveries: { what: 'dead' },
  changePassword: { current_password: 'whatever it is', new_password: 'stolen by Eve' },
  acceptTerms: { version: 'v1' },
  beginTwoFactor: { password: 'whatever it is' },
  confirmTwoFactor: { code: '123456' },
  endTwoFactor: { password: 'whatever it is', code: '123456' },
  inviteMember: { email: 'thief@example.com', role: 'owner', by: 'link' },
  changeMember: { role: 'owner' },
  registerNumber: { phone: '15559990001', plan: 'pro' },
  changePlan: { plan: 'pro' },
  nameNumber: { nickname: 'Mine now' },
  changeMyAddress: { name: 'Someone else' },
  startPairing: { method: 'qr' },
  choosePresence: { policy: 'auto' },
  choosePacing: { daily_new_chats: 40 },
  chooseHistory: { enabled: true },
  answerPairing: PASSKEY_CREDENTIAL_EXAMPLE,
  answerLoginPasskey: PASSKEY_CREDENTIAL_EXAMPLE,
  createMyApiKey: { name: 'stolen' },
  createMyWebhook: { messages_url: 'https://app.example.com/hook' },
  updateMyWebhook: { active: false },
  testMyWebhook: {},
  useSandbox: { method: 'GET', path: '/phones' },
};

describe('an owner', () => {
  let gateway: TestGateway;
  let ada: Owner;
  let eve: Owner;
  let adas: Things;
  let eves: Things;

  beforeAll(async () => {
    // Heartbeats would change rows in the background.
    gateway = await startGateway({ machineClock: createSteppedClock() });
    [ada, eve] = [await signIn(gateway), await signIn(gateway)];
    const numbers = [await register(ada), await register(eve)] as const;
    gateway.clock.advance(MONTH_MS);
    await gateway.operate('POST', '/invoices/run');
    [adas, eves] = [await furnish(ada, numbers[0]), await furnish(eve, numbers[1])];
  });
  afterAll(() => gateway.close());

  async function furnish({ browser }: Owner, { phone }: PortalNumber): Promise<Things> {
    const hook = await browser.post<{ id: string }>(`/numbers/${phone}/webhook`, {
      messages_url: 'https://app.example.com/hook',
    });
    const key = await browser.post<{ key_id: string }>('/api-keys', { name: 'test' });
    const pairing = await browser.post<{ onboard_id: string }>(`/numbers/${phone}/pairing`, { method: 'qr' });
    const { member_id: memberId } = await browser.get<{ member_id: string }>('/me');
    const invited = await browser.post<{ invitation_id: string }>('/team/invitations', {
      ...{ email: 'friend@example.com', role: 'developer', by: 'link' },
    });
    const { invoices } = await browser.get<{ invoices: Invoice[] }>('/invoices');
    // Waits until background changes have ended.
    await vi.waitFor(async () => {
      const { status } = await browser.get<{ status: string }>(`/pairings/${pairing.onboard_id}`);
      expect(status).toBe('qr');
    }, PATIENCE);
    return {
      phone,
      webhookId: hook.id,
      keyId: key.key_id,
      onboardId: pairing.onboard_id,
      sessionId: `${phone}@s.whatsapp.net`,
      memberId,
      invitationId: invited.invitation_id,
      invoiceId: invoices[0]?.invoice_id ?? '',
    };
  }

  function ask(owner: Owner, operation: Operation, things: Things): Promise<Answer> {
    const { path, subject, id, method, body } = operation;
    const ids: Record<string, string> = {
      phone: things.phone,
      key_id: things.keyId,
      member_id: things.memberId,
      invitation_id: things.invitationId,
      invoice_id: things.invoiceId,
      plan: 'pro',
      session_id: 'none',
      delivery_id: 'dl_1',
      jid: '15550002001@s.whatsapp.net',
      id: subject === 'onboarding' ? things.onboardId : things.webhookId,
    };
    const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? '-');
    const send = { session_id: things.sessionId, to: '15550002001', text: 'Hello' };
    return owner.browser.ask(method, url, body && (subject === 'body_session' ? send : (BODIES[id] ?? {})));
  }

  /** Every row of every table. */
  async function everything(): Promise<unknown> {
    const { read } = gateway.app.store;
    const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(
      read,
    );
    return Promise.all(
      rows.map(async ({ name }) => [name, (await sql`select * from ${sql.id(name)}`.execute(read)).rows]),
    );
  }

  describe('who has not signed in', () => {
    it.each(named(portal))('is refused by %s', async (_id, operation) => {
      const before = await everything();
      const stranger = { ...ada, browser: openBrowser(gateway) };
      const refused = await ask(stranger, operation, adas);
      expectRefusal(refused, 'sign_in_required');
      expect(refused.headers['cache-control']).toBe('no-store');
      stranger.browser.keep(`parley_owner=${'x'.repeat(43)}`);
      expectRefusal(await ask(stranger, operation, adas), 'sign_in_required');
      expect(await everything()).toEqual(before);
    });
  });

  describe('never reaches the things of another owner', () => {
    const ofOwners = portal.filter(({ subject }) => subject !== undefined);

    it.each(named(ofOwners))('by %s', async (_id, operation) => {
      const before = await everything();
      const foreign = await ask(eve, operation, adas);
      expect([403, 404]).toContain(foreign.statusCode);
      expect(Object.keys(foreign.json())).toEqual(['error']);
      // Another owner's thing has the answer of an unknown one.
      const nothing = {
        ...{ phone: '15550009999', webhookId: 'wh_none', keyId: 'none', onboardId: 'onb_none' },
        ...{ memberId: 'mem_none', invitationId: 'invt_none', invoiceId: 'inv_none' },
      };
      const unknown = await ask(eve, operation, { ...nothing, sessionId: '15550009999@s.whatsapp.net' });
      expect({ status: unknown.statusCode, body: unknown.body }).toEqual({
        status: foreign.statusCode,
        body: foreign.body,
      });
      expect(await everything()).toEqual(before);
    });

    it('in lists', async () => {
      for (const path of [
        '/numbers',
        '/invoices',
        '/billing',
        '/api-keys',
        '/webhooks',
        '/events',
        '/usage',
        '/team',
        '/me/sessions',
      ]) {
        const { body } = await eve.browser.ask('GET', path);
        for (const name of [adas.phone, adas.webhookId, adas.keyId, adas.memberId, adas.invitationId])
          expect(body, path).not.toContain(name);
      }
      for (const path of ['/events', '/events/stream', '/usage'])
        expectRefusal(await eve.browser.ask('GET', `${path}?phone=${adas.phone}`), 'device_not_found');
    });

    it('by a key for the other’s number', async () => {
      const answer = await eve.browser.ask('POST', '/api-keys', { name: 'stolen', phone: adas.phone });
      expectRefusal(answer, 'device_not_found');
    });
  });

  describe('whose account is blocked', () => {
    const blocked = portal.filter(({ answersBlockedAccounts }) => !answersBlockedAccounts);
    let unwilling: Owner;
    let suspended: Owner;

    beforeAll(async () => {
      [unwilling, suspended] = [await signIn(gateway), await signIn(gateway)];
      await gateway.operate('POST', '/tos', { version: 'v1', url: 'https://parley.example/tos', now: true });
      await gateway.operate('PATCH', `/accounts/${suspended.accountId}`, {
        status: 'suspended',
        accept_tos: true,
      });
    });

    it.each(named(blocked))('gets the reason by %s', async (_id, operation) => {
      const before = await everything();
      expectRefusal(await ask(unwilling, operation, eves), 'tos_not_accepted');
      expectRefusal(await ask(suspended, operation, eves), 'account_suspended');
      expect(await everything()).toEqual(before);
    });

    it('reads and accepts the terms in force, and continues', async () => {
      const { browser, accountId } = unwilling;
      expect(await browser.get('/me')).toMatchObject({
        blocked: 'tos_not_accepted',
        terms: { pending_version: 'v1', url: 'https://parley.example/tos' },
      });
      expectRefusal(await browser.ask('POST', '/terms/accept', { version: 'v0' }), 'tos_superseded');
      expect(await browser.post('/terms/accept', { version: 'v1' })).toMatchObject({ pending_version: null });
      expect((await browser.ask('GET', '/numbers')).statusCode).toBe(200);
      const { entries } = await gateway.operate<{ entries: object[] }>(
        'GET',
        `/audit?account_id=${accountId}`,
      );
      expect(entries[0]).toMatchObject({
        action: 'tos.accepted',
        actor: expect.stringMatching(/^member:mem_/),
        subject: 'v1',
      });
    });

    it('sees the suspension, may leave, and continues after it ends', async () => {
      const { browser, accountId } = suspended;
      expect(await browser.get('/me')).toMatchObject({ status: 'suspended', blocked: 'account_suspended' });
      await gateway.operate('PATCH', `/accounts/${accountId}`, { status: 'active' });
      expect((await browser.ask('GET', '/numbers')).statusCode).toBe(200);
      expect((await browser.ask('POST', '/sign-out-everywhere')).statusCode).toBe(204);
    });
  });
});
