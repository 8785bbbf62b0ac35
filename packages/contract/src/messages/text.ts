import { MessageText } from './content.ts';
import { addressed, sendKind } from './kind.ts';
import { quoteComplaint, replyAndForward } from './quote.ts';

export const text = sendKind({
  kind: 'text',
  title: 'SendText',
  summary: 'Text',
  properties: { ...addressed, text: MessageText, ...replyAndForward },
  rule: quoteComplaint,
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    text: 'Your order is ready.',
  },
});
