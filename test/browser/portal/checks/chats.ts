import assert from 'node:assert/strict';
import { until } from '../../until.ts';
import { FRIENDS, type Furnished } from '../furnish.ts';
import { NARROW, type TestHarness, visit } from '../visit.ts';

/** The stored conversations of a number, as its owner reads and deletes them. */
export function chatChecks(
  harness: TestHarness,
  { owner, phone }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;
  const [mina, jonas] = FRIENDS;
  const number = `/portal/numbers/${phone}`;
  const chatWith = (friend: string): string => `${number}/chats/${friend}%40s.whatsapp.net`;

  return {
    'the number shows its stored history and retention, and links to its chats': () =>
      visit(harness, number, { as: owner }, async (tab) => {
        const card = tab.getByRole('region', { name: 'Conversations' });
        await card.getByText(/kept for 90 days, with their files, encrypted/).waitFor();
        await card.getByRole('link', { name: 'Open chats' }).click();
        await tab.getByText('Read-only. Messages are deleted after 90 days.').waitFor();
        await tab
          .getByRole('navigation', { name: 'Chats of this number' })
          .getByRole('link')
          .first()
          .waitFor();
      }),

    'a chat is opened by keyboard, shows pictures, and shows new messages live': () =>
      visit(harness, `${number}/chats`, { as: owner }, async (tab) => {
        const list = tab.getByRole('navigation', { name: 'Chats of this number' });
        await list.getByRole('link', { name: mina.phone.slice(-4) }).focus();
        await tab.keyboard.press('Enter');
        const messages = tab.getByRole('list', { name: 'Messages' });
        await messages.getByText('Yes, the blue one.').waitFor();
        const picture = messages.getByRole('img', { name: 'File (png)' });
        await picture.scrollIntoViewIfNeeded();
        await until(() => tab.evaluate('document.querySelector(".chats-picture")?.naturalWidth > 0'));
        await gateway.sandbox('POST', `/phones/${mina.phone}/messages`, {
          to: phone,
          text: 'Then I take it.',
        });
        await messages.getByText('Then I take it.').waitFor();
      }),

    'a narrow screen shows the list or the chat, with a way back': () =>
      visit(harness, chatWith(mina.phone), { as: owner, viewport: NARROW }, async (tab) => {
        await tab.getByRole('list', { name: 'Messages' }).waitFor();
        const list = tab.getByRole('navigation', { name: 'Chats of this number' });
        assert.equal(await list.isVisible(), false);
        await tab.getByRole('link', { name: 'All chats' }).click();
        await list.waitFor();
      }),

    'a chat is deleted when its owner confirms it, and not before': () =>
      visit(harness, chatWith(jonas.phone), { as: owner }, async (tab) => {
        const messages = tab.getByRole('list', { name: 'Messages' });
        await messages.waitFor();
        await tab.getByRole('button', { name: 'Delete this chat' }).click();
        await tab.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
        await messages.waitFor();
        await tab.getByRole('button', { name: 'Delete this chat' }).click();
        await tab.getByRole('dialog').getByRole('button', { name: 'Delete this chat' }).click();
        await tab.getByText('The chat is deleted.').waitFor();
        await tab.goto(new URL(chatWith(jonas.phone), gateway.url).href);
        await tab.getByText('No messages of this chat are kept.').waitFor();
      }),
  };
}
