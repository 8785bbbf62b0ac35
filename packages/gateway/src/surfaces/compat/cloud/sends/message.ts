import { phoneDigits, userJid } from '@parley/contract';
import {
  type Fields,
  fileIn,
  isObject,
  numberIn,
  objectIn,
  objectsIn,
  recipientIn,
  requiredText,
  textIn,
} from '../fields.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { type MessageRef, parseWamid } from '../ids.ts';
import { interactiveContent } from './interactive.ts';

/** A message of the Graph API as `POST /v1/messages` takes it. */
interface MappedSend {
  /** Recipient as the client wrote it. */
  readonly input: string;
  readonly jid: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Data that the client wants back in the statuses of the message. */
  readonly callbackData: string | undefined;
}

interface Sending {
  /** Phone of the sending number. */
  readonly phone: string;
  /** Renders a template into fields of `POST /v1/messages`; undefined when there is no such template. */
  readonly template: (template: Fields) => Readonly<Record<string, unknown>>;
}

/** Room that the key of a send has beside its unique part. */
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

/** Types that the network shows as replies; the others arrive without the quote. */
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

/** A contact of the Graph API as a vCard. */
function cardOf(contact: Fields, path: string): { display_name: string; vcard: string } {
  const name = objectIn(contact, 'name', `${path}['name']`);
  const text = (field: string): string => escaped(textIn(name, field, `${path}['name']['${field}']`) ?? '');
  const formatted = requiredText(name, 'formatted_name', `${path}['name']['formatted_name']`);
  const given = text('first_name');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${text('last_name')};${given === '' ? escaped(formatted) : given};${text('middle_name')};${text('prefix')};${text('suffix')}`,
    `FN:${escaped(formatted)}`,
    ...listIn(contact, 'phones', path).flatMap(phoneLine),
    ...listIn(contact, 'emails', path).flatMap((email) => typedLine('EMAIL', email, textIn(email, 'email'))),
    ...listIn(contact, 'urls', path).flatMap((url) => typedLine('URL', url, textIn(url, 'url'))),
    ...listIn(contact, 'addresses', path).flatMap(addressLine),
    ...organisationLines(contact, path),
    ...valueLine('BDAY', textIn(contact, 'birthday', `${path}['birthday']`)),
    'END:VCARD',
  ];
  return { display_name: formatted, vcard: lines.join('\n') };
}

function listIn(contact: Fields, name: string, path: string): Fields[] {
  const list = contact[name];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every(isObject))
    throw invalid(`Param ${path}['${name}'] must be an array of JSON objects.`);
  return list;
}

/** With `waid` a phone offers to write to the number. */
function phoneLine(phone: Fields): string[] {
  const written = textIn(phone, 'phone') ?? textIn(phone, 'wa_id');
  if (written === undefined) return [];
  const waId = textIn(phone, 'wa_id') ?? phoneDigits(written) ?? undefined;
  const type = fieldTypeOf(phone) ?? 'CELL';
  return [`TEL;TYPE=${type}${waId === undefined ? '' : `;waid=${bare(waId)}`}:${escaped(written)}`];
}

function addressLine(address: Fields): string[] {
  const part = (field: string): string => escaped(textIn(address, field) ?? '');
  const parts = ['street', 'city', 'state', 'zip', 'country'].map(part);
  if (parts.every((each) => each === '')) return [];
  return [`ADR;TYPE=${fieldTypeOf(address) ?? 'HOME'}:;;${parts.join(';')}`];
}

function organisationLines(contact: Fields, path: string): string[] {
  if (contact.org === undefined || contact.org === null) return [];
  const org = objectIn(contact, 'org', `${path}['org']`);
  const [company, department] = [textIn(org, 'company'), textIn(org, 'department')];
  const unit = [company, department].flatMap((each) => (each === undefined ? [] : [escaped(each)]));
  return [...(unit.length > 0 ? [`ORG:${unit.join(';')}`] : []), ...valueLine('TITLE', textIn(org, 'title'))];
}

function typedLine(name: string, fields: Fields, value: string | undefined): string[] {
  const type = fieldTypeOf(fields);
  return valueLine(type === undefined ? name : `${name};TYPE=${type}`, value);
}

function valueLine(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}:${escaped(value)}`];
}

function fieldTypeOf(fields: Fields): string | undefined {
  const type = bare(textIn(fields, 'type') ?? '').toUpperCase();
  return type === '' ? undefined : type;
}

/** Parameters cannot be escaped, so this removes the characters that would end them. */
function bare(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9-]/g, '');
}

/** Escapes a value so that it cannot end its line or its card. */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (special) => `\\${special}`).replaceAll(/\r\n|\r|\n/g, '\\n');
}
