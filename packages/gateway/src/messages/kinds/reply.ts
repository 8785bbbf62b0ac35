import type { Quote } from '#network';

interface ReplyFields {
  readonly quoted_message_id?: string;
  readonly quoted_participant?: string;
  readonly quoted_text?: string;
  readonly forwarded?: boolean;
  readonly mentions?: readonly string[];
}

/** What text and media can be beside their content: an answer, passed on, or about somebody. */
export function replyOrForward(send: ReplyFields): {
  quote?: Quote;
  forwarded?: boolean;
  mentions?: readonly string[];
} {
  const { quoted_message_id: messageId, quoted_participant: participant, quoted_text: text } = send;
  return {
    ...(messageId === undefined
      ? {}
      : { quote: { messageId, ...(participant ? { participant } : {}), ...(text ? { text } : {}) } }),
    ...(send.forwarded ? { forwarded: true } : {}),
    ...(send.mentions?.length ? { mentions: send.mentions } : {}),
  };
}
