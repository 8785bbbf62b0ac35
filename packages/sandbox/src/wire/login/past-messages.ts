import { proto } from 'baileys';
import {
  type Bubble,
  type Contact,
  type LinkedDevice,
  lidJid,
  type Person,
  userJid,
} from '../../world/index.ts';
import { writeContent } from '../content/index.ts';
import type { Random } from '../ports.ts';
import type { ContentContexts } from '../stanzas/content-contexts.ts';

const { Status } = proto.WebMessageInfo;
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** The chat under the address in the phone's history. */
export const chatId = (chat: Bubble['chat']): string =>
  chat.kind === 'direct' ? userJid(chat.person.phone) : chat.jid;

/** A message of the chat `jid` for the history, with its receipts and reactions; undefined when nothing of it can be shown. */
export function pastMessage(
  contexts: Pick<ContentContexts, 'forWriting'>,
  device: LinkedDevice,
  bubble: Bubble,
  jid: string,
): proto.IHistorySyncMsg[] {
  const { id, chat, fromMe, sender, at, edited, revoked } = bubble;
  if (bubble.content.type === 'waiting' || revoked) return [];
  const content =
    bubble.content.type === 'text' && edited ? { ...bubble.content, text: edited.text } : bubble.content;
  const isGroup = chat.kind === 'group';
  const addressOf = (person: Person): string => {
    if (isGroup) return lidJid(person.lid);
    return person.phone === device.phone ? userJid(person.phone) : jid;
  };
  return [
    {
      message: {
        key: { remoteJid: jid, fromMe, id, ...(isGroup && { participant: addressOf(sender) }) },
        message: writeContent(content, contexts.forWriting({ ...bubble, content }, device)),
        messageTimestamp: seconds(at),
        ...(fromMe
          ? { status: statusOf(bubble), userReceipt: receiptsOf(bubble, addressOf) }
          : { pushName: sender.name }),
        reactions: bubble.reactions.map(({ person, emoji, at: reactedAt }) => ({
          key: {
            remoteJid: jid,
            fromMe: person.phone === device.phone,
            id: `${id}-${person.phone}`,
            ...(isGroup && { participant: addressOf(person) }),
          },
          text: emoji,
          senderTimestampMs: reactedAt,
        })),
      },
    },
  ];
}

const LONG_TEXT_BYTES = 3_000;
const OLDEST = 1_500_000_000;

/** Made-up messages of a contact with texts that do not compress, oldest last: years of a busy chat. */
export function longPast({ phone }: Contact, bytes: number, random: Random): proto.IHistorySyncMsg[] {
  const count = Math.ceil(bytes / LONG_TEXT_BYTES);
  return Array.from({ length: count }, (_, place) => ({
    message: {
      key: { remoteJid: userJid(phone), fromMe: false, id: `PAST${place}` },
      message: {
        conversation: Buffer.from(random.bytes((LONG_TEXT_BYTES * 3) / 4)).toString('base64'),
      },
      messageTimestamp: OLDEST + 60 * (count - place),
    },
  }));
}

function statusOf({ receipts }: Bubble): proto.WebMessageInfo.Status {
  const has = (wanted: string): boolean => receipts.some(({ type }) => type === wanted);
  if (has('played')) return Status.PLAYED;
  if (has('read')) return Status.READ;
  return has('delivered') ? Status.DELIVERY_ACK : Status.SERVER_ACK;
}

function receiptsOf({ receipts }: Bubble, addressOf: (person: Person) => string): proto.IUserReceipt[] {
  const people = Map.groupBy(receipts, ({ person }) => addressOf(person));
  return [...people].map(([jid, theirs]) => {
    const at = (wanted: string) => theirs.find(({ type }) => type === wanted)?.at;
    const [delivered, read, played] = [at('delivered'), at('read'), at('played')];
    return {
      userJid: jid,
      ...(delivered !== undefined && { receiptTimestamp: seconds(delivered) }),
      ...(read !== undefined && { readTimestamp: seconds(read) }),
      ...(played !== undefined && { playedTimestamp: seconds(played) }),
    };
  });
}

/** Number of unread messages of others. */
export function unreadIn(bubbles: readonly Bubble[]): number {
  return bubbles.filter(
    ({ fromMe, receipts }) => !fromMe && !receipts.some(({ type }) => type !== 'delivered'),
  ).length;
}
