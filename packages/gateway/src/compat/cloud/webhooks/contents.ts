import { createHash } from 'node:crypto';
import { type PublicEvent, phoneDigits } from '@parley/contract';
import { ROW_MARK } from '../sends/interactive.ts';
import { BUTTON_MARK } from '../templates/render.ts';

export type MessageEvent = Extract<PublicEvent, { kind: 'message' }>;

/** What a message says, in the words of the Graph API. `reacted` names the message that a reaction is about. */
export function contentOf(event: MessageEvent, reacted: (id: string) => string): Record<string, unknown> {
  switch (event.type) {
    case 'text':
      return { type: 'text', text: { body: event.text } };
    case 'reaction':
      return {
        type: 'reaction',
        reaction: {
          message_id: reacted(event.reacted_message_id ?? ''),
          ...(event.text !== '' && { emoji: event.text }),
        },
      };
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return event.media ? mediaContent(event, event.media) : unsupported(event.type);
    case 'location':
      return event.location ? locationContent(event.location) : unsupported('location');
    case 'button_response':
      return event.button_response ? answerContent(event.button_response) : unsupported('interactive');
    case 'other':
      return event.contacts ? contactsContent(event.contacts) : unsupported('unknown');
    default:
      return unsupported(event.type);
  }
}

const DETAILS = 'Message type is currently not supported.';

function unsupported(type: string): Record<string, unknown> {
  const title = 'Message type unknown';
  return {
    type: 'unsupported',
    unsupported: { type },
    errors: [{ code: 131051, title, message: title, error_data: { details: DETAILS } }],
  };
}

function mediaContent(
  { type, text }: MessageEvent,
  { id = '', mimetype, filename, data }: NonNullable<MessageEvent['media']>,
): Record<string, unknown> {
  return {
    type,
    [type]: {
      id,
      mime_type: mimetype,
      // Only of what came along with the event; of larger files `GET /{media_id}` tells it.
      ...(data !== '' && { sha256: createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex') }),
      ...(text !== '' && type !== 'audio' && type !== 'sticker' && { caption: text }),
      ...(type === 'document' && { filename: filename ?? '' }),
      ...(type === 'audio' && { voice: mimetype.includes('opus') }),
      ...(type === 'sticker' && { animated: false }),
    },
  };
}

function locationContent(location: NonNullable<MessageEvent['location']>): Record<string, unknown> {
  const { latitude, longitude, name, address } = location;
  return {
    type: 'location',
    location: { latitude, longitude, ...(name && { name }), ...(address && { address }) },
  };
}

function answerContent(answer: NonNullable<MessageEvent['button_response']>): Record<string, unknown> {
  const { selected_id: id, selected_text: title } = answer;
  if (id.startsWith(BUTTON_MARK)) {
    return { type: 'button', button: { payload: id.slice(BUTTON_MARK.length), text: title } };
  }
  const interactive = id.startsWith(ROW_MARK)
    ? { type: 'list_reply', list_reply: { id: id.slice(ROW_MARK.length), title } }
    : { type: 'button_reply', button_reply: { id, title } };
  return { type: 'interactive', interactive };
}

function contactsContent(cards: NonNullable<MessageEvent['contacts']>): Record<string, unknown> {
  return {
    type: 'contacts',
    contacts: cards.map(({ name, phones }) => ({
      name: { formatted_name: name, first_name: name },
      phones: phones.map((phone) => {
        const waId = phoneDigits(phone);
        return { phone, type: 'CELL', ...(waId !== null && { wa_id: waId }) };
      }),
    })),
  };
}
