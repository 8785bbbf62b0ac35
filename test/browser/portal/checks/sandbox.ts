import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../until.ts';
import type { Furnished } from '../furnish.ts';
import { bringPhone, makeOwner, registerNumber } from '../owners.ts';
import { type Person, takeUpPhone } from '../phones.ts';
import { NARROW, type TestHarness, visit } from '../visit.ts';

const ADA: Person = { phone: '15550005001', name: 'Ada' };
const BEN: Person = { phone: '15550005002', name: 'Ben' };
const LINKED: Person = { phone: '15550005003', name: 'Desk' };
const STANDING: Person = { phone: '15550005004', name: 'Stand' };
const FRIEND: Person = { phone: '15550005005', name: 'Finn' };

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Seen {
  readonly type: string;
  readonly button_response?: { selected_id: string };
}

/** The left one of two regions of the same phone. */
const hand = (page: Page, { name }: Person): Locator =>
  page.getByRole('region', { name: `Phone of ${name}` }).first();
const bubble = (phone: Locator, text: string): Locator =>
  phone.getByRole('article').filter({ hasText: text });

async function write(phone: Locator, text: string): Promise<void> {
  await phone.getByRole('textbox', { name: 'Message' }).fill(text);
  await phone.getByRole('textbox', { name: 'Message' }).press('Enter');
}

/** Ada on the left and Ben on the right, each with the chat with the other open. */
async function faceToFace(page: Page): Promise<readonly [Locator, Locator]> {
  await page.getByLabel('Left phone').selectOption(ADA.phone);
  await page.getByLabel('Right phone').selectOption(BEN.phone);
  const [ada, ben] = [hand(page, ADA), hand(page, BEN)];
  for (const [phone, other] of [
    [ada, BEN],
    [ben, ADA],
  ] as const) {
    await phone.getByRole('button', { name: 'New chat' }).click();
    await page.getByRole('dialog').getByLabel('Phone number').fill(other.phone);
    await page.getByRole('button', { name: 'Open chat' }).click();
  }
  return [ada, ben];
}

