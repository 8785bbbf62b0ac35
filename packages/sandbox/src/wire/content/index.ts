import { normalizeMessageContent, proto } from 'baileys';
import type { Content } from '../../world/index.ts';
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
  return family.write(content, context);
}

/** Undefined for messages without visible content, such as those of a client to its own phone. */
export function readContent(message: proto.IMessage, context: ReadContext): Content | undefined {
  const inner = normalizeMessageContent(message);
  if (!inner) return undefined;
  const whole = { ...inner, messageContextInfo: inner.messageContextInfo ?? message.messageContextInfo };
  for (const family of Object.values(contentCodecs)) {
    if (family === other && (inner.protocolMessage || inner.pollUpdateMessage)) return undefined;
    const content = family.read(whole, context);
    if (content) return isHiddenAfterView(message) ? markedViewOnce(content) : content;
  }
  return undefined;
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
