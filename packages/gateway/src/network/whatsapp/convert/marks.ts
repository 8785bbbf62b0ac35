import { getContentType, normalizeMessageContent, proto } from 'baileys';
import type { Quote } from '../../content.ts';
import type { MessageMarks } from '../../events.ts';
import { boundedId, boundedSeconds, boundedText } from './bounds.ts';
import { accountOf, accountsOf } from './jid.ts';

/** More than the maximum size of a group. */
const MOST_MENTIONS = 2_048;

/** Reads what a message carries besides its content. `message` is the unwrapped `wrapped`. */
export function marksOf(wrapped: proto.IMessage, message: proto.IMessage): MessageMarks {
  const context = contextOf(message);
  const quote = context && quoteOf(context);
  const mentions = accountsOf(...(context?.mentionedJid ?? []).slice(0, MOST_MENTIONS));
  const ephemeralSeconds = timerIn(message) ?? (boundedSeconds(context?.expiration ?? 0) || undefined);
  return {
    ...(quote ? { quote } : {}),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(context?.isForwarded ? { forwarded: true } : {}),
    ...(ephemeralSeconds === undefined ? {} : { ephemeralSeconds }),
    ...(isSeenOnce(wrapped, message) ? { viewOnce: true } : {}),
  };
}

function contextOf(message: proto.IMessage): proto.IContextInfo | undefined {
  const kind = getContentType(message);
  const inner: unknown = kind && message[kind];
  return typeof inner === 'object' && inner !== null && 'contextInfo' in inner
    ? (Reflect.get(inner, 'contextInfo') ?? undefined)
    : undefined;
}

/** The quoted message of a reply. */
function quoteOf(context: proto.IContextInfo): Quote | undefined {
  if (!context.stanzaId || !context.quotedMessage) return undefined;
  const participant = accountOf(context.participant);
  const text = textIn(context.quotedMessage);
  return {
    messageId: boundedId(context.stanzaId),
    ...(participant ? { participant } : {}),
    ...(text ? { text: boundedText(text) } : {}),
  };
}

/** Text of a quoted or edited message, or the caption of its file. */
export function textIn(wrapped: proto.IMessage): string | undefined {
  const message = normalizeMessageContent(wrapped);
  return (
    message?.conversation ||
    message?.extendedTextMessage?.text ||
    message?.imageMessage?.caption ||
    message?.videoMessage?.caption ||
    message?.documentMessage?.caption ||
    undefined
  );
}

/** Timer of a message that sets the disappearing timer of its chat. */
function timerIn({ protocolMessage }: proto.IMessage): number | undefined {
  if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING) return undefined;
  return boundedSeconds(protocolMessage.ephemeralExpiration ?? 0);
}

function isSeenOnce(wrapped: proto.IMessage, message: proto.IMessage): boolean {
  const { viewOnceMessage, viewOnceMessageV2, viewOnceMessageV2Extension } = outermost(wrapped);
  const file = message.imageMessage ?? message.videoMessage ?? message.audioMessage;
  return Boolean(viewOnceMessage ?? viewOnceMessageV2 ?? viewOnceMessageV2Extension ?? file?.viewOnce);
}

/** In a chat with a timer the other wrappings are inside that of the timer. */
function outermost(wrapped: proto.IMessage): proto.IMessage {
  return wrapped.ephemeralMessage?.message ?? wrapped;
}
