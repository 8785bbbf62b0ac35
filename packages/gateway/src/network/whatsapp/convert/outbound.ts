import { createReadStream } from 'node:fs';
import type { AnyMessageContent, BinaryNode, proto } from 'baileys';
import {
  isVoice,
  type Jid,
  type MediaFile,
  type MessageKey,
  type OutboundContent,
  type Quote,
} from '../../content.ts';
import { isGroup } from './jid.ts';

/** What the library is told to make of a content, and what goes with it on its stanza. */
export interface OutboundForm {
  readonly content: AnyMessageContent;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly nodes?: readonly BinaryNode[];
}

/** Kinds that are more than a form: they need the network's answer first, or are no message at all. */
type Special = 'disappearing' | 'group_invite' | 'interactive';

export type PlainContent = Exclude<OutboundContent, { kind: Special }>;

const STATUS_BACKGROUND = '#1F7A63';
export const STATUS_STYLE = { backgroundColor: STATUS_BACKGROUND, font: 1 };

/** Stanza marks of amendments. */
const EDIT = '1';
const REVOKE = '7';
const REVOKE_AS_ADMIN = '8';

export function toForm(content: PlainContent, to: Jid, pollSecret: () => Uint8Array): OutboundForm {
  switch (content.kind) {
    case 'text':
      return { content: { text: content.text, linkPreview: null, ...context(content, to) } };
    case 'status_text':
      return { content: { text: content.text, linkPreview: null } };
    case 'image':
    case 'video':
      return {
        content: { ...picture(content.kind, content.file, content.caption), ...context(content, to) },
      };
    case 'status_media':
      return { content: picture(content.media, content.file, content.caption) };
    case 'audio':
      return { content: { ...audio(content.file), ...context(content, to) } };
    case 'document':
      return {
        content: {
          document: stream(content.file),
          mimetype: content.file.mimetype,
          fileName: content.fileName,
          ...caption(content.caption),
          ...context(content, to),
        },
      };
    case 'sticker':
      return { content: { sticker: stream(content.file), mimetype: content.file.mimetype } };
    case 'location':
      return {
        content: {
          location: {
            degreesLatitude: content.latitude,
            degreesLongitude: content.longitude,
            ...(content.name ? { name: content.name } : {}),
            ...(content.address ? { address: content.address } : {}),
          },
        },
      };
    case 'contact': {
      const { displayName, vcard } = content;
      return { content: { contacts: { displayName, contacts: [{ displayName, vcard }] } } };
    }
    case 'reaction':
      return { content: { react: { text: content.emoji, key: keyOf(content.target, to) } } };
    case 'revoke': {
      const asAdmin = isGroup(to) && !content.target.fromMe;
      return {
        content: { delete: keyOf(content.target, to) },
        attributes: { edit: asAdmin ? REVOKE_AS_ADMIN : REVOKE },
      };
    }
    case 'edit': {
      const key = { remoteJid: to, fromMe: true, id: content.targetId };
      return { content: { text: content.text, linkPreview: null, edit: key }, attributes: { edit: EDIT } };
    }
    case 'poll': {
      const { name, options, selectableCount } = content;
      return {
        content: { poll: { name, values: [...options], selectableCount, messageSecret: pollSecret() } },
        nodes: [{ tag: 'meta', attrs: { polltype: 'creation' } }],
      };
    }
  }
}

function keyOf({ messageId, fromMe, participant }: MessageKey, remoteJid: Jid): proto.IMessageKey {
  return { remoteJid, fromMe, id: messageId, ...(participant ? { participant } : {}) };
}

/** A stream, so that a file of any size passes through without being held. */
function stream({ path }: MediaFile) {
  return { stream: createReadStream(path) };
}

/** Without a thumbnail of its own a video would be handed to whatever program is called ffmpeg here. */
const NO_THUMBNAIL = '';

function picture(kind: 'image' | 'video', file: MediaFile, text: string | undefined): AnyMessageContent {
  const { mimetype } = file;
  return kind === 'image'
    ? { image: stream(file), mimetype, ...caption(text) }
    : { video: stream(file), mimetype, jpegThumbnail: NO_THUMBNAIL, ...caption(text) };
}

function audio(file: MediaFile): AnyMessageContent {
  return { audio: stream(file), mimetype: file.mimetype, ptt: isVoice(file) };
}

function caption(text: string | undefined): { caption?: string } {
  return text ? { caption: text } : {};
}

function context(
  { quote, forwarded }: { readonly quote?: Quote; readonly forwarded?: boolean },
  to: Jid,
): { contextInfo?: proto.IContextInfo } {
  if (!quote && !forwarded) return {};
  return {
    contextInfo: {
      ...(forwarded ? { isForwarded: true, forwardingScore: 1 } : {}),
      ...(quote
        ? {
            stanzaId: quote.messageId,
            participant: quote.participant ?? to,
            quotedMessage: { conversation: quote.text ?? '' },
          }
        : {}),
    },
  };
}
