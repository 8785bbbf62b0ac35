import {
  type InvitationMade,
  type MemberRole,
  type Operation,
  operations,
  PASSKEY_CREDENTIAL_EXAMPLE,
  type Team,
} from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { quickHash } from '#accounts/testing';
import type { TravelClock } from '#kernel';
import type { MailServer } from '#platform/mail/testing';
import type { TestGateway } from '#testing';
import { type Browser, expectRefusal, openBrowser } from './testing/browser.ts';
import { startGatewayWithMail } from './testing/mail.ts';
import { type Owner, PASSWORD, signIn } from './testing/owners.ts';

const DAY_MS = 24 * 3_600_000;
const portal = Object.values<Operation>(operations).filter(({ surface }) => surface === 'portal');
const named = portal.map((operation) => [operation.id, operation] as const);
const tokenIn = (url: string | undefined): string => new URL(url ?? '').hash.slice(1);
const isSignedIn = async (browser: Browser) => (await browser.ask('GET', '/me')).statusCode === 200;

/** A second copy of the table, so that a slip in one place grants no access. */
const OF_OWNERS = [
  ...['acceptTerms', 'registerNumber', 'changePlan', 'cancelPlan', 'changeMyAddress'],
  ...['inviteMember', 'revokeInvitation', 'changeMember', 'removeMember', 'removeNumber'],
  ...['askForExport', 'listExports', 'downloadExport', 'deleteMyAccount', 'keepMyAccount', 'listMyAuditLog'],
];
const OF_EVERYBODY = [
  ...['changePassword', 'signOutEverywhere', 'endBrowserSession', 'askForVerification', 'leaveAccount'],
  ...['beginTwoFactor', 'confirmTwoFactor', 'endTwoFactor'],
];
const OF_LINKING = ['getPairing', 'getLoginPasskey'];
/** These would remove the caller, and have tests elsewhere. */
const FAREWELLS = ['signOutEverywhere', 'leaveAccount'];

function mayCall(role: MemberRole, { id, method }: Operation): boolean {
  if (role === 'owner' || OF_EVERYBODY.includes(id)) return true;
  if (role === 'developer') return !OF_OWNERS.includes(id);
  return method === 'GET' && !OF_LINKING.includes(id) && !OF_OWNERS.includes(id);
}

const BODIES: Record<string, object> = {
  changePassword: { current_password: 'not the password', new_password: 'a long enough one' },
  beginTwoFactor: { password: 'not the password' },
  confirmTwoFactor: { code: '123456' },
  endTwoFactor: { password: 'not the password', code: '123456' },
  acceptTerms: { version: 'none' },
  deleteMyAccount: { password: 'not the password' },
  registerNumber: { phone: 'x', plan: 'pro' },
  answerPairing: PASSKEY_CREDENTIAL_EXAMPLE,
  answerLoginPasskey: PASSKEY_CREDENTIAL_EXAMPLE,
  useSandbox: { method: 'GET', path: '/phones' },
};

