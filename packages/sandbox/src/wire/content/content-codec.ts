import type { proto } from 'baileys';
import type { BubbleMarks, Content, MediaRef, Person, PhoneNumber } from '../../world/index.ts';

/** Kinds of encrypted files; each has its own key derivation. */
export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** The part of a media message with the location and the key of the file. */
export type MediaFields = Pick<
  proto.Message.IImageMessage,
  | 'url'
  | 'directPath'
  | 'mimetype'
  | 'mediaKey'
  | 'fileSha256'
  | 'fileEncSha256'
  | 'fileLength'
  | 'mediaKeyTimestamp'
  | 'jpegThumbnail'
  | 'width'
  | 'height'
> &
  Pick<proto.Message.IAudioMessage, 'seconds' | 'waveform' | 'streamingSidecar'>;

/** Input for encoding a message, besides its content. */
export interface WriteContext {
  readonly sender: Person;
  /** The chat as the sender addresses it. */
  readonly remoteJid: string;
  readonly inGroup: boolean;
  readonly expiresInSeconds: number;
  readonly at: number;
  personOf(phone: PhoneNumber): Person | undefined;
  authorOf(messageId: string): Person | undefined;
  /** The address of a person inside this chat. */
  addressOf(person: Person): string;
  /** The secret of the message itself; undefined where messages have none. */
  readonly secret: Buffer | undefined;
  /** The secret and the author of another message. */
  secretOf(messageId: string): KnownSecret | undefined;
  /** The sender's phone encrypts edits under the secret of the edited message. */
  readonly sealsEdits: boolean;
  shareMedia(ref: MediaRef, kind: MediaKind): MediaFields;
  randomBytes(length: number): Buffer;
}

/** Input for decoding a message, besides its bytes. */
export interface ReadContext {
  readonly sender: Person;
  phoneOf(jid: string): PhoneNumber | undefined;
  secretOf(messageId: string): KnownSecret | undefined;
  /** Decrypts an uploaded file; undefined when it is missing or does not match its key. */
  takeMedia(fields: MediaFields, kind: MediaKind): MediaRef | undefined;
  randomBytes(length: number): Buffer;
}

export interface KnownSecret {
  readonly secret: Buffer;
  readonly author: Person;
}

/** Codec of one kind of content. `read` returns undefined for content of another kind. */
export interface ContentCodec<T extends Content['type']> {
  write(content: Extract<Content, { type: T }>, context: WriteContext): proto.IMessage;
  read(message: proto.IMessage, context: ReadContext): Extract<Content, { type: T }> | undefined;
}

/** The key of an earlier message, as the sender of this one addresses it. */
export function keyOf(messageId: string, context: WriteContext): proto.IMessageKey {
  const author = context.authorOf(messageId);
  const fromMe = author?.phone === context.sender.phone;
  return {
    id: messageId,
    remoteJid: context.remoteJid,
    fromMe,
    participant: context.inGroup && author ? context.addressOf(author) : undefined,
  };
}

/** Quote, forwarding mark, mentions and disappearing timer; undefined when there is none. */
export function writeMarks(marks: BubbleMarks, context: WriteContext): proto.IContextInfo | undefined {
  const { quote, forwarded, mentions = [] } = marks;
  const info: proto.IContextInfo = {};
  if (quote) {
    const author = quote.sender === undefined ? context.authorOf(quote.id) : context.personOf(quote.sender);
    info.stanzaId = quote.id;
    info.participant = author && context.addressOf(author);
    info.quotedMessage = { conversation: quote.text };
  }
  if (forwarded) Object.assign(info, { isForwarded: true, forwardingScore: 1 });
  const named = mentions.flatMap((phone) => context.personOf(phone) ?? []);
  if (named.length > 0) info.mentionedJid = named.map(context.addressOf);
  if (context.expiresInSeconds > 0) info.expiration = context.expiresInSeconds;
  return Object.keys(info).length > 0 ? info : undefined;
}

export function readMarks(info: proto.IContextInfo | null | undefined, context: ReadContext): BubbleMarks {
  const marks: BubbleMarks = {};
  if (info?.stanzaId) {
    const sender = info.participant ? context.phoneOf(info.participant) : undefined;
    marks.quote = { id: info.stanzaId, text: quotedText(info.quotedMessage), ...(sender && { sender }) };
  }
  if (info?.isForwarded) marks.forwarded = true;
  const mentions = (info?.mentionedJid ?? []).flatMap((jid) => context.phoneOf(jid) ?? []);
  if (mentions.length > 0) marks.mentions = mentions;
  return marks;
}

function quotedText(message: proto.IMessage | null | undefined): string {
  return (
    message?.conversation ??
    message?.extendedTextMessage?.text ??
    message?.imageMessage?.caption ??
    message?.videoMessage?.caption ??
    message?.documentMessage?.caption ??
    ''
  );
}
