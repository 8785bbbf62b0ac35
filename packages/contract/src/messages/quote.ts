import Type from 'typebox';
import { isGroup } from '../jid.ts';
import { TEXT_MAX_LENGTH } from '../limits.ts';
import { MessageId } from '../primitives.ts';
import { type Complaint, complaint } from '../validate/complaint.ts';
import { Participant } from './kind.ts';

/** What plain messages share: the mark of a forward, and the reply to an earlier message. */
export const replyAndForward = {
  forwarded: Type.Optional(Type.Boolean({ description: 'Marks the message as forwarded.' })),
  quoted_message_id: Type.Optional(
    Type.String({ ...MessageId, description: 'Makes the message a reply to this one.' }),
  ),
  quoted_participant: Type.Optional(
    Type.String({
      ...Participant,
      description: 'JID of the original sender. Required in groups when quoting.',
    }),
  ),
  quoted_text: Type.Optional(
    Type.String({
      maxLength: TEXT_MAX_LENGTH,
      description: 'Preview in the quote bubble; empty when quoting media.',
    }),
  ),
};

type Quote = { to: string; quoted_message_id?: string; quoted_participant?: string };

export function quoteComplaint({ to, quoted_message_id, quoted_participant }: Quote): Complaint | null {
  if (quoted_message_id === undefined || quoted_participant !== undefined || !isGroup(to)) return null;
  return complaint('quoted_participant', 'quoted_participant is required when quoting in a group');
}
