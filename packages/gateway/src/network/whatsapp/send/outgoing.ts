import {
  type BinaryNode,
  generateWAMessageContent,
  generateWAMessageFromContent,
  type proto,
  type WASocket,
} from 'baileys';
import type { Jid, OutboundMessage } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import {
  interactiveNode,
  type OutboundForm,
  STATUS_STYLE,
  toForm,
  toInteractiveMessage,
} from '../convert/outbound.ts';
import type { SessionContext } from '../session-context.ts';

/** A message in the network's form, ready to be written to the socket as often as needed. */
export interface Outgoing extends Form {
  /** As the caller named the chat; the address that the network wants is found at each sending. */
  readonly to: Jid;
}

interface Form {
  readonly message: proto.IMessage;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly nodes?: readonly BinaryNode[];
}

const INVITE_LIFE_SECONDS = 3 * 86_400;
const POLL_SECRET_BYTES = 32;

/** Brings a message into the network's form; media is encrypted and uploaded on the way. Never fetches anything that a user named. */
export async function prepare(
  context: SessionContext,
  sock: WASocket,
  { messageId, content }: Pick<OutboundMessage, 'messageId' | 'content'>,
  /** The chat under the address that the network wants. */
  chat: Jid,
): Promise<Form> {
  const nowSeconds = Math.floor(context.clock.now() / 1_000);
  switch (content.kind) {
    case 'interactive':
      return { message: toInteractiveMessage(content), nodes: [interactiveNode(nowSeconds)] };
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
      const form = toForm(content, chat, () => context.random.bytes(POLL_SECRET_BYTES));
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

/** Without `getUrlInfo` and `getProfilePicUrl` the library has no means to fetch previews and thumbnails from anywhere. */
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

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
