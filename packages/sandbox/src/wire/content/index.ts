import { normalizeMessageContent, proto } from 'baileys';
import type { Content } from '../../world/index.ts';
import { SECRET_BYTES } from './addons.ts';
import type { ContentCodec, ReadContext, WriteContext } from './content-codec.ts';
import { buttons } from './interactive.ts';
import { locationsAndContacts } from './locations-and-contacts.ts';
import { media } from './media.ts';
import { messageUpdates } from './message-updates.ts';
import { polls } from './polls.ts';
import { text } from './text.ts';

export type { MediaFields, MediaKind, ReadContext, WriteContext } from './content-codec.ts';

/** Content without a codec travels unchanged. */
const other: ContentCodec<'other'> = {
  write: ({ raw }) => (raw ? proto.Message.decode(Buffer.from(raw, 'base64')) : {}),
  read: (message) => ({
    type: 'other',
    raw: Buffer.from(proto.Message.encode(message).finish()).toString('base64'),
  }),
};

type ContentCodecs = { readonly [T in Content['type']]: ContentCodec<T> };

/** In the order in which decoding tries them: the catch-all last. */
const contentCodecs: ContentCodecs = {
  ...messageUpdates,
  ...media,
  ...locationsAndContacts,
  ...polls,
  ...buttons,
  text,
  other,
};

export function writeContent(content: Content, context: WriteContext): proto.IMessage {
  // one codec per type, so the codec of a content's type takes that content
  const family: Pick<ContentCodec<Content['type']>, 'write'> = contentCodecs[content.type];
  const written = family.write(content, context);
  const { secret } = context;
  if (!secret) return written;
  return { ...written, messageContextInfo: { messageSecret: secret, ...written.messageContextInfo } };
}

/** Base64; undefined when the author sent none. */
export function secretIn(message: proto.IMessage): string | undefined {
  const context = message.messageContextInfo ?? normalizeMessageContent(message)?.messageContextInfo;
  const secret = context?.messageSecret;
  return secret?.length === SECRET_BYTES ? Buffer.from(secret).toString('base64') : undefined;
}

/** Undefined for messages without visible content, such as those of a client to its own phone. */
export function readContent(message: proto.IMessage, context: ReadContext): Content | undefined {
  const inner = normalizeMessageContent(message);
  if (!inner) return undefined;
  const whole = { ...inner, messageContextInfo: inner.messageContextInfo ?? message.messageContextInfo };
  for (const family of Object.values(contentCodecs)) {
    if (family === other && isUpdate(inner)) return undefined;
    const content = family.read(whole, context);
    if (content) return isHiddenAfterView(message) ? markedViewOnce(content) : content;
  }
  return undefined;
}

/** An update that no codec could read; phones show nothing for it. */
function isUpdate(message: proto.IMessage): boolean {
  return Boolean(
    message.protocolMessage ??
      message.pollUpdateMessage ??
      message.secretEncryptedMessage ??
      message.encReactionMessage ??
      message.encCommentMessage ??
      message.encEventResponseMessage,
  );
}

function isHiddenAfterView(message: proto.IMessage): boolean {
  return Boolean(message.viewOnceMessage ?? message.viewOnceMessageV2 ?? message.viewOnceMessageV2Extension);
}

function markedViewOnce(content: Content): Content {
  switch (content.type) {
    case 'image':
    case 'video':
    case 'audio':
      return { ...content, viewOnce: true };
    default:
      return content;
  }
}
