import type { proto } from 'baileys';
import type { LinkPreview } from '../../world/index.ts';
import { type ContentCodec, readMarks, writeMarks } from './content-codec.ts';

export const text: ContentCodec<'text'> = {
  write({ text, linkPreview, ...marks }, context) {
    const contextInfo = writeMarks(marks, context);
    if (!contextInfo && !linkPreview) return { conversation: text };
    const { url, title, description } = linkPreview ?? {};
    return {
      extendedTextMessage: {
        text,
        contextInfo,
        ...(linkPreview && { matchedText: url, title, description }),
      },
    };
  },
  read({ conversation, extendedTextMessage }, context) {
    const words = extendedTextMessage?.text ?? conversation;
    if (typeof words !== 'string' || (words === '' && !extendedTextMessage)) return undefined;
    const linkPreview = extendedTextMessage && previewIn(extendedTextMessage);
    return {
      type: 'text',
      text: words,
      ...(linkPreview && { linkPreview }),
      ...readMarks(extendedTextMessage?.contextInfo, context),
    };
  },
};

function previewIn({
  matchedText,
  title,
  description,
}: proto.Message.IExtendedTextMessage): LinkPreview | undefined {
  if (!matchedText || !title) return undefined;
  return { url: matchedText, title, ...(description && { description }) };
}
