import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { proto } from 'baileys';
import type { Bubble, Contact, LinkedDevice, PhoneNumber, World } from '../../world/index.ts';
import { lidJid, shownNumber, statusJid, userJid } from '../../world/index.ts';
import { field } from '../app-state/syncd.ts';
import type { Blobs } from '../media/blobs.ts';
import type { Random } from '../ports.ts';
import type { ContentContexts } from '../stanzas/content-contexts.ts';
import { chatId, longPast, pastMessage, unreadIn } from './past-messages.ts';

/** History that a phone sends to a device it has linked. */
export interface History {
  /** Its chats with their latest messages and states, and the people in them. */
  bootstrap(device: LinkedDevice): Promise<proto.Message.IProtocolMessage>;
  /** Earlier messages; undefined when there are none. */
  recent(device: LinkedDevice): Promise<proto.Message.IProtocolMessage | undefined>;
  /** Push names. */
  names(phone: PhoneNumber): Promise<proto.Message.IProtocolMessage>;
}

/** Maximum size inside the notification itself. */
const INLINE_BYTES = 1024;
const MESSAGES_OF_A_CHAT = 20;
/** In seconds, as phones express it: the largest value. */
const FOR_EVER = Number.MAX_SAFE_INTEGER;
/** The library does not have the field yet. */
const NCT_SALT_FIELD = 19;

const { HistorySyncType } = proto.HistorySync;
const compress = promisify(deflate);

export function createHistory({
  world,
  random,
  blobs,
  contexts,
}: {
  world: Pick<World, 'chatStates' | 'contacts' | 'groups' | 'handsets' | 'messages' | 'phones' | 'tokens'>;
  random: Random;
  blobs: Blobs;
  contexts: ContentContexts;
}): History {
  const notification = async (
    phone: PhoneNumber,
    name: string,
    sync: proto.IHistorySync,
    progress = 100,
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
        progress,
        ...(mayBeInline ? { initialHistBootstrapInlinePayload: packed } : uploaded(phone, name, packed)),
      },
    };
  };

  const uploaded = (phone: PhoneNumber, name: string, packed: Buffer) => {
    const edition = createHash('sha256').update(packed).digest('hex');
    const { fileSizeBytes, ...blob } = blobs.upload('md-msg-hist', `${phone}/${name}`, edition, () => packed);
    return { ...blob, fileLength: fileSizeBytes, encHandle: blob.handle };
  };

  const chatsOf = (phone: PhoneNumber): Map<string, Bubble[]> =>
    Map.groupBy(world.messages.seenBy(phone), ({ chat }) => chatId(chat));
  /** The chat as the phone addresses it: by the number where its owner has or sees it. */
  const shownAs = (phone: PhoneNumber, chat: Bubble['chat']): string => {
    if (chat.kind !== 'direct') return chat.jid;
    const isKnown = world.contacts.list(phone).some((contact) => contact.phone === chat.person.phone);
    return isKnown ? chatId(chat) : (shownNumber(chat.person) ?? lidJid(chat.person.lid));
  };
  /** The newest first. */
  const historyMessages = (device: LinkedDevice, bubbles: readonly Bubble[]): proto.IHistorySyncMsg[] =>
    bubbles
      .toReversed()
      .flatMap((bubble) => pastMessage(contexts, device, bubble, shownAs(device.phone, bubble.chat)));

  return {
    bootstrap(device) {
      const { phone } = device;
      const contacts = world.contacts.list(phone);
      const known = new Set(contacts.map((contact) => userJid(contact.phone)));
      const byChat = chatsOf(phone);
      const states = new Map(world.chatStates.of(phone).map((state) => [chatId(state.chat), state]));
      const conversation = (id: string): proto.IConversation => {
        const bubbles = byChat.get(id) ?? [];
        const last = bubbles.at(-1);
        const { archived, pinned, mutedUntil, unread = false } = states.get(id) ?? {};
        return {
          id,
          messages: historyMessages(device, bubbles.slice(-MESSAGES_OF_A_CHAT)),
          ...(last && { conversationTimestamp: Math.floor(last.at / 1000) }),
          unreadCount: unreadIn(bubbles),
          ...(unread && { markedAsUnread: true }),
          ...(archived && { archived }),
          ...(pinned && { pinned: Math.floor((last?.at ?? 1000) / 1000) }),
          ...(mutedUntil !== undefined && { muteEndTime: mutedUntil < 0 ? FOR_EVER : mutedUntil / 1000 }),
        };
      };
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
          ...conversation(userJid(contact.phone)),
          name: contact.fullName,
          ...lidOf(contact),
          ...tokenOf(contact.phone),
        })),
        ...strangers.map((person) => ({
          ...conversation(userJid(person.phone)),
          id: shownNumber(person) ?? lidJid(person.lid),
          lidJid: lidJid(person.lid),
          username: person.username,
          ...tokenOf(person.phone),
        })),
        ...world.groups.of(phone).map(({ jid, name }) => ({ ...conversation(jid), name })),
      ];
      const shown = strangers.filter(({ hidesPhone }) => !hidesPhone);
      const mapped = [...contacts, ...shown].flatMap((person) =>
        person.lid ? [{ pnJid: userJid(person.phone), lidJid: lidJid(person.lid) }] : [],
      );
      const isAll = [...byChat.values()].every(({ length }) => length <= MESSAGES_OF_A_CHAT);
      return notification(
        phone,
        'bootstrap',
        {
          syncType: HistorySyncType.INITIAL_BOOTSTRAP,
          phoneNumberToLidMappings: mapped,
          conversations,
        },
        isAll ? 100 : 50,
      );
    },

    async recent(device) {
      const conversations = [...chatsOf(device.phone)].flatMap(([id, bubbles]) => {
        const messages = historyMessages(device, bubbles.slice(0, -MESSAGES_OF_A_CHAT));
        const [first] = bubbles;
        if (!first || messages.length === 0 || id === statusJid) return [];
        return [{ id: shownAs(device.phone, first.chat), messages }];
      });
      const [contact] = world.contacts.list(device.phone);
      const bytes = world.handsets.pastBytes(device.phone);
      if (contact && bytes > 0) {
        conversations.push({ id: userJid(contact.phone), messages: longPast(contact, bytes, random) });
      }
      if (conversations.length === 0) return undefined;
      return notification(device.phone, 'recent', { syncType: HistorySyncType.RECENT, conversations });
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
