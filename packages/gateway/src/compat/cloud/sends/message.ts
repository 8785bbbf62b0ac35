import { userJid } from '@parley/contract';
import { recipientIn } from '../addresses.ts';
import { type Fields, isObject, numberIn, objectIn, objectsIn, requiredText, textIn } from '../fields.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { type MessageRef, parseWamid } from '../wamid.ts';
import { cardOf } from './contact-cards.ts';
import { fileIn } from './files.ts';
import { interactiveContent } from './interactive.ts';

/** A message of the Graph API as `POST /v1/messages` takes it. */
export interface MappedSend {
  /** The recipient as the client wrote it. */
  readonly input: string;
  readonly jid: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What the client wants to find again in the statuses of the message. */
  readonly callbackData: string | undefined;
}

interface Sending {
  /** Of the number that sends. */
  readonly phone: string;
  /** What a template says, in fields of `POST /v1/messages`; undefined when there is no such template. */
  readonly template: (template: Fields) => Readonly<Record<string, unknown>>;
}

/** As much as the key of a send holds beside what makes it unique. */
const CALLBACK_DATA_MAX_LENGTH = 200;

export function mapSend(body: Fields, { phone, template }: Sending): MappedSend {
  const { input, jid } = recipientIn(body);
  const callbackData = textIn(body, 'biz_opaque_callback_data');
  if (
    callbackData !== undefined &&
    (callbackData.length > CALLBACK_DATA_MAX_LENGTH || /\p{Cc}/u.test(callbackData))
  ) {
    const most = `at most ${CALLBACK_DATA_MAX_LENGTH} characters and no control characters`;
    throw invalid(`Param biz_opaque_callback_data must have ${most}.`);
  }
  const type = typeOf(body);
  const content = type === 'template' ? template(objectIn(body, 'template')) : contentOf(type, body);
  const quote = QUOTING.has(type) ? quoteOf(body, phone) : {};
  return {
    input,
    jid,
    body: { session_id: userJid(phone), to: jid, ...content, ...quote },
    callbackData,
  };
}

/** Those that the network shows as replies; the others arrive without the mark. */
const QUOTING: ReadonlySet<string> = new Set(['text', 'image', 'video', 'audio', 'document']);

function typeOf(body: Fields): string {
  if (body.messaging_product !== 'whatsapp') throw invalid('The parameter messaging_product is required.');
  return textIn(body, 'type') ?? 'text';
}

function contentOf(type: string, body: Fields): Record<string, unknown> {
  switch (type) {
    case 'text':
      return { text: requiredText(objectIn(body, 'text'), 'body', "text['body']") };
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
      return mediaContent(type, objectIn(body, type));
    case 'sticker':
      return { type: 'sticker', ...fileIn(objectIn(body, 'sticker'), 'sticker', 'sticker_url') };
    case 'location':
      return locationContent(objectIn(body, 'location'));
    case 'contacts':
      return contactContent(body);
    case 'reaction':
      return reactionContent(objectIn(body, 'reaction'));
    case 'interactive':
      return interactiveContent(objectIn(body, 'interactive'));
    default:
      throw new GraphError(131051, `Messages of type ${type} are not carried for linked devices.`);
  }
}

function mediaContent(type: string, media: Fields): Record<string, unknown> {
  const caption = textIn(media, 'caption', `${type}['caption']`);
  const fileName = textIn(media, 'filename', `${type}['filename']`);
  return {
    media_type: type,
    ...fileIn(media, type),
    ...(caption !== undefined && { caption }),
    ...(fileName !== undefined && { file_name: fileName }),
  };
}

function locationContent(location: Fields): Record<string, unknown> {
  const name = textIn(location, 'name', "location['name']");
  const address = textIn(location, 'address', "location['address']");
  return {
    type: 'location',
    latitude: numberIn(location, 'latitude', "location['latitude']"),
    longitude: numberIn(location, 'longitude', "location['longitude']"),
    ...(name !== undefined && { loc_name: name }),
    ...(address !== undefined && { loc_address: address }),
  };
}

function contactContent(body: Fields): Record<string, unknown> {
  const [contact, another] = objectsIn(body, 'contacts');
  if (contact === undefined || another !== undefined)
    throw new GraphError(131009, 'A message carries one contact: send one message for each.');
  return { type: 'contact', ...cardOf(contact, 'contacts[0]') };
}

function reactionContent(reaction: Fields): Record<string, unknown> {
  const ref = referredTo(requiredText(reaction, 'message_id', "reaction['message_id']"), 'reaction');
  const emoji = textIn(reaction, 'emoji', "reaction['emoji']") ?? '';
  const content = { type: 'reaction', reacted_message_id: ref.id, emoji };
  if (ref.fromMe) return { ...content, reacted_from_me: true };
  return { ...content, reacted_participant: ref.participant ?? ref.chat };
}

function quoteOf(body: Fields, phone: string): Record<string, unknown> {
  if (!isObject(body.context)) return {};
  const id = textIn(body.context, 'message_id', "context['message_id']");
  if (id === undefined) return {};
  const ref = referredTo(id, 'context');
  const participant = ref.fromMe ? userJid(phone) : (ref.participant ?? ref.chat);
  return { quoted_message_id: ref.id, quoted_participant: participant };
}

export function referredTo(wamid: string, field: string): MessageRef {
  const ref = parseWamid(wamid);
  if (!ref) throw new GraphError(131009, `${field} refers to a message that is not known here.`);
  return ref;
}
