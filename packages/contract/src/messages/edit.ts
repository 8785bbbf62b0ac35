import Type from 'typebox';
import { EDIT_WINDOW_SECONDS } from '../limits.ts';
import { MessageId } from '../primitives.ts';
import { MessageText } from './content.ts';
import { addressed, sendKind } from './kind.ts';

export const edit = sendKind({
  kind: 'edit',
  plan: 'pro',
  label: 'edits',
  guide: `Only your own messages, for ${EDIT_WINDOW_SECONDS / 60} minutes.`,
  title: 'SendEdit',
  summary: 'Edit',
  description: `Replaces the text of a message sent by this session at most ${EDIT_WINDOW_SECONDS / 60} minutes ago. \`to\` is the chat of the original.`,
  properties: {
    ...addressed,
    type: Type.Literal('edit'),
    edit_message_id: MessageId,
    text: Type.String({ ...MessageText, description: 'The new text.' }),
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'edit',
    edit_message_id: '3EB0C767D71C5A4F1D2B',
    text: 'Your order is ready at counter 4.',
  },
});
