import { kind } from './kind.ts';
import { replyOrForward } from './reply.ts';

export const text = kind('text', {
  content: ({ text, link_preview: linkPreview, ...send }) => ({
    kind: 'text',
    text,
    ...(linkPreview ? { linkPreview } : {}),
    ...replyOrForward(send),
  }),
});
