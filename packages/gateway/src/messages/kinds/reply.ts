import type { Quote } from '#network';

interface ReplyFields {
  readonly quoted_message_id?: string;
  readonly quoted_participant?: string;
  readonly quoted_text?: string;
  readonly forwarded?: boolean;
}

/** What text and media can be beside their content: an answer, or passed on. */
export function replyOrForward(send: ReplyFields): { quote?: Quote; forwarded?: boolean } {
  const { quoted_message_id: messageId, quoted_participant: participant, quoted_text: text } = send;
  return {
    ...(messageId === undefined
      ? {}
      : { quote: { messageId, ...(participant ? { participant } : {}), ...(text ? { text } : {}) } }),
    ...(send.forwarded ? { forwarded: true } : {}),
  };
}
