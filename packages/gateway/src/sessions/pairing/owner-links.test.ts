import { describe, expect, it, vi } from 'vitest';
import { systemRandom } from '#kernel';
import { assertion, CHALLENGE, guard, OPTIONS } from '../testing/guarded.ts';
import { describeSessions, ORIGIN } from '../testing/harness.ts';
import type { Process } from '../testing/process.ts';
import { createLoginPasskeys } from './login-passkey.ts';
import { cancelOnboarding } from './onboard.ts';
import { createOwnerLinks } from './owner-links.ts';

describeSessions('a link for the owner of a number', (harness) => {
  const linksOf = (mayLink = async () => true) =>
    createOwnerLinks({
      ...harness().onboard,
      random: systemRandom,
      mayLink,
      logins: createLoginPasskeys(() => {
        throw new Error('no login is asked here');
      }),
    });
  const until = () => harness().clock.now() + 10 * 60_000;

  interface Waiting {
    readonly challenge?: string;
    /** Of two processes either may take an attempt up, and only one of them has its network. */
    readonly process?: Process;
  }

  /** A number whose phone waits for its passkey, and the token of the owner's page. */
  async function waiting({ challenge = CHALLENGE, process: shared }: Waiting = {}) {
    const process = shared ?? (await harness().startProcess());
    const number = await harness().newNumber();
    const network = guard(process, number);
    const id = await harness().start(number);
    await harness().pollUntil(number, id, 'qr');
    network.say({ kind: 'passkey', options: { ...OPTIONS, challenge }, expiresAt: until() });
    const { passkey } = await harness().pollUntil(number, id, 'passkey');
    return { process, number, network, id, token: passkey?.url.split('/').at(-1) ?? '' };
  }

  async function opened(waits?: Waiting) {
    const found = await waiting(waits);
    const links = linksOf();
    const { browser } = await links.open({ token: found.token, browser: undefined });
    return { ...found, links, visitor: { token: found.token, browser } };
  }

  it('shows its browser the question, and nothing about the number', async () => {
    const { token, number } = await waiting();
    const { view, browser } = await linksOf().open({ token, browser: undefined });
    expect(browser).toMatch(/^[\w-]{43}$/);
    expect(view).toEqual({
      status: 'passkey',
      passkey: { options: OPTIONS, expires_at_unix: Math.floor(until() / 1_000) },
    });
    expect(JSON.stringify([view, token])).not.toContain(number.phone);
  });

  it('serves its browser to the end, also after a reload', async () => {
    const { links, visitor, network } = await opened();
    expect(await links.open(visitor)).toEqual({ view: expect.objectContaining({ status: 'passkey' }) });
    expect(await links.answer(visitor, assertion())).toEqual({ status: 'pending' });
    await vi.waitFor(() => expect(network.received).toEqual([assertion()]));
    network.say({ kind: 'confirm', code: 'K7QF2MXB', expiresAt: until() });
    await vi.waitFor(async () =>
      expect(await links.see(visitor)).toEqual({ status: 'confirm', code: 'K7QF-2MXB' }),
    );
    expect(await links.confirm(visitor)).toEqual({ status: 'pending' });
    await vi.waitFor(() => expect(network.received.at(-1)).toBe('confirmed'));
    await network.link();
    await vi.waitFor(async () => expect(await links.see(visitor)).toEqual({ status: 'paired' }));
    expect(await links.open(visitor)).toEqual({ view: { status: 'paired' } });
  });

  describe('is refused', () => {
    it('to a second browser: a link stolen after its use reads and changes nothing', async () => {
      const { links, visitor, network, number, id } = await opened();
      for (const browser of [undefined, 'made up', visitor.token]) {
        const thief = { token: visitor.token, browser };
        await expect(links.open(thief)).rejects.toMatchObject({ code: 'link_taken', status: 403 });
        await expect(links.see(thief)).rejects.toMatchObject({ code: 'link_taken' });
        await expect(links.answer(thief, assertion())).rejects.toMatchObject({ code: 'link_taken' });
        await expect(links.confirm(thief)).rejects.toMatchObject({ code: 'link_taken' });
        await expect(links.cancel(thief)).rejects.toMatchObject({ code: 'link_taken' });
      }
      await harness().pass(5_000);
      expect(network.received).toEqual([]);
      expect(await harness().poll(number, id)).toMatchObject({ status: 'passkey' });
    });

    it('to one of two browsers that open it at once', async () => {
      const { token } = await waiting();
      const links = linksOf();
      const both = await Promise.allSettled([
        links.open({ token, browser: undefined }),
        links.open({ token, browser: undefined }),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('before it was opened, even with a valid token', async () => {
      const { token } = await waiting();
      await expect(linksOf().see({ token, browser: undefined })).rejects.toMatchObject({
        code: 'link_taken',
      });
    });

    it('to the browser of another account’s link, together with that one’s assertion', async () => {
      const mine = await opened();
      const theirs = await opened({ challenge: 'b3RoZXI', process: mine.process });
      const crossed = { token: theirs.token, browser: mine.visitor.browser };
      await expect(mine.links.see(crossed)).rejects.toMatchObject({ code: 'link_taken' });
      await expect(mine.links.answer(crossed, assertion('b3RoZXI'))).rejects.toMatchObject({
        code: 'link_taken',
      });
      await expect(theirs.links.answer(theirs.visitor, assertion())).rejects.toMatchObject({
        code: 'passkey_of_another_challenge',
      });
    });

    it('after the attempt, to all but its own browser, which may read the outcome', async () => {
      const { process, links, visitor, number, id } = await opened();
      const unopened = await waiting({ process });
      const account = { accountId: number.accountId, phone: null, origin: ORIGIN };
      await cancelOnboarding(harness().onboard, account, id);
      expect(await links.see(visitor)).toEqual({ status: 'error', error: 'The pairing was given up.' });
      await expect(links.answer(visitor, assertion())).rejects.toMatchObject({ code: 'passkey_not_asked' });
      await expect(links.open({ token: visitor.token, browser: undefined })).rejects.toMatchObject({
        code: 'link_taken',
      });

      const other = { accountId: unopened.number.accountId, phone: null, origin: ORIGIN };
      await cancelOnboarding(harness().onboard, other, unopened.id);
      await expect(links.open({ token: unopened.token, browser: undefined })).rejects.toMatchObject({
        code: 'link_not_found',
        status: 404,
      });
    });

    it('when it never existed, and while its account is suspended', async () => {
      const { token } = await waiting();
      await expect(linksOf().open({ token: 'guessed', browser: undefined })).rejects.toMatchObject({
        code: 'link_not_found',
      });
      const blocked = linksOf(async () => false);
      await expect(blocked.open({ token, browser: undefined })).rejects.toMatchObject({
        code: 'link_not_found',
      });
    });
  });

  it('lets its owner cancel', async () => {
    const { links, visitor, number, id } = await opened();
    await links.cancel(visitor);
    expect(await harness().poll(number, id)).toMatchObject({ status: 'error' });
  });
});
