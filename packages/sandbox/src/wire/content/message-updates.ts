import { decoded } from '@parley/contract/plain';
import { proto } from 'baileys';
import { openAddon, sealAddon } from './addons.ts';
import { type ContentCodec, keyOf, type ReadContext } from './content-codec.ts';

const { Type } = proto.Message.ProtocolMessage;
const { SecretEncType } = proto.Message.SecretEncryptedMessage;

const reaction: ContentCodec<'reaction'> = {
  write: (content, context) => ({
    reactionMessage: {
      key: keyOf(content.target, context),
      text: content.emoji,
      senderTimestampMs: context.at,
    },
  }),
  read({ reactionMessage: reaction }) {
    const target = reaction?.key?.id;
    return target ? { type: 'reaction', target, emoji: reaction.text ?? '' } : undefined;
  },
};

const revoke: ContentCodec<'revoke'> = {
  write: (content, context) => ({
    protocolMessage: { type: Type.REVOKE, key: keyOf(content.target, context) },
  }),
  read({ protocolMessage: order }) {
    const target = order?.key?.id;
    return order?.type === Type.REVOKE && target ? { type: 'revoke', target } : undefined;
  },
};

const edit: ContentCodec<'edit'> = {
  write(content, context) {
    const key = keyOf(content.target, context);
    const plain: proto.IMessage = {
      protocolMessage: {
        type: Type.MESSAGE_EDIT,
        key,
        editedMessage: { conversation: content.text },
        timestampMs: context.at,
      },
    };
    const sealed =
      context.sealsEdits &&
      sealAddon(context, 'Message Edit', content.target, proto.Message.encode(plain).finish());
    // a message without a secret can be edited in the plain form alone
    if (!sealed) return plain;
    return {
      secretEncryptedMessage: { targetMessageKey: key, secretEncType: SecretEncType.MESSAGE_EDIT, ...sealed },
    };
  },
  read(message, context) {
    const { secretEncryptedMessage: sealed } = message;
    const target = (sealed?.targetMessageKey ?? message.protocolMessage?.key)?.id;
    if (!target) return undefined;
    const order = sealed ? openEdit(sealed, target, context) : message.protocolMessage;
    if (order?.type !== Type.MESSAGE_EDIT) return undefined;
    const edited = order.editedMessage;
    const text =
      edited?.extendedTextMessage?.text ??
      edited?.conversation ??
      edited?.imageMessage?.caption ??
      edited?.videoMessage?.caption ??
      edited?.documentMessage?.caption;
    return { type: 'edit', target, text: text ?? '' };
  },
};

/** What an edit under the secret of its message says in the plain form. */
function openEdit(
  sealed: proto.Message.ISecretEncryptedMessage,
  target: string,
  context: ReadContext,
): proto.Message.IProtocolMessage | undefined {
  if (sealed.secretEncType !== SecretEncType.MESSAGE_EDIT) return undefined;
  const plaintext = openAddon(context, 'Message Edit', target, sealed);
  const message = plaintext && decoded(() => proto.Message.decode(plaintext));
  return message?.protocolMessage ?? undefined;
}

const disappearing: ContentCodec<'disappearing'> = {
  write: (content, context) => ({
    protocolMessage: {
      type: Type.EPHEMERAL_SETTING,
      ephemeralExpiration: content.seconds,
      ephemeralSettingTimestamp: Math.floor(context.at / 1000),
    },
  }),
  read({ protocolMessage: order }) {
    if (order?.type !== Type.EPHEMERAL_SETTING) return undefined;
    return { type: 'disappearing', seconds: order.ephemeralExpiration ?? 0 };
  },
};

/** Contents that change a message or a chat. */
export const messageUpdates = { reaction, revoke, edit, disappearing };
