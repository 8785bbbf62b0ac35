import { normalizeMessageContent, proto } from 'baileys';
import type { Content } from '../../world/index.ts';
import { disappearing, edit, reaction, revoke } from './amendments.ts';
import type { Family, ReadContext, WriteContext } from './family.ts';
import { buttonResponse, interactive } from './interactive.ts';
import { audio, document, image, sticker, video } from './media.ts';
import { contact, groupInvite, location } from './places-and-people.ts';
import { poll, pollVote } from './polls.ts';
import { text } from './text.ts';

export type { MediaFields, MediaKind, ReadContext, WriteContext } from './family.ts';

/** What no family knows travels as it is. */
const other: Family<'other'> = {
  write: ({ raw }) => (raw ? proto.Message.decode(Buffer.from(raw, 'base64')) : {}),
  read: (message) => ({
    type: 'other',
    raw: Buffer.from(proto.Message.encode(message).finish()).toString('base64'),
  }),
};

type Families = { readonly [T in Content['type']]: Family<T> };

/** In the order in which a message is tried: the catch-all last. */
const families: Families = {
  reaction,
  revoke,
  edit,
  disappearing,
  poll_vote: pollVote,
  image,
  video,
  audio,
  document,
  sticker,
  location,
  contact,
  poll,
  group_invite: groupInvite,
  interactive,
  button_response: buttonResponse,
  text,
  other,
};

export function writeContent(content: Content, context: WriteContext): proto.IMessage {
  // one family per type, so the family found under a content's type takes that content
  const family: Pick<Family<Content['type']>, 'write'> = families[content.type];
  return family.write(content, context);
}

/** Undefined for messages that say nothing to people, such as a client's talk with its own phone. */
export function readContent(message: proto.IMessage, context: ReadContext): Content | undefined {
  const inner = normalizeMessageContent(message);
  if (!inner) return undefined;
  const whole = { ...inner, messageContextInfo: inner.messageContextInfo ?? message.messageContextInfo };
  for (const family of Object.values(families)) {
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
