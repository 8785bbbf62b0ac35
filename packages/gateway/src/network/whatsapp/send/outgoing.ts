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
  interactiveNode,
  type OutboundForm,
  STATUS_STYLE,
  toForm,
  toInteractiveMessage,
} from '../convert/outbound.ts';
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
    default: {
      const traits = await describeFile(context, content);
      const form = toForm(content, chat, () => context.random.bytes(SECRET_BYTES), traits);
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

/** Without `getUrlInfo` and `getProfilePicUrl` the library cannot fetch previews and thumbnails. */
async function generate(
  sock: WASocket,
  jid: Jid,
  content: OutboundForm['content'],
  style: { backgroundColor?: string; font?: number } = {},
): Promise<proto.IMessage> {
  try {
    return await generateWAMessageContent(content, { jid, upload: sock.waUploadToServer, ...style });
  } catch (error) {
    if (isMissingFile(error)) {
      throw new NetworkError('permanent', 'The media file is gone.', { failure: 'media', cause: error });
    }
    throw error;
  }
}

/** A file that cannot be described is sent without. */
export async function describeFile(
  { codecs, log, linkId }: Pick<SessionContext, 'codecs' | 'log' | 'linkId'>,
  content: OutboundContent | ChannelMessage['content'],
): Promise<FileTraits> {
  if (!('file' in content)) return {};
  const kind = content.kind === 'status_media' ? content.media : content.kind;
  try {
    return await codecs.describe(content.file.path, kind);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    log.debug({ linkId, reason: error.reason }, 'a file is sent without its size and thumbnail');
    return {};
  }
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
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
