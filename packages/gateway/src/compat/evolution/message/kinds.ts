import { FormFile } from '#http';
import { type Fields, fieldsOf, flag, jidOf, list, number, optionalText, text } from '../input.ts';
import { invalid } from '../refusals.ts';
import type { Told } from './object.ts';

/** A send of this interface as `/v1` takes it, and what the message then says. */
export interface Translated {
  /** Without the session, and with `to` unless it goes elsewhere. */
  readonly send: Record<string, unknown>;
  readonly said: Partial<Told> & Pick<Told, 'type'>;
  /** A file that came inside the request. */
  readonly file?: { readonly bytes: Buffer; readonly mimetype: string } | undefined;
}

type Translate = (fields: Fields) => Translated;

const MIMETYPES: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  document: 'application/octet-stream',
  audio: 'audio/ogg; codecs=opus',
  sticker: 'image/webp',
};

/** By the last part of the path. */
export const SEND_KINDS: Readonly<Record<string, Translate>> = {
  sendText(fields) {
    const body = optionalText(fields, 'text') ?? optionalText(fieldsOf(fields.textMessage), 'text');
    if (body === undefined) throw invalid('instance requires property "text"');
    return { send: { text: body }, said: { type: 'text', text: body } };
  },
  sendMedia(fields) {
    const kind = text(fields, 'mediatype');
    if (!['image', 'document', 'video', 'audio'].includes(kind))
      throw invalid('mediatype is not one of enum values: image,document,video,audio,ptv');
    return media(fields, kind, 'media');
  },
  sendPtv: (fields) => media(fields, 'video', 'video'),
  sendWhatsAppAudio: (fields) => media(fields, 'audio', 'audio'),
  sendSticker(fields) {
    const source = fileFrom(fields, 'sticker', 'image/webp');
    const send = { type: 'sticker', ...(source.url !== undefined && { sticker_url: source.url }) };
    return { send, said: { type: 'sticker', media: { mimetype: 'image/webp' } }, file: source.file };
  },
  sendLocation(fields) {
    const latitude = number(fields, 'latitude');
    const longitude = number(fields, 'longitude');
    const name = optionalText(fields, 'name');
    const address = optionalText(fields, 'address');
    const place = { ...(name && { name }), ...(address && { address }) };
    const send = { ...(name && { loc_name: name }), ...(address && { loc_address: address }) };
    return {
      send: { type: 'location', latitude, longitude, ...send },
      said: { type: 'location', location: { latitude, longitude, ...place } },
    };
  },
  sendContact(fields) {
    const cards = list(fields, 'contact').map((each) => card(fieldsOf(each)));
    const [first] = cards;
    if (!first) throw invalid('contact does not meet minimum length of 1');
    if (cards.length > 1) throw invalid('contact has more than the one card that can be sent at a time');
    return {
      send: { type: 'contact', display_name: first.name, vcard: first.vcard },
      said: { type: 'other', contacts: [{ ...first, phones: [] }] },
    };
  },
  sendReaction(fields) {
    const key = fieldsOf(fields.key);
    const emoji = typeof fields.reaction === 'string' ? fields.reaction : text(fields, 'reaction');
    const participant = optionalText(key, 'participant');
    const id = text(key, 'id');
    return {
      send: {
        to: jidOf(text(key, 'remoteJid')),
        type: 'reaction',
        reacted_message_id: id,
        emoji,
        reacted_from_me: flag(key, 'fromMe') ?? false,
        ...(participant && { reacted_participant: jidOf(participant) }),
      },
      said: { type: 'reaction', text: emoji, reacted_message_id: id },
    };
  },
  sendPoll(fields) {
    const name = text(fields, 'name');
    const options = list(fields, 'values').map(String);
    const count = number(fields, 'selectableCount');
    return {
      send: { type: 'poll', poll_name: name, poll_options: options, poll_selectable_count: count },
      said: { type: 'poll', poll: { name, options, selectable_count: count } },
    };
  },
  sendButtons(fields) {
    const body = [optionalText(fields, 'title'), optionalText(fields, 'description')].filter(Boolean);
    const footer = optionalText(fields, 'footer');
    const said = body.join('\n') || ' ';
    return {
      send: {
        type: 'interactive',
        interactive_body: said,
        ...(footer && { interactive_footer: footer }),
        interactive_buttons: list(fields, 'buttons').map((each) => button(fieldsOf(each))),
      },
      said: { type: 'other', text: said },
    };
  },
  sendList(fields) {
    const body = [text(fields, 'title'), optionalText(fields, 'description')].filter(Boolean).join('\n');
    const footer = optionalText(fields, 'footerText');
    const sections = list(fields, 'sections').map((each) => {
      const section = fieldsOf(each);
      const rows = list(section, 'rows').map((row) => listRow(fieldsOf(row)));
      return { title: text(section, 'title'), rows };
    });
    return {
      send: {
        type: 'interactive',
        interactive_body: body,
        ...(footer && { interactive_footer: footer }),
        interactive_buttons: [{ type: 'single_select', display_text: text(fields, 'buttonText'), sections }],
      },
      said: { type: 'other', text: body },
    };
  },
  sendStatus(fields) {
    const kind = text(fields, 'type');
    if (kind === 'text') {
      const content = text(fields, 'content');
      return {
        send: { type: 'status', status_type: 'text', text: content },
        said: { type: 'text', text: content },
      };
    }
    const source = fileFrom(fields, 'content', MIMETYPES[kind] ?? '');
    const caption = optionalText(fields, 'caption');
    return {
      send: {
        type: 'status',
        status_type: kind,
        ...(source.url !== undefined && { media_url: source.url }),
        ...(caption && { caption }),
      },
      said: { type: kind as Told['type'], text: caption ?? '', media: {} },
      file: source.file,
    };
  },
};

