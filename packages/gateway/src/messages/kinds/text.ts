import { kind } from './kind.ts';
import { replyOrForward } from './reply.ts';

export const text = kind('text', {
  content: (send) => ({ kind: 'text', text: send.text, ...replyOrForward(send) }),
});
