import type {
  ChannelMessage,
  Content,
  LinkedDevice,
  MediaRef,
  Message,
  Person,
  PhoneNumber,
} from '../../world/index.ts';
import { lidJid, networkJid } from '../../world/index.ts';
import type { ReadContext, WriteContext } from '../content/index.ts';
import type { MediaStore } from '../media/media-store.ts';
import { storyJid } from '../messages/addresses.ts';
import type { Network } from '../network.ts';

/** Lookups of the content codecs, answered from the world. */
export interface ContentContexts {
  /** The chat as the network addresses it for its author. */
  chatJid(message: Message): string;
  /** Before `forWriting`: finds out what the message says of its file. */
  describe(content: Content): Promise<void>;
  /** `device` is the recipient. */
  forWriting(message: Message, device: LinkedDevice): WriteContext;
  forChannel(message: ChannelMessage, device: LinkedDevice): WriteContext;
  /** For one message, for all its readers; a file inside is decrypted once. */
  forReading(sender: PhoneNumber): { by(reader: PhoneNumber): ReadContext };
}

export function createContentContexts({ world, random }: Network, mediaStore: MediaStore): ContentContexts {
  const randomBytes = (length: number): Buffer => Buffer.from(random.bytes(length));

  /** Only a poll has a secret although its author sent none: the phone made it up. */
  const secretSeenBy = (phone: PhoneNumber, messageId: string) => {
    const bubble = world.messages.find(phone, messageId);
    const secret = bubble?.content.type === 'poll' ? bubble.content.secret : bubble?.secret;
    return bubble && secret !== undefined
      ? { secret: Buffer.from(secret, 'base64'), author: bubble.sender }
      : undefined;
  };

  return {
    chatJid: ({ id, chat }) => (chat.kind === 'direct' ? networkJid(chat.person, id) : chat.jid),

    async describe(content) {
      if (content.type === 'image' && !content.media.traits) await mediaStore.describe(content.media);
    },

    forWriting(message, { phone: owner, sessionId }) {
      const { id: messageId, chat, sender, at, fromMe, expiresInSeconds, secret } = message;
      const addressOf = (person: Person): string => {
        if (chat.kind === 'group') return lidJid(person.lid);
        return chat.kind === 'direct' ? networkJid(person, messageId) : storyJid(person);
      };
      return {
        sender,
        at,
        expiresInSeconds,
        inGroup: chat.kind !== 'direct',
        remoteJid:
          chat.kind === 'direct' ? addressOf(fromMe ? chat.person : world.phones.person(owner)) : chat.jid,
        addressOf,
        personOf: (phone) => world.phones.find(phone),
        authorOf: (id) => world.messages.find(owner, id)?.sender,
        secret: secret === undefined ? undefined : Buffer.from(secret, 'base64'),
        // the sender of an update encrypts with the secret on their own phone
        secretOf: (id) => secretSeenBy(sender.phone, id),
        sealsEdits: world.phones.get(sender.phone).edits === 'encrypted',
        shareMedia: (ref, kind) => mediaStore.share(ref, kind, { sessionId, messageId }),
        randomBytes,
      };
    },

    /** Channels are public: files are unencrypted, and there are no people to address. */
    forChannel: ({ id: messageId, channel, at }, { phone: owner, sessionId }) => ({
      sender: world.phones.person(owner),
      at,
      expiresInSeconds: 0,
      inGroup: false,
      remoteJid: channel,
      addressOf: () => channel,
      personOf: () => undefined,
      authorOf: () => undefined,
      secret: undefined,
      secretOf: () => undefined,
      sealsEdits: false,
      shareMedia: (ref) => mediaStore.publish(ref, { sessionId, messageId }),
      randomBytes,
    }),

    forReading(sender) {
      const files = new Map<string, MediaRef | undefined>();
      const takeMedia: ReadContext['takeMedia'] = (fields, kind) => {
        const key = Buffer.from(fields.mediaKey ?? []).toString('base64');
        const name = `${kind} ${fields.directPath ?? fields.url} ${key} ${fields.mimetype}`;
        if (!files.has(name)) files.set(name, mediaStore.take(fields, kind));
        return files.get(name);
      };
      const person = world.phones.person(sender);
      return {
        by: (reader) => ({
          sender: person,
          phoneOf: (jid) => world.phones.find(jid)?.phone,
          secretOf: (messageId) => secretSeenBy(reader, messageId),
          takeMedia,
          randomBytes,
        }),
      };
    },
  };
}
