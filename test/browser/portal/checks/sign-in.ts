import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { OPERATOR_TOKEN } from '../gateway.ts';
import { makeOwner } from '../owners.ts';
import { type TestHarness, visit } from '../visit.ts';
import { judge } from './appearance.ts';
import { mailedLink } from './people.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
}

/** Signing in, refused sign-ins, and signing out. */
export const entranceChecks = (harness: TestHarness): Record<string, () => Promise<void>> => ({
  'a new owner opens an account and sees the first steps': () =>
    visit(harness, '/portal', {}, async (page) => {
      await page.getByRole('button', { name: 'Create an account' }).click();
      await page.getByLabel('Name').fill('Newcomer');
      await fillIn(page, 'newcomer@example.com', 'a long enough password');
      await page.getByRole('button', { name: 'Create an account' }).click();
      await heading(page, 'Verify your address').waitFor();
      await judge(page);
      const link = await mailedLink(harness, 'newcomer@example.com', 'verify');
      await visit(harness, link, {}, (elsewhere) => heading(elsewhere, 'Your address is verified').waitFor());
      await heading(page, 'Register your first number').waitFor();
    }),

  'a wrong password is refused with an error text, the right one opens the requested page': async () => {
    const owner = await makeOwner(harness.gateway);
    await visit(harness, '/portal/keys', { expects: /401/ }, async (page) => {
      await fillIn(page, owner.email, 'not the password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('Email or password is wrong.').waitFor();
      await fillIn(page, owner.email, owner.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'API keys').waitFor();
    });
  },

  'signing out everywhere ends the session in another browser too': async () => {
    const owner = await makeOwner(harness.gateway);
    await visit(harness, '/portal/numbers', { as: owner, expects: /401/ }, async (elsewhere) => {
      await heading(elsewhere, 'Numbers').waitFor();
      await visit(harness, '/portal/numbers', { as: owner }, async (page) => {
        await page.getByRole('button', { name: 'Account' }).click();
        await page.getByRole('button', { name: 'Sign out everywhere' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
        await heading(page, 'Sign in').waitFor();
      });
      await elsewhere.getByRole('link', { name: 'API keys' }).click();
      await heading(elsewhere, 'Sign in').waitFor();
    });
  },

  'a changed password works at once': async () => {
    const owner = await makeOwner(harness.gateway);
    await visit(harness, '/portal/numbers', { as: owner }, async (page) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('link', { name: 'Security' }).click();
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByLabel('Current password').fill(owner.password);
      await page.getByLabel('New password').fill('another long password');
      await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Your password is changed.').waitFor();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await fillIn(page, owner.email, 'another long password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Security').waitFor();
    });
  },

  'a page of another site can neither act for the owner nor sign them out': async () => {
    const owner = await makeOwner(harness.gateway);
    const { url } = harness.gateway;
    await visit(harness, '/portal/numbers', { as: owner, expects: /./ }, async (page, context) => {
      await heading(page, 'Numbers').waitFor();
      await onAnotherSite(async (address) => {
        const foreign = await context.newPage();
        await foreign.goto(address);
        const refusal = foreign.waitForResponse(`${url}/portal/api/sign-out`);
        await foreign.evaluate(
          `fetch('${url}/portal/api/sign-out', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then(() => {})`,
        );
        assert.equal((await refusal).status(), 403);
        const withHeader = `fetch('${url}/portal/api/sign-out', { method: 'POST', credentials: 'include', headers: { 'X-Parley-Portal': '1' } })`;
        assert.equal(
          await foreign.evaluate(`${withHeader}.then(() => 'passed', () => 'stopped')`),
          'stopped',
        );
      });
      await page.reload();
      await heading(page, 'Numbers').waitFor();
    });
  },

  'a suspended account sees the suspension, and signs in again when it is active': async () => {
    const owner = await makeOwner(harness.gateway);
    const account = `/accounts/${owner.accountId}`;
    await harness.gateway.operator('PATCH', account, { status: 'suspended' });
    await visit(harness, '/portal/numbers', { as: owner }, async (page) => {
      await heading(page, 'Your account is suspended').waitFor();
      await judge(page);
      await harness.gateway.operator('PATCH', account, { status: 'active' });
      await page.reload();
      await heading(page, 'Numbers').waitFor();
    });
  },

  'the operator’s pages open with the token only': () =>
    visit(harness, '/portal/operator', { expects: /401/ }, async (page) => {
      await page.getByLabel('Operator token').fill('guessed');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Operator token').fill(OPERATOR_TOKEN);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation').waitFor();
    }),
});

/** Last of all, because every account has terms to accept afterwards. */
export const termsChecks = (harness: TestHarness): Record<string, () => Promise<void>> => ({
  'announced terms are shown above every page, and accepted there': async () => {
    const owner = await makeOwner(harness.gateway);
    await harness.gateway.operator('POST', '/tos', { version: 'next', url: 'https://example.com/next' });
    await visit(harness, '/portal/keys', { as: owner }, async (page) => {
      await heading(page, 'API keys').waitFor();
      await page.getByText('Version next of the terms of service takes effect on').waitFor();
      const link = page.getByRole('link', { name: 'Read the terms' });
      assert.equal(await link.getAttribute('href'), 'https://example.com/next');
      await judge(page);
      await link.focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Version next of the terms').waitFor({ state: 'detached' });
    });
  },

  'new terms block every page until they are accepted': async () => {
    const owner = await makeOwner(harness.gateway);
    await visit(harness, '/portal/numbers', { as: owner, expects: /403/ }, async (page) => {
      await heading(page, 'Numbers').waitFor();
      await harness.gateway.operator('POST', '/tos', {
        version: '2026-07',
        url: 'https://example.com/terms',
        now: true,
      });
      // The page may have reloaded already.
      await page.goto(`${harness.gateway.url}/portal/keys`);
      await heading(page, 'Please accept the terms').waitFor();
      const link = page.getByRole('link', { name: 'Read the terms' });
      assert.equal(await link.getAttribute('href'), 'https://example.com/terms');
      const accept = page.getByRole('button', { name: 'Accept and continue' });
      assert.ok(await accept.isDisabled());
      await judge(page);
      await page.reload();
      // By keyboard, to the end: there must be no focus trap.
      await link.focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      assert.ok(await page.getByLabel('I have read and accept version 2026-07').isChecked());
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await heading(page, 'API keys').waitFor();
    });
  },
});

/** For a browser another host is another site, although it is the same machine. */
async function onAnotherSite(use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    await use(`http://localhost:${port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