describe('a team', () => {
  let server: MailServer;
  let gateway: TestGateway;
  let machineClock: TravelClock;
  let ada: Owner;
  let made = 0;

  beforeAll(async () => {
    ({ server, machineClock, gateway } = await startGatewayWithMail('http://parley.example'));
    ada = await signIn(gateway);
  });
  afterAll(async () => {
    await gateway.close();
    await server.close();
  });

  const newAddress = (): string => `friend-${++made}@example.com`;
  const team = ({ browser }: Pick<Owner, 'browser'>) => browser.get<Team>('/team');
  const allLeft = () =>
    vi.waitFor(async () =>
      expect(await gateway.app.store.read.selectFrom('mail_outbox').select('id').execute()).toEqual([]),
    );
  const invite = (owner: Owner, role: MemberRole, email = newAddress()) =>
    owner.browser.post<InvitationMade>('/team/invitations', { email, role, by: 'mail' });
  const accept = (token: string, browser = openBrowser(gateway)) =>
    browser.ask('POST', '/invitation/accept', { token, name: 'Friend', password: PASSWORD });

  /** A member who has joined; joining has tests of its own. */
  async function join({ accountId }: Owner, role: MemberRole): Promise<Owner & { memberId: string }> {
    const email = newAddress();
    const memberId = `mem_${made}`;
    const row = {
      ...{ id: memberId, account_id: accountId, email, name: 'Friend', role },
      ...{
        password_hash: quickHash(PASSWORD),
        awaits_verification: 0,
        created_at: Date.UTC(2027, 0, 1) + made,
      },
    };
    await gateway.app.store.transaction((trx) => trx.insertInto('members').values(row).execute());
    const browser = openBrowser(gateway);
    await browser.post('/sign-in', { email, password: PASSWORD });
    return { browser, email, accountId, memberId };
  }

  const audited = async (accountId: string) => {
    const path = `/audit?account_id=${accountId}`;
    const { entries } = await gateway.operate<{ entries: { action: string; actor: string }[] }>('GET', path);
    return entries;
  };

  it('grows by a mail to the invited address', async () => {
    const owner = await signIn(gateway);
    const { email, ...made } = await invite(owner, 'developer', 'Grace@Example.com');
    expect(email).toBe('grace@example.com');
    expect(made).not.toHaveProperty('url');
    expect((await team(owner)).invitations).toMatchObject([{ email, role: 'developer' }]);
    await allLeft();
    const link = server.linkTo(email);
    expect(link).toMatch(/^http:\/\/parley\.example\/portal\/join#/);
    const browser = openBrowser(gateway);
    const token = tokenIn(link);
    const { name: account } = await owner.browser.get<{ name: string }>('/me');
    expect(await browser.post('/invitation/open', { token })).toEqual({ account, email, role: 'developer' });
    gateway.clock.advance(1);
    expect((await accept(token, browser)).statusCode).toBe(200);
    expect(await browser.get('/me')).toMatchObject({
      ...{ account_id: owner.accountId, name: account, email, role: 'developer', blocked: null },
    });
    expectRefusal(await accept(token), 'link_not_found');
    expect(await team(owner)).toMatchObject({
      members: [
        { email: owner.email, role: 'owner' },
        { email, role: 'developer', name: 'Friend' },
      ],
      invitations: [],
    });
    const again = openBrowser(gateway);
    await again.post('/sign-in', { email, password: PASSWORD });
    expect(await isSignedIn(again)).toBe(true);
    expect((await audited(owner.accountId)).slice(0, 2)).toMatchObject([
      { action: 'member.joined' },
      { action: 'member.invited' },
    ]);
  });

  it('grows by a link that is passed on; its holder has to verify the address first', async () => {
    const owner = await signIn(gateway);
    const body = { email: newAddress(), role: 'owner', by: 'link' };
    const { url, email } = await owner.browser.post<InvitationMade>('/team/invitations', body);
    const browser = openBrowser(gateway);
    expect((await accept(tokenIn(url), browser)).statusCode).toBe(200);
    expectRefusal(await browser.ask('GET', '/numbers'), 'email_not_verified');
    await allLeft();
    await openBrowser(gateway).post('/verify-email', { token: tokenIn(server.linkTo(email)) });
    expect((await browser.ask('GET', '/numbers')).statusCode).toBe(200);
  });

  it('does not grow by an invitation that is withdrawn, replaced or expired', async () => {
    const owner = await signIn(gateway);
    const byLink = async (email: string) =>
      owner.browser.post<InvitationMade>('/team/invitations', { email, role: 'developer', by: 'link' });
    const revoked = await byLink(newAddress());
    await owner.browser.ask('DELETE', `/team/invitations/${revoked.invitation_id}`);
    const email = newAddress();
    const replaced = await byLink(email);
    const late = await byLink(email);
    for (const { url } of [revoked, replaced]) expectRefusal(await accept(tokenIn(url)), 'link_not_found');
    machineClock.advance(7 * DAY_MS);
    expectRefusal(await accept(tokenIn(late.url)), 'link_not_found');
    await owner.browser.post('/sign-in', { email: owner.email, password: PASSWORD });
    expect((await team(owner)).invitations).toEqual([]);
  });

  it('does not reveal to the inviter whether an address has an account elsewhere', async () => {
    const owner = await signIn(gateway);
    const stranger = await signIn(gateway);
    const body = { email: stranger.email, role: 'developer', by: 'link' };
    const { url } = await owner.browser.post<InvitationMade>('/team/invitations', body);
    expectRefusal(await accept(tokenIn(url)), 'email_taken');
    const own = { ...body, email: owner.email };
    expectRefusal(await owner.browser.ask('POST', '/team/invitations', own), 'email_taken');
  });

  describe('each role', () => {
    const visitors = {} as Record<MemberRole, Owner>;

    beforeAll(async () => {
      ada = await signIn(gateway);
      visitors.owner = ada;
      visitors.developer = await join(ada, 'developer');
      visitors.read_only = await join(ada, 'read_only');
    });

    it.each(named)('has exactly the rights of the table for %s', async (id, operation) => {
      for (const role of Object.keys(visitors) as MemberRole[]) {
        const isAllowed = mayCall(role, operation);
        if (isAllowed && FAREWELLS.includes(id)) continue;
        const path = operation.path.replaceAll(/\{[^}]+\}/g, '15550009999');
        const query = id === 'streamActivity' ? '?phone=15550009999' : '';
        const body = operation.body && (BODIES[id] ?? {});
        const answer = await visitors[role].browser.ask(operation.method, path + query, body);
        const error = answer.statusCode === 403 ? answer.json<{ error: string }>().error : '';
        expect([role, error === 'your role in this account does not allow that']).toEqual([role, !isAllowed]);
      }
    });

    it('is defined for every operation of the portal, and for no other', () => {
      for (const { surface, right, id } of Object.values<Operation>(operations))
        expect([id, right !== undefined]).toEqual([id, surface === 'portal']);
    });
  });

  it('ends for a removed member in every browser, and invalidates their links', async () => {
    const owner = await signIn(gateway);
    const friend = await join(owner, 'developer');
    const elsewhere = openBrowser(gateway);
    await elsewhere.post('/sign-in', { email: friend.email, password: PASSWORD });
    await owner.browser.ask('DELETE', `/team/members/${friend.memberId}`);
    expect([await isSignedIn(friend.browser), await isSignedIn(elsewhere)]).toEqual([false, false]);
    const { read } = gateway.app.store;
    const left = read.selectFrom('browser_sessions').selectAll().where('member_id', '=', friend.memberId);
    expect(await left.execute()).toEqual([]);
    const back = await openBrowser(gateway).ask('POST', '/sign-in', {
      email: friend.email,
      password: PASSWORD,
    });
    expectRefusal(back, 'sign_in_failed');
    expect((await audited(owner.accountId))[0]).toMatchObject({ action: 'member.removed' });
    // The address is free again.
    expect((await invite(owner, 'read_only', friend.email)).email).toBe(friend.email);
  });

  it('applies a changed role at once', async () => {
    const owner = await signIn(gateway);
    const friend = await join(owner, 'read_only');
    const tryIt = () => friend.browser.ask('POST', '/api-keys', { name: 'test' });
    expectRefusal(await tryIt(), 'role_lacks_right');
    await owner.browser.ask('PATCH', `/team/members/${friend.memberId}`, { role: 'developer' });
    expect((await tryIt()).statusCode).toBe(201);
    await owner.browser.ask('PATCH', `/team/members/${friend.memberId}`, { role: 'read_only' });
    expectRefusal(await tryIt(), 'role_lacks_right');
  });

  it('keeps an owner, and the next one replaces the first who leaves', async () => {
    const owner = await signIn(gateway);
    const { member_id: id } = await owner.browser.get<{ member_id: string }>('/me');
    expectRefusal(await owner.browser.ask('POST', '/me/leave'), 'last_owner');
    expectRefusal(await owner.browser.ask('DELETE', `/team/members/${id}`), 'last_owner');
    expectRefusal(
      await owner.browser.ask('PATCH', `/team/members/${id}`, { role: 'developer' }),
      'last_owner',
    );
    const friend = await join(owner, 'owner');
    expect((await owner.browser.ask('POST', '/me/leave')).statusCode).toBe(204);
    expect(await isSignedIn(owner.browser)).toBe(false);
    expect(await gateway.operate('GET', `/accounts/${owner.accountId}`)).toMatchObject({
      email: friend.email,
    });
    expect(await isSignedIn(friend.browser)).toBe(true);
    const again = openBrowser(gateway);
    await again.post('/sign-in', { email: friend.email, password: PASSWORD });
    expectRefusal(await again.ask('POST', '/me/leave'), 'last_owner');
    const gone = await openBrowser(gateway).ask('POST', '/sign-in', {
      email: owner.email,
      password: PASSWORD,
    });
    expectRefusal(gone, 'sign_in_failed');
  });

  it('lets the first owner take a lower role, with the same password', async () => {
    const owner = await signIn(gateway);
    const friend = await join(owner, 'owner');
    const { member_id: id } = await owner.browser.get<{ member_id: string }>('/me');
    await friend.browser.ask('PATCH', `/team/members/${id}`, { role: 'read_only' });
    expect(await isSignedIn(owner.browser)).toBe(false);
    const again = openBrowser(gateway);
    await again.post('/sign-in', { email: owner.email, password: PASSWORD });
    expect(await again.get('/me')).toMatchObject({ role: 'read_only', account_id: owner.accountId });
  });

  it('asks for verification of the address at sign-up', async () => {
    const browser = openBrowser(gateway, '192.0.2.200');
    const email = newAddress();
    await browser.post('/sign-up', { name: 'New', email, password: PASSWORD });
    expect(await browser.get('/me')).toMatchObject({ blocked: 'email_not_verified' });
    expectRefusal(await browser.ask('GET', '/numbers'), 'email_not_verified');
    await allLeft();
    const first = tokenIn(server.linkTo(email));
    expect((await browser.ask('POST', '/me/verification')).statusCode).toBe(204);
    await allLeft();
    const second = tokenIn(server.linkTo(email));
    expect(second).not.toBe(first);
    await openBrowser(gateway).post('/verify-email', { token: second });
    expect((await browser.ask('GET', '/numbers')).statusCode).toBe(200);
    // A link is valid for its own purpose only.
    expectRefusal(await browser.ask('POST', '/recovery/open', { token: first }), 'link_not_found');
    expect((await audited((await browser.get<{ account_id: string }>('/me')).account_id))[0]).toMatchObject({
      action: 'email.verified',
    });
  });
});
