import { type Family, readMarks, writeMarks } from './family.ts';

export const text: Family<'text'> = {
  write(content, context) {
    const contextInfo = writeMarks(content, context);
    return contextInfo
      ? { extendedTextMessage: { text: content.text, contextInfo } }
      : { conversation: content.text };
  },
  read({ conversation, extendedTextMessage }, context) {
    const words = extendedTextMessage?.text ?? conversation;
    if (typeof words !== 'string' || (words === '' && !extendedTextMessage)) return undefined;
    return { type: 'text', text: words, ...readMarks(extendedTextMessage?.contextInfo, context) };
  },
};
