import { kind } from './kind.ts';

export const edit = kind('edit', {
  content: (send) => ({ kind: 'edit', targetId: send.edit_message_id, text: send.text }),
});
