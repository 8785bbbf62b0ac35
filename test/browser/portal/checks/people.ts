import { createSystemClock } from '@parley/gateway/kernel';
import type { Page } from 'playwright-core';
import { codeAt } from '../../../../packages/gateway/src/accounts/testing/index.ts';
import { until } from '../../until.ts';
import { makeOwner } from '../owners.ts';
import { type TestHarness, visit } from '../visit.ts';
import { judge } from './appearance.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const NEW_PASSWORD = 'a password of another day';

/** The link in the newest mail to this address, as a path. */
export async function mailedLink({ gateway }: TestHarness, email: string, page: string): Promise<string> {
  const link = await until(() => {
    const mail = gateway.mail.mails.findLast(
      ({ to, text }) => to.includes(email) && text.includes(`/portal/${page}#`),
    );
    return /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0];
  });
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}

/** Profile, second factor, invitations and recovery. */
export const peopleChecks = (harness: TestHarness): Record<string, () => Promise<void>> => ({
  'a forgotten password is replaced by a link from a mail, which works once': async () => {
    const { email } = await makeOwner(harness.gateway);
    await visit(harness, '/portal', {}, async (page) => {
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('E-mail').fill(email);
      await judge(page);
      await page.getByRole('button', { name: 'Send me a link' }).click();
      await heading(page, 'Check your mail').waitFor();
    });
    const link = await mailedLink(harness, email, 'recover');
    await visit(harness, link, {}, async (page) => {
      await page.getByText(`For ${email}.`).waitFor();
      await judge(page);
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Save and sign in' }).click();
      await heading(page, 'Register your first number').waitFor();
    });
    await visit(harness, link, { expects: /404/ }, async (page) => {
      await page.getByRole('alert').getByText('This link is not valid any more').waitFor();
    });
  },

  'a second factor is enabled by a scan, required at sign-in, and replaced by a recovery code when the app is lost':
    async () => {
      const owner = await makeOwner(harness.gateway);
      let secret = '';
      let recovery = '';
      await visit(harness, '/portal/security', { as: owner }, async (page) => {
        const dialog = page.getByRole('dialog');
        await page.getByRole('button', { name: 'Turn on' }).click();
        await dialog.getByLabel('Your password').fill(owner.password);
        await dialog.getByRole('button', { name: 'Next' }).click();
        await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
        secret = (await dialog.locator('code').textContent()) ?? '';
        await judge(page);
        await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
        await dialog.getByRole('button', { name: 'Turn on' }).click();
        await dialog.getByText('Each of them stands in').waitFor();
        [recovery = ''] = ((await dialog.locator('code').textContent()) ?? '').split('\n');
        await judge(page);
        await dialog.getByRole('button', { name: 'I have copied it' }).click();
        await page.getByText('10 recovery codes are left.').waitFor();
      });
      await visit(harness, '/portal/security', { expects: /401/ }, async (page) => {
        await page.getByLabel('E-mail').fill(owner.email);
        await page.getByLabel('Password').fill(owner.password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByLabel('Code').fill(recovery);
        await judge(page);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('9 recovery codes are left.').waitFor();
        await page.getByText('This one').waitFor();
        await page
          .getByRole('row', { name: /Chrome, Linux/ })
          .getByRole('button', { name: 'Sign out' })
          .click();
        await page.getByText('That browser is signed out.').waitFor();
      });
    },

  'a member is invited by mail, sees everything, changes nothing, and is removed': async () => {
    const owner = await makeOwner(harness.gateway, 'Old Mill');
    const email = 'miller@example.com';
    await visit(harness, '/portal/team', { as: owner }, async (page) => {
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Invite a member' }).click();
      await dialog.getByLabel('E-mail').fill(email);
      await dialog.getByLabel('Role').selectOption('Read-only');
      await judge(page);
      await dialog.getByRole('button', { name: 'Invite a member' }).click();
      await page.getByText(`${email} is invited.`).waitFor();
      await page.getByRole('row', { name: new RegExp(email) }).waitFor();
      const link = await mailedLink(harness, email, 'join');
      await visit(harness, link, { expects: /401/ }, async (theirs) => {
        await heading(theirs, 'Join Old Mill').waitFor();
        await judge(theirs);
        await theirs.getByLabel('Your name').fill('Tom Miller');
        await theirs.getByLabel('Password').fill(NEW_PASSWORD);
        await theirs.getByRole('button', { name: 'Join and sign in' }).click();
        await theirs.getByText('You can look at everything here.').waitFor();
        await theirs.goto(`${harness.gateway.url}/portal/team`);
        await theirs.getByRole('row', { name: /Tom Miller You/ }).waitFor();
        await judge(theirs);
        await page.reload();
        await page.getByRole('row', { name: /Tom Miller/ }).waitFor();
        await judge(page);
        await page
          .getByRole('row', { name: /Tom Miller/ })
          .getByRole('button', { name: 'Remove' })
          .click();
        await dialog.getByRole('button', { name: 'Remove' }).click();
        await page.getByText('Tom Miller is removed.').waitFor();
        await theirs.goto(`${harness.gateway.url}/portal/keys`);
        await heading(theirs, 'Sign in').waitFor();
      });
    });
  },

  'the operator makes a link for an account that never had a password': async () => {
    const body = { name: 'Quiet Mill', email: 'mill@example.com' };
    const { account_id } = await harness.gateway.operator<{ account_id: string }>('POST', '/accounts', body);
    let link = '';
    await visit(harness, `/portal/operator/accounts/${account_id}`, { as: 'operator' }, async (page) => {
      await page.getByRole('row', { name: /mill@example.com Quiet Mill Owner No password yet/ }).waitFor();
      await page.getByRole('button', { name: 'Reset password' }).click();
      link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
      await judge(page);
    });
    const { pathname, hash } = new URL(link);
    await visit(harness, pathname + hash, {}, async (page) => {
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Save and sign in' }).click();
      await heading(page, 'Register your first number').waitFor();
    });
  },
});

/** Code of an authenticator app with this secret. */
function codeOf(secret: string): string {
  const bits = [...secret]
    .map((character) => BASE32.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return codeAt(Buffer.from(bytes), createSystemClock().now());
}