function media(fields: Fields, kind: string, name: string): Translated {
  const given = optionalText(fields, 'mimetype') ?? MIMETYPES[kind] ?? '';
  const caption = optionalText(fields, 'caption');
  const source = fileFrom(fields, name, given);
  const mimetype = source.file?.mimetype ?? given;
  const fileName = optionalText(fields, 'fileName') ?? source.fileName;
  return {
    send: {
      media_type: kind,
      ...(source.url !== undefined && { media_url: source.url }),
      ...(caption && { caption }),
      ...(fileName && { file_name: fileName }),
    },
    said: {
      type: kind as Told['type'],
      text: caption ?? '',
      media: { mimetype, ...(fileName && kind === 'document' && { filename: fileName }) },
    },
    file: source.file,
  };
}

const DATA_URL = /^data:([\w.+/-]+(?:; ?[\w=.+-]+)*?);base64,/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

interface Source {
  readonly url?: string;
  readonly file?: Translated['file'];
  readonly fileName?: string;
}

/** A file is given by its URL, or is there itself: in base64, or as `file` of a form. */
function fileFrom(fields: Fields, name: string, mimetype: string): Source {
  const { file } = fields;
  if (file instanceof FormFile) return { file, ...(file.fileName && { fileName: file.fileName }) };
  const written = text(fields, name);
  if (/^https?:\/\//i.test(written)) return { url: written };
  const [head = '', named] = DATA_URL.exec(written) ?? [];
  const encoded = written.slice(head.length);
  if (!BASE64.test(encoded)) throw invalid('Owned media must be a url or base64');
  return { file: { bytes: Buffer.from(encoded, 'base64'), mimetype: named ?? mimetype } };
}

function card(fields: Fields): { name: string; vcard: string } {
  const name = text(fields, 'fullName');
  const phone = text(fields, 'phoneNumber');
  const digits = (optionalText(fields, 'wuid') ?? phone).replaceAll(/\D/g, '');
  const organization = optionalText(fields, 'organization');
  const email = optionalText(fields, 'email');
  const url = optionalText(fields, 'url');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${name}`,
    `FN:${name}`,
    ...(organization ? [`ORG:${organization};`] : []),
    ...(email ? [`EMAIL:${email}`] : []),
    ...(url ? [`URL:${url}`] : []),
    `TEL;type=CELL;waid=${digits}:${phone}`,
    'END:VCARD',
  ];
  return { name, vcard: lines.map((line) => line.replaceAll(/[\r\n]+/g, ' ')).join('\n') };
}

function button(fields: Fields): object {
  const display = { display_text: optionalText(fields, 'displayText') ?? '' };
  switch (text(fields, 'type')) {
    case 'reply':
      return { type: 'quick_reply', ...display, id: optionalText(fields, 'id') ?? display.display_text };
    case 'url':
      return { type: 'cta_url', ...display, url: text(fields, 'url') };
    case 'copy':
      return { type: 'cta_copy', ...display, copy_code: text(fields, 'copyCode') };
    case 'call':
      return { type: 'cta_call', ...display, phone_number: text(fields, 'phoneNumber') };
    default:
      throw invalid('buttons[0].type is not one of enum values: reply,copy,url,call');
  }
}

function listRow(fields: Fields): object {
  const description = optionalText(fields, 'description');
  return { title: text(fields, 'title'), id: text(fields, 'rowId'), ...(description && { description }) };
}
