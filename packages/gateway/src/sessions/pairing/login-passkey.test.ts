import { createSoftAuthenticator, type SoftAuthenticator } from '@parley/sandbox/authenticator';
import { expect, it, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import { describeSessions, ORIGIN } from '../testing/harness.ts';
import { connected, cut, linkedNumber } from '../testing/numbers.ts';
import type { Process } from '../testing/process.ts';

const MINUTE_MS = 60_000;

describeSessions('a login that asks for a passkey', (harness) => {
  const asker = (number: OwnedNumber) => ({ number, origin: ORIGIN });

  const untilAsked = (process: Process, number: OwnedNumber) =>
    vi.waitFor(async () => {
      const view = await process.sessions.logins.read(asker(number));
      if (view.status !== 'passkey' || !view.passkey) throw new Error(`still ${view.status}`);
      return view.passkey;
    });

  const tokenIn = ({ url }: { readonly url: string }): string => url.split('/').at(-1) ?? '';

  /** A linked number whose next logins ask, and the browser that has its passkey. */
  async function guarded(logins = 1) {
    const { process, number, sessionId } = await linkedNumber(harness());
    const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });
    const { passkeys } = harness().world;
    await passkeys.keep(number.phone, browser.create(passkeys.creation(number.phone)));
    passkeys.arm(number.phone, 'passkey_at_login', logins);
    await cut(harness(), number, 0);
    await harness().pass(4_000);
    const passkey = await untilAsked(process, number);
    return { process, number, sessionId, browser, passkey };
  }

  const sign = (
    { browser, passkey }: Pick<Awaited<ReturnType<typeof guarded>>, 'browser' | 'passkey'>,
    by: SoftAuthenticator = browser,
  ) => by.get({ rpId: 'localhost', ...passkey.options });

  it('stays reconnecting for days, says why, and is published once and at once', async () => {
    const { process, number } = await guarded();
    await vi.waitFor(async () =>
      expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']),
    );
    await harness().pass(30 * MINUTE_MS);
    expect(await process.sessions.states.find(number.slotId)).toMatchObject({
      status: 'reconnecting',
      why: { reason: 'passkey_required', detail: expect.any(String), until: null },
    });
    expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']);
  });

  it('shows the network’s question from any process, with one page for the owner, and takes the answer there', async () => {
    const found = await guarded();
    const { number, sessionId } = found;
    const other = await harness().startProcess({ hosts: false });
    const view = await other.sessions.logins.read(asker(number));
    expect(view).toEqual({
      session_id: sessionId,
      status: 'passkey',
      passkey: {
        options: expect.objectContaining({ challenge: expect.stringMatching(/^[\w-]{43}$/) }),
        url: expect.stringMatching(/^https:\/\/gateway\.example\.com\/link\/[\w-]{43}$|^http:\/\/localhost/),
        expires_at_unix: expect.any(Number),
      },
    });
    expect(view.passkey?.url).toBe(found.passkey.url);
    expect(await other.sessions.logins.answer(asker(number), sign(found))).toMatchObject({
      status: 'pending',
    });
    await connected(harness(), number);
    expect(await other.sessions.logins.read(asker(number))).toMatchObject({ status: 'connected' });
  });

  it('refuses an answer to another challenge, a second one, and a confirmation that is not asked for', async () => {
    const found = await guarded();
    const { logins } = found.process.sessions;
    const ask = asker(found.number);
    const old = found.browser.get({ rpId: 'localhost', challenge: 'b3RoZXI' });
    await expect(logins.answer(ask, old)).rejects.toMatchObject({ code: 'passkey_of_another_challenge' });
    await expect(logins.confirm(ask)).rejects.toMatchObject({ code: 'confirmation_not_asked' });
    expect(await logins.read(ask)).toMatchObject({ status: 'passkey' });
    await logins.answer(ask, sign(found));
    await expect(logins.answer(ask, sign(found))).rejects.toMatchObject({ code: 'passkey_not_asked' });
  });

  it('has codes to compare after five minutes, which the owner confirms on the page', async () => {
    const found = await guarded();
    const { logins, ownerLinks } = found.process.sessions;
    const token = tokenIn(found.passkey);
    const { browser } = await ownerLinks.open({ token, browser: undefined });
    await harness().pass(6 * MINUTE_MS);
    await logins.answer(asker(found.number), sign(found));
    const { code } = await vi.waitFor(async () => {
      const view = await logins.read(asker(found.number));
      expect(view).toMatchObject({ status: 'confirm', code: expect.stringMatching(/^\w{4}-\w{4}$/) });
      return view;
    });
    const shown = found.process.driver.pairing.guarded(found.number.phone);
    expect(shown).toEqual({ stage: 'compare', code: code?.replace('-', '') });
    await ownerLinks.confirm({ token, browser });
    await connected(harness(), found.number);
  });

  it('survives the death of its host: the next one asks anew, and both links lead there', async () => {
    const { process, number, browser, passkey } = await guarded();
    const { ownerLinks } = process.sessions;
    const { browser: cookie } = await ownerLinks.open({ token: tokenIn(passkey), browser: undefined });
    process.crash();
    const next = await harness().startProcess();
    expect(await next.sessions.states.find(number.slotId)).toMatchObject({ status: 'reconnecting' });
    await harness().pass(20_000);
    const again = await untilAsked(next, number);
    expect(again.options.challenge).not.toBe(passkey.options.challenge);
    expect(again.url).not.toBe(passkey.url);
    expect(await harness().publishedStates(number)).toEqual(['connected', 'disconnected']);

    const visitor = { token: tokenIn(passkey), browser: cookie };
    expect(await next.sessions.ownerLinks.see(visitor)).toEqual({
      is_login: true,
      status: 'passkey',
      passkey: { options: again.options, expires_at_unix: again.expires_at_unix },
    });
    const view = await next.sessions.ownerLinks.answer(visitor, sign({ browser, passkey: again }));
    expect(view).toMatchObject({ is_login: true });
    await connected(harness(), number, 2);
    expect(await next.sessions.ownerLinks.see(visitor)).toEqual({ is_login: true, status: 'paired' });
  });

  it('says on the owner’s page why an answer was of no use, and asks again when the page is opened again', async () => {
    const found = await guarded();
    const { process, number } = found;
    const { ownerLinks } = process.sessions;
    const token = tokenIn(found.passkey);
    const { browser: cookie } = await ownerLinks.open({ token, browser: undefined });
    const visitor = { token, browser: cookie };
    harness().world.passkeys.arm(number.phone, 'passkey_refused', 1);
    await ownerLinks.answer(visitor, sign(found));
    await vi.waitFor(async () =>
      expect(await ownerLinks.see(visitor)).toMatchObject({ status: 'error', error_code: 'passkey_refused' }),
    );
    await ownerLinks.open(visitor);
    await harness().pass(MINUTE_MS);
    const passkey = await untilAsked(process, number);
    await ownerLinks.answer(visitor, sign({ browser: found.browser, passkey }));
    await connected(harness(), number);
  });

  it('opens to no other browser, nor after the end of the link', async () => {
    const { process, number, sessionId, passkey } = await guarded();
    const { ownerLinks } = process.sessions;
    const token = tokenIn(passkey);
    const { browser } = await ownerLinks.open({ token, browser: undefined });
    await expect(ownerLinks.open({ token, browser: undefined })).rejects.toMatchObject({
      code: 'link_taken',
    });
    await expect(ownerLinks.see({ token, browser: 'x' })).rejects.toMatchObject({ code: 'link_taken' });
    harness().world.devices.unlink(sessionId);
    await harness().pass(15 * MINUTE_MS);
    await vi.waitFor(async () => expect(await harness().row(number)).toMatchObject({ status: 'logged_out' }));
    await expect(ownerLinks.see({ token, browser })).rejects.toMatchObject({ code: 'link_not_found' });
  });
});
