import { CodecError, type FileTraits } from '@parley/codecs';
import {
  type BinaryNode,
  generateWAMessageContent,
  generateWAMessageFromContent,
  type proto,
  type WASocket,
} from 'baileys';
import type { Jid, OutboundContent, OutboundMessage } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { ChannelMessage } from '../../operations.ts';
import { digitsOf } from '../convert/index.ts';
import {
  type FileContent,
  interactiveNode,
  type OutboundForm,
  STATUS_STYLE,
  toFileMessage,
  toForm,
  toInteractiveMessage,
} from '../convert/outbound.ts';
import { encryptFile, uploadFile } from '../media/upload.ts';
import type { SessionContext } from '../session-context.ts';

/** A message in the network's form, which can be written to the socket any number of times. */
export interface Outgoing extends Form {
  /** The chat as the caller named it; its address on the network is looked up for each send. */
  readonly to: Jid;
}

interface Form {
  readonly message: proto.IMessage;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly nodes?: readonly BinaryNode[];
}

const INVITE_LIFE_SECONDS = 3 * 86_400;
/** Official clients give a secret to every message; the library gives one to most. */
const SECRET_BYTES = 32;
const MEDIA_KEY_BYTES = 32;
/** Of each kind on the media servers; stickers are among the pictures. */
const FOLDERS = {
  ...{ image: '/mms/image', sticker: '/mms/image', video: '/mms/video' },
  ...{ audio: '/mms/audio', document: '/mms/document' },
} as const;

/** Converts a message to the network's form; encrypts and uploads its media. Never fetches a URL from user content. */
export async function prepareOutgoing(
  context: SessionContext,
  sock: WASocket,
  { messageId, content }: Pick<OutboundMessage, 'messageId' | 'content'>,
  /** The chat under the address that the network requires. */
  chat: Jid,
): Promise<Form> {
  const nowSeconds = Math.floor(context.clock.now() / 1_000);
  switch (content.kind) {
    case 'interactive':
      return {
        message: {
          ...toInteractiveMessage(content),
          messageContextInfo: { messageSecret: context.random.bytes(SECRET_BYTES) },
        },
        nodes: [interactiveNode(nowSeconds)],
      };
    case 'disappearing':
      return { message: await generate(sock, chat, { disappearingMessagesInChat: content.seconds }) };
    case 'group_invite': {
      const { group, caption } = content;
      const [inviteCode, { subject }] = await Promise.all([
        sock.groupInviteCode(group),
        sock.groupMetadata(group),
      ]);
      if (!inviteCode) throw new NetworkError('refused', 'Only an admin of the group may invite to it.');
      const invite = {
        inviteCode,
        inviteExpiration: nowSeconds + INVITE_LIFE_SECONDS,
        text: caption ?? '',
        jid: group,
        subject,
      };
      return { message: await generate(sock, chat, { groupInvite: invite }) };
    }
    case 'image':
    case 'video':
    case 'status_media':
    case 'audio':
    case 'document':
    case 'sticker': {
      const file = await prepareFile(context, sock, content, chat);
      const messageContextInfo = { messageSecret: context.random.bytes(SECRET_BYTES) };
      const full = generateWAMessageFromContent(
        chat,
        { ...file, messageContextInfo },
        { userJid: context.me().id, messageId },
      );
      return { message: full.message ?? file };
    }
    default: {
      const form = toForm(content, chat, () => context.random.bytes(SECRET_BYTES));
      const message = await generate(
        sock,
        chat,
        form.content,
        content.kind === 'status_text' ? STATUS_STYLE : {},
      );
      const full = generateWAMessageFromContent(chat, message, { userJid: context.me().id, messageId });
      return {
        message: full.message ?? message,
        ...(form.attributes ? { attributes: form.attributes } : {}),
        ...(form.nodes ? { nodes: form.nodes } : {}),
      };
    }
  }
}

/** Without `getUrlInfo` and `getProfilePicUrl` the library cannot fetch previews and thumbnails, and it never uploads. */
function generate(
  sock: WASocket,
  jid: Jid,
  content: OutboundForm['content'],
  style: { backgroundColor?: string; font?: number } = {},
): Promise<proto.IMessage> {
  return generateWAMessageContent(content, { jid, upload: sock.waUploadToServer, ...style });
}

/** Encrypts and uploads a file in pieces; a file of any size is never in memory. */
async function prepareFile(
  context: SessionContext,
  sock: WASocket,
  content: FileContent,
  chat: Jid,
): Promise<proto.IMessage> {
  const kind = content.kind === 'status_media' ? content.media : content.kind;
  const traits = await describeFile(context, content);
  const now = () => context.clock.now();
  await using encrypted = await encryptFile({
    ...{ path: content.file.path, kind, folder: context.folder },
    mediaKey: context.random.bytes(MEDIA_KEY_BYTES),
  });
  const { url, directPath } = await uploadFile(sock, {
    ...{ transport: context.mediaTransport(), path: encrypted.path, now },
    folder: FOLDERS[kind],
    sha256: encrypted.fields.fileEncSha256,
    signal: new AbortController().signal,
  });
  const place = { ...encrypted.fields, url, directPath, mediaKeyTimestamp: Math.floor(now() / 1_000) };
  return toFileMessage(content, chat, traits, place);
}

/** A file that cannot be described is sent without. */
export async function describeFile(
  { codecs, log, linkId }: Pick<SessionContext, 'codecs' | 'log' | 'linkId'>,
  content: OutboundContent | ChannelMessage['content'],
): Promise<FileTraits> {
  if (!('file' in content)) return {};
  const kind = content.kind === 'status_media' ? content.media : content.kind;
  try {
    const traits = await codecs.describe(content.file.path, kind);
    if (traits.noStill) log.debug({ linkId, reason: traits.noStill }, 'a video has no picture of its own');
    return traits;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    log.debug({ linkId, reason: error.reason }, 'a file is sent without a description');
    return {};
  }
}

/**
 * Replaces mentioned addresses. A chat uses one kind of address, and a phone shows a name where the text has `@`
 * and the digits of a mentioned address. So a mention under another address than the caller's is replaced in the
 * text, too.
 */
export async function withMentionsAddressed(
  content: OutboundContent,
  addressesOf: (jids: readonly Jid[]) => Promise<readonly Jid[]>,
): Promise<OutboundContent> {
  if (!('mentions' in content) || !content.mentions) return content;
  const { mentions: named } = content;
  const mentions = await addressesOf(named);
  const digits = new Map(named.map((jid, place) => [digitsOf(jid), digitsOf(mentions[place] ?? jid)]));
  const worded = (text: string): string =>
    text.replaceAll(/@(\d+)/g, (written, number: string) => {
      const address = digits.get(number);
      return address === undefined ? written : `@${address}`;
    });
  if (content.kind === 'text') return { ...content, mentions, text: worded(content.text) };
  if ('caption' in content && content.caption)
    return { ...content, mentions, caption: worded(content.caption) };
  return { ...content, mentions };
}
