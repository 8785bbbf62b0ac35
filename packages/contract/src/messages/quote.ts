import Type from 'typebox';
import { isGroup } from '../jid.ts';
import {
  LINK_DESCRIPTION_MAX_LENGTH,
  LINK_TITLE_MAX_LENGTH,
  MENTIONS_MAX,
  TEXT_MAX_LENGTH,
} from '../limits.ts';
import { HttpUrl, MessageId, PersonJid } from '../primitives.ts';
import { closed, lines, severalLines } from '../schema.ts';
import { type Complaint, complaint } from '../validate/complaint.ts';
import { Participant } from './kind.ts';

/** Fields of all plain messages: forwarding, the quoted message, and mentions. */
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
      ...severalLines,
      description: 'Preview in the quote bubble; empty when quoting media.',
    }),
  ),
  mentions: Type.Optional(
    Type.Array(PersonJid, {
      maxItems: MENTIONS_MAX,
      uniqueItems: true,
      description:
        'Whom the text or caption names: write `@<number>`, or the digits of the LID, where the name is to stand.',
      examples: [['15550002001@s.whatsapp.net']],
    }),
  ),
};

/** Preview of a link in the text, given by the caller. The gateway fetches nothing. */
export const LinkPreview = Type.Optional(
  closed(
    {
      url: Type.String({ ...HttpUrl, description: 'The link as it stands in `text`.' }),
      title: lines(LINK_TITLE_MAX_LENGTH),
      description: Type.Optional(Type.String({ maxLength: LINK_DESCRIPTION_MAX_LENGTH, ...severalLines })),
    },
    { description: 'What is shown of a link in `text`.' },
  ),
);

export function linkComplaint({
  text,
  link_preview,
}: {
  text: string;
  link_preview?: { url: string };
}): Complaint | null {
  if (link_preview === undefined || text.includes(link_preview.url)) return null;
  return complaint('link_preview.url', 'link_preview.url must stand in text');
}

type Quote = { to: string; quoted_message_id?: string; quoted_participant?: string };

export function quoteComplaint({ to, quoted_message_id, quoted_participant }: Quote): Complaint | null {
  if (quoted_message_id === undefined || quoted_participant !== undefined || !isGroup(to)) return null;
  return complaint('quoted_participant', 'quoted_participant is required when quoting in a group');
}
