import { proto } from 'baileys';
import { type ContentCodec, keyOf } from './content-codec.ts';

const { Type } = proto.Message.ProtocolMessage;

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
  write: (content, context) => ({
    protocolMessage: {
      type: Type.MESSAGE_EDIT,
      key: keyOf(content.target, context),
      editedMessage: { conversation: content.text },
      timestampMs: context.at,
    },
  }),
  read({ protocolMessage: order }) {
    const target = order?.key?.id;
    if (order?.type !== Type.MESSAGE_EDIT || !target) return undefined;
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
