import type { FileTraits } from '@parley/codecs';
import { type AnyMessageContent, type BinaryNode, proto, type WAUrlInfo } from 'baileys';
import {
  type InteractiveButton,
  isVoice,
  type Jid,
  type LinkPreview,
  type MediaFile,
  type MediaRef,
  type MessageKey,
  type OutboundContent,
} from '../../content.ts';
import { isGroup } from './jid.ts';

/** The library's form of a content, and additional nodes for its stanza. */
export interface OutboundForm {
  readonly content: AnyMessageContent;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly nodes?: readonly BinaryNode[];
}

/** Kinds that need an answer of the network first, or are not messages. */
type Special = 'disappearing' | 'group_invite' | 'interactive';

/** Content with a file, which is uploaded first. */
export type FileContent = Extract<OutboundContent, { file: MediaFile }>;

type PlainContent = Exclude<OutboundContent, { kind: Special } | FileContent>;

const STATUS_BACKGROUND = '#1F7A63';
export const STATUS_STYLE = { backgroundColor: STATUS_BACKGROUND, font: 1 };

/** Stanza marks of edits and deletions. */
const EDIT = '1';
const REVOKE = '7';
const REVOKE_AS_ADMIN = '8';

export function toForm(content: PlainContent, to: Jid, pollSecret: () => Uint8Array): OutboundForm {
  switch (content.kind) {
    case 'text':
      return {
        content: { text: content.text, linkPreview: preview(content.linkPreview), ...context(content, to) },
      };
    case 'status_text':
      return { content: { text: content.text, linkPreview: null } };
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

interface FileForm {
  readonly kind: MediaRef['kind'];
  readonly file: MediaFile;
  readonly caption?: string;
  readonly fileName?: string;
}

/** What a message says of its file, apart from where it is. */
export function toFileFields({ kind, file, caption, fileName }: FileForm, traits: FileTraits): object {
  const { thumbnail, seconds, waveform, width, height } = traits;
  return {
    mimetype: file.mimetype,
    fileLength: file.size,
    ...(width && height ? { width, height } : {}),
    ...(thumbnail ? { jpegThumbnail: thumbnail } : {}),
    ...(seconds ? { seconds } : {}),
    ...(kind === 'audio' ? { ptt: isVoice(file), ...(isVoice(file) && waveform ? { waveform } : {}) } : {}),
    ...(kind === 'document' ? { fileName: fileName ?? 'file' } : {}),
    ...(caption && kind !== 'audio' && kind !== 'sticker' ? { caption } : {}),
  };
}

/** The message of an uploaded file; `place` is where it is, and its key. */
export function toFileMessage(
  content: FileContent,
  to: Jid,
  traits: FileTraits,
  place: object,
): proto.IMessage {
  const kind = content.kind === 'status_media' ? content.media : content.kind;
  const marks = content.kind === 'sticker' || content.kind === 'status_media' ? {} : context(content, to);
  const fields = { ...toFileFields({ ...content, kind }, traits), ...place, ...marks };
  return proto.Message.fromObject({ [`${kind}Message`]: fields });
}

/** Null, not undefined: for undefined the library would fetch a preview. */
function preview(link: LinkPreview | undefined): WAUrlInfo | null {
  if (!link) return null;
  const { url, title, description } = link;
  return { 'canonical-url': url, 'matched-text': url, title, ...(description ? { description } : {}) };
}

function context(
  {
    quote,
    forwarded,
    mentions,
  }: Pick<Extract<OutboundContent, { kind: 'text' }>, 'quote' | 'forwarded' | 'mentions'>,
  to: Jid,
): { contextInfo?: proto.IContextInfo } {
  if (!quote && !forwarded && !mentions) return {};
  return {
    contextInfo: {
      ...(mentions ? { mentionedJid: [...mentions] } : {}),
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

type Interactive = Extract<OutboundContent, { kind: 'interactive' }>;

export function toInteractiveMessage({ body, footer, buttons }: Interactive): proto.IMessage {
  return {
    interactiveMessage: {
      body: { text: body },
      ...(footer ? { footer: { text: footer } } : {}),
      nativeFlowMessage: {
        messageVersion: 1,
        buttons: buttons.map((button) => ({
          name: button.type,
          buttonParamsJson: JSON.stringify(paramsOf(button)),
        })),
      },
    },
  };
}

/** Without this node phones receive the message and show nothing. */
export function interactiveNode(nowSeconds: number): BinaryNode {
  return {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(nowSeconds) },
    content: [
      {
        tag: 'interactive',
        attrs: { type: 'native_flow', v: '1' },
        content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
      },
      { tag: 'quality_control', attrs: { source_type: 'third_party' } },
    ],
  };
}

function paramsOf(button: InteractiveButton): object {
  if (button.type === 'single_select') return { title: button.text, sections: button.sections };
  return { display_text: button.text, ...tappedFor(button) };
}

/** Reply of a button when it is tapped. */
function tappedFor(button: Exclude<InteractiveButton, { type: 'single_select' }>): object {
  switch (button.type) {
    case 'quick_reply':
      return { id: button.id };
    case 'cta_url':
      return { url: button.url, merchant_url: button.url };
    case 'cta_copy':
      return { copy_code: button.copyCode };
    case 'cta_call':
      return { phone_number: button.phoneNumber };
  }
}
