import assert from 'node:assert/strict';
import { createSoftAuthenticator, type SoftAuthenticator } from '@parley/sandbox/authenticator';
import type { Page } from 'playwright-core';
import { judge } from '../portal/checks/appearance.ts';
import { type TestHarness, visit } from '../portal/visit.ts';
import { type GuardedNumber, guardNumber, makePasskey, plugInAuthenticator } from './guarded.ts';

const TO_COMPARE = 'Does the phone show the same?';
const LATE_SECONDS = 5 * 60 + 1;
/** A page of the gateway to open before there is a link. */
const ANYWHERE = '/portal';
const NETWORK = { rpId: 'whatsapp.com', origin: 'https://web.whatsapp.com' };

/** An owner without a login links a number by the page of a link. */
export function ownerPageChecks(harness: TestHarness): Record<string, () => Promise<void>> {
  const { gateway } = harness;

  async function onOwnersPage(
    method: 'qr' | 'code',
    use: (page: Page, number: GuardedNumber, link: string) => Promise<void>,
    { prepare, expects }: { prepare?: (phone: string) => Promise<void>; expects?: RegExp } = {},
  ): Promise<void> {
    await visit(harness, ANYWHERE, { ...(expects && { expects }) }, async (page) => {
      const number = await guardNumber(gateway);
      await plugInAuthenticator(page);
      await makePasskey(page, gateway, number.phone);
      await prepare?.(number.phone);
      await number.start(method);
      const link = await number.ownersLink();
      await page.goto(link);
      await use(page, number, link);
    });
  }

  const confirmWithPasskey = (page: Page) =>
    page.getByRole('button', { name: 'Confirm with passkey' }).click();
  const isLinked = (page: Page) => page.getByRole('heading', { name: 'Linked', exact: true }).waitFor();

  async function compare(page: Page, number: GuardedNumber): Promise<void> {
    await page.getByRole('heading', { name: TO_COMPARE }).waitFor();
    const code = await page.getByLabel('Code to compare').textContent();
    assert.equal(code, await number.codeOnPhone());
    await page.getByRole('button', { name: 'Yes, it is the same' }).click();
  }

  return {
    'a guarded number is linked by QR on the owner’s page': () =>
      onOwnersPage('qr', async (page, number) => {
        await confirmWithPasskey(page);
        await isLinked(page);
        const { session_id } = await number.poll();
        assert.match(session_id ?? '', new RegExp(`^${number.phone}:\\d+@`));
      }),

    'a guarded number is linked by code on the owner’s page, by keyboard alone': () =>
      onOwnersPage('code', async (page) => {
        const button = page.getByRole('button', { name: 'Confirm with passkey' });
        await button.waitFor();
        for (let presses = 0; presses < 10; presses += 1) {
          await page.keyboard.press('Tab');
          if (await button.evaluate((element) => element === element.ownerDocument.activeElement)) break;
        }
        await page.keyboard.press('Enter');
        await isLinked(page);
      }),

    'the login of a linked number is confirmed on the owner’s page, and a refused answer is repeated there':
      () =>
        onOwnersPage('qr', async (page, number) => {
          await confirmWithPasskey(page);
          await isLinked(page);
          await number.askAtLogin();
          await page.goto(await number.loginLink());
          await page.getByRole('heading', { name: 'WhatsApp asks for the passkey' }).waitFor();
          await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
          await judge(page);
          await gateway.sandbox('POST', '/faults', { phone: number.phone, fault: 'passkey_refused' });
          await confirmWithPasskey(page);
          await page.getByRole('button', { name: 'Ask now' }).click();
          await gateway.sandbox('POST', '/clock', { advance_seconds: 61 });
          await confirmWithPasskey(page);
          await page.getByRole('heading', { name: 'Connected again' }).waitFor();
          await judge(page);
          assert.equal(await number.sessionStatus(), 'connected');
        }),

    'an owner who took long with the QR compares the codes': () =>
      onOwnersPage('qr', async (page, number) => {
        await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
        await gateway.sandbox('POST', '/clock', { advance_seconds: LATE_SECONDS });
        await confirmWithPasskey(page);
        await compare(page, number);
        await isLinked(page);
      }),

    'a phone that typed a code without a key of its own has codes to compare': () =>
      onOwnersPage(
        'code',
        async (page, number) => {
          await confirmWithPasskey(page);
          await compare(page, number);
          await isLinked(page);
        },
        {
          prepare: async (phone) => {
            await gateway.sandbox('POST', '/faults', { phone, fault: 'passkey_bare_code' });
          },
        },
      ),

    'an owner without the extension signs by hand on the network’s own site, and pastes the answer': () =>
      visit(harness, ANYWHERE, {}, async (page) => {
        const number = await guardNumber(gateway, NETWORK.rpId);
        const elsewhere = createSoftAuthenticator({ origin: NETWORK.origin });
        const address = `/phones/${number.phone}/passkey`;
        const asked = await gateway.sandbox<Parameters<SoftAuthenticator['create']>[0]>('GET', address);
        await gateway.sandbox('POST', address, elsewhere.create(asked));
        await number.start('qr');
        await page.goto(await number.ownersLink());
        await page.getByRole('radio', { name: 'By hand' }).check();
        const challenge = (await number.poll()).passkey?.options.challenge ?? '';
        await page.getByText(challenge).first().waitFor();
        await judge(page);
        const field = page.getByRole('textbox');
        const send = page.locator('button[type=submit]');
        await field.fill('what the console said');
        await send.click();
        await page.getByRole('alert').waitFor();
        await field.fill(JSON.stringify(elsewhere.get({ challenge, rpId: NETWORK.rpId })));
        await send.click();
        await isLinked(page);
      }),

    'the request, the comparison and the result pass the accessibility checks': () =>
      onOwnersPage('qr', async (page, number) => {
        await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
        await judge(page);
        await gateway.sandbox('POST', '/clock', { advance_seconds: LATE_SECONDS });
        await confirmWithPasskey(page);
        await page.getByRole('heading', { name: TO_COMPARE }).waitFor();
        await judge(page);
        await compare(page, number);
        await isLinked(page);
        await judge(page);
      }),

    'different codes end the linking with an explanation': () =>
      onOwnersPage('qr', async (page, number) => {
        await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
        await gateway.sandbox('POST', '/clock', { advance_seconds: LATE_SECONDS });
        await confirmWithPasskey(page);
        await page.getByRole('heading', { name: TO_COMPARE }).waitFor();
        await page.getByRole('button', { name: 'No: stop' }).click();
        await page.getByText('The pairing was given up.').waitFor();
        assert.equal((await number.poll()).status, 'error');
      }),

    'an assertion that the network refuses ends the linking with an explanation': () =>
      onOwnersPage(
        'qr',
        async (page, number) => {
          await confirmWithPasskey(page);
          await page.getByRole('heading', { name: 'It was not linked' }).waitFor();
          assert.equal((await number.poll()).error_code, 'passkey_refused');
        },
        {
          prepare: async (phone) => {
            await gateway.sandbox('POST', '/faults', { phone, fault: 'passkey_refused' });
          },
        },
      ),

    'a reload resumes, a second tab follows, and another person with the link is refused': () =>
      onOwnersPage(
        'qr',
        async (page, _number, link) => {
          await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
          await page.reload();
          await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
          const second = await page.context().newPage();
          await second.goto(link);
          await second.getByRole('button', { name: 'Confirm with passkey' }).waitFor();

          const thief = await harness.browser.newContext();
          const stolen = await thief.newPage();
          await stolen.goto(link);
          await stolen.getByText('opened in another browser').waitFor();
          await thief.close();

          await page.bringToFront();
          await confirmWithPasskey(page);
          await isLinked(page);
          await second.bringToFront();
          await isLinked(second);
        },
        { expects: /403/ },
      ),
  };
}