/** Virtual phones in the browser, used by clicks and keys. */
export function sandboxChecks(
  harness: TestHarness,
  { owner }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  const seenBy = async ({ phone }: Person): Promise<readonly Seen[]> =>
    (await gateway.sandbox<{ messages: Seen[] }>('GET', `/phones/${phone}/messages`)).messages;

  return {
    'a phone is added, and an invalid number is refused': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        for (const { phone, name } of [ADA, BEN]) {
          await page.getByRole('button', { name: 'Add a phone' }).click();
          const dialog = page.getByRole('dialog');
          await dialog.getByLabel('Name').fill(name);
          await dialog.getByLabel('Phone number').fill('nonsense');
          await dialog.getByRole('button', { name: 'Add a phone' }).click();
          await dialog.getByRole('alert').waitFor();
          await dialog.getByLabel('Phone number').fill(phone);
          await dialog.getByRole('button', { name: 'Add a phone' }).click();
          await page.getByText(`${name} is on the network.`).waitFor();
          await dialog.waitFor({ state: 'detached' });
        }
      }),

    'two phones talk: a message arrives, is read, and is answered': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        const [ada, ben] = await faceToFace(page);
        await ben.getByLabel('Reads what it sees').uncheck();
        await write(ada, 'Tea at five?');
        await bubble(ben, 'Tea at five?').waitFor();
        await bubble(ada, 'Tea at five?').getByLabel('Delivered').waitFor();
        await ben.getByLabel('Reads what it sees').check();
        await bubble(ada, 'Tea at five?').getByLabel('Read').waitFor();
        await bubble(ben, 'Tea at five?').getByRole('button', { name: 'Actions' }).click();
        await ben.getByRole('button', { name: 'Reply' }).click();
        await write(ben, 'Gladly');
        await bubble(ada, 'Gladly').locator('blockquote', { hasText: 'Tea at five?' }).waitFor();
      }),

    'a message gets a reaction, is edited, and is deleted': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        const [ada, ben] = await faceToFace(page);
        await bubble(ben, 'Tea at five?').first().getByRole('button', { name: 'Actions' }).click();
        await ben.getByRole('button', { name: 'React with 👍' }).click();
        await bubble(ada, 'Tea at five?').first().getByText('👍').waitFor();
        await bubble(ada, 'Tea at five?').first().getByRole('button', { name: 'Actions' }).click();
        await ada.getByRole('button', { name: 'Edit' }).click();
        await write(ada, 'Tea at six?');
        await bubble(ben, 'Tea at six?').getByText('edited').waitFor();
        await bubble(ada, 'Tea at six?').getByRole('button', { name: 'Actions' }).click();
        await ada.getByRole('button', { name: 'Delete for everyone' }).click();
        await bubble(ben, 'This message was deleted').waitFor();
      }),

    'a picture is sent and seen': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        const [ada, ben] = await faceToFace(page);
        const file = { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL };
        await ada.locator('input[type=file]').setInputFiles(file);
        await ben.getByRole('img', { name: 'Image' }).waitFor();
        const width = "document.querySelector('.bubble-image').naturalWidth";
        await until(async () => (await page.evaluate(width)) === 1);
      }),

    'a vote in a poll and a pressed button show on the sender’s phone': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        const [ada, ben] = await faceToFace(page);
        await ada.getByRole('button', { name: 'Ask by poll' }).click();
        await page.getByLabel('Question').fill('Sugar?');
        await page.getByLabel('Options').fill('One\nTwo');
        await page.getByRole('button', { name: 'Send poll' }).click();
        await ben.getByRole('radio', { name: 'Two' }).check();
        await bubble(ada, 'Sugar?').getByText('1 vote', { exact: true }).waitFor();
        await gateway.sandbox('POST', `/phones/${ADA.phone}/messages`, {
          to: BEN.phone,
          type: 'interactive',
          interactive_body: 'Shall I order?',
          interactive_buttons: [{ type: 'quick_reply', display_text: 'Yes, please', id: 'order-yes' }],
        });
        await ben.getByRole('button', { name: 'Yes, please' }).click();
        await until(async () =>
          (await seenBy(ADA)).some(({ button_response }) => button_response?.selected_id === 'order-yes'),
        );
      }),

    'a call rings on both phones until it is declined': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        const [ada, ben] = await faceToFace(page);
        await ada.getByRole('button', { name: 'Video call' }).click();
        await ben.getByText('Incoming video call').waitFor();
        await ada.getByText('Video calling').waitFor();
        await ben.getByRole('button', { name: 'Decline' }).click();
        await ada.getByRole('textbox', { name: 'Message' }).waitFor();
      }),

    'a phone goes online and offline': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        await page.getByLabel('Left phone').selectOption(ADA.phone);
        const presence = hand(page, ADA).getByRole('switch', { name: 'Online' });
        const before = await presence.getAttribute('aria-checked');
        await presence.click();
        const after = before === 'true' ? 'false' : 'true';
        await until(async () => (await presence.getAttribute('aria-checked')) === after);
        const { online } = await gateway.sandbox<{ online: boolean }>('GET', `/phones/${ADA.phone}`);
        assert.equal(String(online), after);
      }),

    'a phone links a number with a code, its link breaks, and it unlinks': async () => {
      const deskOwner = await makeOwner(gateway, 'Desk');
      await registerNumber(gateway, deskOwner, LINKED.phone);
      await bringPhone(gateway, deskOwner, LINKED);
      await visit(harness, `/portal/numbers/${LINKED.phone}`, { as: deskOwner }, async (page, context) => {
        await page.getByRole('radio', { name: 'Code', exact: true }).check();
        await page.getByRole('button', { name: 'Start' }).click();
        const code = (await page.getByLabel('Code to type on the phone').textContent()) ?? '';
        const phone = await takeUpPhone(context, gateway, LINKED);
        await phone.getByRole('button', { name: 'Linked devices' }).click();
        await phone.getByRole('button', { name: 'Scan a QR code' }).waitFor();
        await phone.getByLabel('Or enter a code').fill(code);
        await phone.getByLabel('Or enter a code').press('Enter');
        await phone.getByText('Connected', { exact: true }).waitFor();
        await phone.getByRole('button', { name: 'Break it' }).click();
        await phone.getByText('Not connected').waitFor();
        await phone.getByRole('button', { name: 'Unlink' }).click();
        await phone.getByText('Nothing is linked to this phone.').waitFor();
      });
    },

    'the network restricts, caps, bans, locks and removes a number on a click, and its phone blocks a contact':
      async () => {
        for (const person of [STANDING, FRIEND]) await bringPhone(gateway, owner, person);
        const text = 'Do you know me?';
        await gateway.sandbox('POST', `/phones/${FRIEND.phone}/messages`, { to: STANDING.phone, text });
        await visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
          await page.getByLabel('Left phone').selectOption(STANDING.phone);
          const phone = hand(page, STANDING);
          await phone.getByRole('button', { name: 'Linked devices' }).click();
          const form = phone.getByRole('region', { name: 'How the network treats this number' });
          const does = async (what: string): Promise<void> => {
            await form.getByLabel('What it does, or the owner of this phone').selectOption(what);
            await form.getByRole('button', { name: 'Do it' }).click();
          };
          await form.getByText('As any other.').waitFor();
          await does('Locks new chats for an hour');
          await form.getByText(/^No new chats \(RESTRICT_ALL_COMPANIONS\) until/).waitFor();
          await does('Caps: 10 of 10 new chats are used');
          await form.getByText('10 of 10 new chats used').waitFor();
          await does('Bans it for an hour, for the same message to too many');
          await form.getByText(/^Banned until/).waitFor();
          await does('Locks the account');
          await form.getByText('The account is locked.').waitFor();
          for (const what of ['Removes all linked devices', 'Refuses to look up numbers for ten minutes'])
            await does(what);
          await does(`Blocks ${FRIEND.name}`);
          const about = ({ phone }: Person) =>
            gateway.sandbox<{ blocked_by: number }>('GET', `/phones/${phone}`);
          await until(async () => (await about(FRIEND)).blocked_by === 1);
        });
      },

    'a scan without a QR shows what to do': () =>
      visit(harness, '/portal/sandbox', { as: owner }, async (page) => {
        await page.getByLabel('Left phone').selectOption(ADA.phone);
        const ada = hand(page, ADA);
        await ada.getByRole('button', { name: 'Linked devices' }).click();
        await ada.getByRole('button', { name: 'Scan a QR code' }).click();
        await ada.getByRole('alert').getByText('No other tab shows a code').waitFor();
      }),

    'a narrow screen shows one phone at a time': () =>
      visit(harness, '/portal/sandbox', { as: owner, viewport: NARROW }, async (page) => {
        await page.getByLabel('Left phone').waitFor();
        assert.ok(await page.getByLabel('Right phone').isHidden());
        await page.getByRole('group', { name: 'Phone to show' }).getByRole('radio').nth(1).check();
        await page.getByLabel('Right phone').waitFor();
        assert.ok(await page.getByLabel('Left phone').isHidden());
      }),
  };
}
