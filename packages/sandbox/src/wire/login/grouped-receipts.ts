import type { MailboxItem, News } from '../../world/index.ts';
import { lidJid } from '../../world/index.ts';
import { storyJid } from '../messages/addresses.ts';
import { type Node, node } from '../transport/nodes.ts';

type ReceiptNews = Extract<News, { kind: 'receipt' }>;

/** Waiting receipts of one chat and type are grouped; undefined for an item that is sent alone. */
export function groupOf({ news, waited }: MailboxItem): string | undefined {
  if (!waited || news.kind !== 'receipt' || news.chat.kind === 'direct') return undefined;
  return `${news.chat.jid} ${news.type}`;
}

/** All people who received, read or played messages of one chat meanwhile, message by message. */
export function groupedReceipt(items: readonly MailboxItem[]): Node | undefined {
  const receipts = items.flatMap(({ news }) => (news.kind === 'receipt' ? news : []));
  const [first] = receipts;
  if (!first) return undefined;
  const byMessage = Map.groupBy(receipts, ({ messageId }) => messageId);
  return node(
    'receipt',
    {
      id: `G${items[0]?.id}`,
      from: first.chat.jid,
      type: first.type === 'delivered' ? undefined : first.type,
      t: Math.floor(first.at / 1000),
    },
    [...byMessage].map(([key, each]) => node('participants', { key }, each.map(user))),
  );
}

function user({ chat, reader, at }: ReceiptNews): Node {
  const jid = chat.kind === 'group' ? lidJid(reader.lid) : storyJid(reader);
  return node('user', { jid, t: Math.floor(at / 1000) });
}
