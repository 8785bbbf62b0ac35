import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { proto } from 'baileys';
import type { Bubble, Contact, PhoneNumber, World } from '../../world/index.ts';
import { lidJid, shownNumber, userJid } from '../../world/index.ts';
import { field } from '../app-state/syncd.ts';
import type { Blobs } from '../media/blobs.ts';

/** What a phone tells of its past to a device that it has linked. */
export interface History {
  /** Its chats with their latest messages, and who the people in them are. */
  bootstrap(phone: PhoneNumber): Promise<proto.Message.IProtocolMessage>;
  /** What people call themselves. */
  names(phone: PhoneNumber): Promise<proto.Message.IProtocolMessage>;
}

/** Up to this size it travels in the notification itself. */
const INLINE_BYTES = 1024;
const MESSAGES_OF_A_CHAT = 20;
/** The library does not know the field yet. */
const NCT_SALT_FIELD = 19;

const { HistorySyncType } = proto.HistorySync;
const compress = promisify(deflate);

export function createHistory({
  world,
  blobs,
}: {
  world: Pick<World, 'contacts' | 'groups' | 'messages' | 'phones' | 'tokens'>;
  blobs: Blobs;
}): History {
  const notification = async (
    phone: PhoneNumber,
    name: string,
    sync: proto.IHistorySync,
  ): Promise<proto.Message.IProtocolMessage> => {
    const salt = field(NCT_SALT_FIELD, world.tokens.nctSalt(phone));
    const whole = Buffer.concat([proto.HistorySync.encode(sync).finish(), salt]);
    const mayBeInline = sync.syncType === HistorySyncType.INITIAL_BOOTSTRAP && whole.length <= INLINE_BYTES;
    const packed = await compress(whole);
    return {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType: sync.syncType,
        chunkOrder: 1,
        progress: 100,
        ...(mayBeInline ? { initialHistBootstrapInlinePayload: packed } : uploaded(phone, name, packed)),
      },
    };
  };

  const uploaded = (phone: PhoneNumber, name: string, packed: Buffer) => {
    const edition = createHash('sha256').update(packed).digest('hex');
    const { fileSizeBytes, ...blob } = blobs.upload('md-msg-hist', `${phone}/${name}`, edition, () => packed);
    return { ...blob, fileLength: fileSizeBytes, encHandle: blob.handle };
  };

  return {
    bootstrap(phone) {
      const contacts = world.contacts.list(phone);
      const known = new Set(contacts.map((contact) => userJid(contact.phone)));
      const byChat = Map.groupBy(world.messages.seenBy(phone), ({ chat }) => chatId(chat));
      const latest = (chat: string) =>
        (byChat.get(chat) ?? [])
          .slice(-MESSAGES_OF_A_CHAT)
          .reverse()
          .flatMap((bubble) => historyMessage(bubble, known));
      const trust = world.tokens.heldBy(phone);
      const tokenOf = (giver: PhoneNumber) => {
        const held = trust.get(giver);
        return held ? { tcToken: held.token, tcTokenTimestamp: Math.floor(held.at / 1000) } : {};
      };
      const strangers = [...byChat.values()].flatMap(([bubble]) =>
        bubble?.chat.kind === 'direct' && !known.has(userJid(bubble.chat.person.phone))
          ? [bubble.chat.person]
          : [],
      );
      const conversations: proto.IConversation[] = [
        ...contacts.map((contact) => ({
          id: userJid(contact.phone),
          name: contact.fullName,
          ...lidOf(contact),
          ...tokenOf(contact.phone),
          messages: latest(userJid(contact.phone)),
        })),
        ...strangers.map((person) => ({
          id: shownNumber(person) ?? lidJid(person.lid),
          lidJid: lidJid(person.lid),
          username: person.username,
          ...tokenOf(person.phone),
          messages: latest(userJid(person.phone)),
        })),
        ...world.groups.of(phone).map(({ jid, name }) => ({ id: jid, name, messages: latest(jid) })),
      ];
      const shown = strangers.filter(({ hidesPhone }) => !hidesPhone);
      const mapped = [...contacts, ...shown].flatMap((person) =>
        person.lid ? [{ pnJid: userJid(person.phone), lidJid: lidJid(person.lid) }] : [],
      );
      return notification(phone, 'bootstrap', {
        syncType: HistorySyncType.INITIAL_BOOTSTRAP,
        phoneNumberToLidMappings: mapped,
        conversations,
      });
    },

    names: (phone) =>
      notification(phone, 'names', {
        syncType: HistorySyncType.PUSH_NAME,
        pushnames: [
          { id: userJid(phone), pushname: world.phones.get(phone).name },
          ...world.contacts
            .list(phone)
            .flatMap((contact) =>
              contact.pushName ? [{ id: userJid(contact.phone), pushname: contact.pushName }] : [],
            ),
        ],
      }),
  };
}

const lidOf = ({ lid }: Contact) => (lid ? { lidJid: lidJid(lid) } : {});

const chatId = (chat: Bubble['chat']): string =>
  chat.kind === 'direct' ? userJid(chat.person.phone) : chat.jid;

/** As it is told to a phone whose owner does not have the number. */
const shownChat = (chat: Bubble['chat']): string =>
  chat.kind === 'direct' ? (shownNumber(chat.person) ?? lidJid(chat.person.lid)) : chat.jid;

/** Texts only: what else is in a chat does not matter to those who learn from it. */
function historyMessage(bubble: Bubble, known: ReadonlySet<string>): proto.IHistorySyncMsg[] {
  const { id, chat, content, fromMe, sender, at } = bubble;
  if (content.type !== 'text' || bubble.revoked) return [];
  const participant = chat.kind === 'group' && !fromMe ? { participant: lidJid(sender.lid) } : {};
  return [
    {
      message: {
        key: {
          remoteJid: known.has(chatId(chat)) ? chatId(chat) : shownChat(chat),
          fromMe,
          id,
          ...participant,
        },
        message: { conversation: bubble.edited?.text ?? content.text },
        messageTimestamp: Math.floor(at / 1000),
        ...(fromMe ? {} : { pushName: sender.name }),
      },
    },
  ];
}
