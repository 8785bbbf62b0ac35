import { Readable } from 'node:stream';
import { URL_MAX_LENGTH } from '@parley/contract';
import type { Static, TObject } from 'typebox';
import { BodyFile, decodeBase64, NotBase64, splitDataUrl } from '#platform/http';
import { jidOf } from '../fields.ts';
import { invalid } from '../refusals.ts';
import {
  AudioBody,
  type Button,
  ButtonsBody,
  ContactBody,
  ListBody,
  LocationBody,
  MediaBody,
  PollBody,
  ReactionBody,
  type SendOptions,
  StatusBody,
  StickerBody,
  TextBody,
  VideoBody,
} from './bodies.ts';
import type { MessageObjectInput } from './object.ts';

/** A send of this interface as `/v1` takes it, with the content of its message object. */
export interface Translated {
  /** Body without the session, and with `to` unless the message goes elsewhere. */
  readonly send: Record<string, unknown>;
  readonly said: Partial<MessageObjectInput> & Pick<MessageObjectInput, 'type'>;
  /** A file from inside the request. */
  readonly file?: { read(): Readable; readonly size: number; readonly mimetype: string } | undefined;
}

export type SendFields = Static<typeof SendOptions> & { readonly number?: string };

interface SendKind<B extends TObject = TObject> {
  readonly body: B;
  translate(fields: Static<B>): Translated;
}

function kind<B extends TObject>(body: B, translate: (fields: Static<B>) => Translated): SendKind {
  return { body, translate: (fields) => translate(fields as Static<B>) };
}

const MIMETYPES: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  document: 'application/octet-stream',
  audio: 'audio/ogg; codecs=opus',
  sticker: 'image/webp',
};

/** Send kinds by the last segment of the path. */
export const SEND_KINDS: Readonly<Record<string, SendKind>> = {
  sendText: kind(TextBody, ({ text, textMessage }) => {
    const said = text || textMessage?.text;
    if (!said) throw invalid('instance requires property "text"');
    return { send: { text: said }, said: { type: 'text', text: said } };
  }),
  sendMedia: kind(MediaBody, (fields) => media(fields, fields.mediatype, 'media')),
  sendPtv: kind(VideoBody, (fields) => media(fields, 'video', 'video')),
  sendWhatsAppAudio: kind(AudioBody, (fields) => media(fields, 'audio', 'audio')),
  sendSticker: kind(StickerBody, (fields) => {
    const source = fileFrom(fields, 'sticker', 'image/webp');
    const send = { type: 'sticker', ...(source.url !== undefined && { sticker_url: source.url }) };
    return { send, said: { type: 'sticker', media: { mimetype: 'image/webp' } }, file: source.file };
  }),
  sendLocation: kind(LocationBody, ({ latitude, longitude, name, address }) => {
    const place = { ...(name && { name }), ...(address && { address }) };
    const send = { ...(name && { loc_name: name }), ...(address && { loc_address: address }) };
    return {
      send: { type: 'location', latitude, longitude, ...send },
      said: { type: 'location', location: { latitude, longitude, ...place } },
    };
  }),
  sendContact: kind(ContactBody, ({ contact: [first] }) => {
    if (!first) throw invalid('contact does not meet minimum length of 1');
    const { name, vcard } = card(first);
    return {
      send: { type: 'contact', display_name: name, vcard },
      said: { type: 'other', contacts: [{ name, vcard, phones: [] }] },
    };
  }),
  sendReaction: kind(ReactionBody, ({ key, reaction }) => ({
    send: {
      to: jidOf(key.remoteJid),
      type: 'reaction',
      reacted_message_id: key.id,
      emoji: reaction,
      reacted_from_me: key.fromMe ?? false,
      ...(key.participant && { reacted_participant: jidOf(key.participant) }),
    },
    said: { type: 'reaction', text: reaction, reacted_message_id: key.id },
  })),
  sendPoll: kind(PollBody, ({ name, values, selectableCount }) => ({
    send: {
      type: 'poll',
      poll_name: name,
      poll_options: values,
      poll_selectable_count: selectableCount,
    },
    said: { type: 'poll', poll: { name, options: values, selectable_count: selectableCount } },
  })),
  sendButtons: kind(ButtonsBody, ({ title, description, footer, buttons }) => {
    const said = [title, description].filter(Boolean).join('\n') || ' ';
    return {
      send: {
        type: 'interactive',
        interactive_body: said,
        ...(footer && { interactive_footer: footer }),
        interactive_buttons: buttons.map(button),
      },
      said: { type: 'other', text: said },
    };
  }),
  sendList: kind(ListBody, ({ title, description, footerText, buttonText, sections }) => {
    const body = [title, description].filter(Boolean).join('\n');
    const shown = sections.map(({ title: heading, rows }) => ({
      title: heading,
      rows: rows.map((row) => ({
        title: row.title,
        id: row.rowId,
        ...(row.description && { description: row.description }),
      })),
    }));
    return {
      send: {
        type: 'interactive',
        interactive_body: body,
        ...(footerText && { interactive_footer: footerText }),
        interactive_buttons: [{ type: 'single_select', display_text: buttonText, sections: shown }],
      },
      said: { type: 'other', text: body },
    };
  }),
  sendStatus: kind(StatusBody, (fields) => {
    const { type, content, caption } = fields;
    if (type === 'text') {
      if (typeof content !== 'string' || content === '')
        throw invalid('instance requires property "content"');
      return {
        send: { type: 'status', status_type: 'text', text: content },
        said: { type: 'text', text: content },
      };
    }
    const source = fileFrom(fields, 'content', MIMETYPES[type] ?? '');
    return {
      send: {
        type: 'status',
        status_type: type,
        ...(source.url !== undefined && { media_url: source.url }),
        ...(caption && { caption }),
      },
      said: { type, text: caption ?? '', media: {} },
      file: source.file,
    };
  }),
};

interface MediaFields {
  readonly mimetype?: string;
  readonly caption?: string;
  readonly fileName?: string;
  readonly file?: unknown;
}

function media(
  fields: MediaFields,
  type: 'image' | 'document' | 'video' | 'audio',
  name: 'media' | 'video' | 'audio',
): Translated {
  const given = fields.mimetype || MIMETYPES[type] || '';
  const { caption } = fields;
  const source = fileFrom(fields, name, given);
  const mimetype = source.file?.mimetype ?? given;
  const fileName = fields.fileName || source.fileName;
  return {
    send: {
      media_type: type,
      ...(source.url !== undefined && { media_url: source.url }),
      ...(caption && { caption }),
      ...(fileName && { file_name: fileName }),
    },
    said: {
      type,
      text: caption ?? '',
      media: { mimetype, ...(fileName && type === 'document' && { filename: fileName }) },
    },
    file: source.file,
  };
}

interface Source {
  readonly url?: string;
  readonly file?: Translated['file'];
  readonly fileName?: string;
}

/** Fields that may hold a file in base64. */
export const FILE_FIELDS = ['media', 'video', 'audio', 'sticker', 'content'] as const;

/** Reads a file from its URL, from base64, or from `file` of a form. */
function fileFrom(fields: object, name: (typeof FILE_FIELDS)[number], mimetype: string): Source {
  const given = new Map<string, unknown>(Object.entries(fields));
  const form = given.get('file');
  const written = form instanceof BodyFile ? form : given.get(name);
  if (written instanceof BodyFile) {
    const { size, fileName } = written;
    const file = { read: () => written.read(), size, mimetype: written.mimetype || mimetype };
    return { file, ...(fileName && { fileName }) };
  }
  if (written === undefined || written === null || written === '')
    throw invalid(`instance requires property "${name}"`);
  if (typeof written !== 'string') throw invalid(`${name} is not of a type(s) string`);
  if (/^https?:\/\//i.test(written)) {
    if (written.length > URL_MAX_LENGTH)
      throw invalid(`${name} does not meet maximum length of ${URL_MAX_LENGTH}`);
    return { url: written };
  }
  const { headLength, mimetype: named } = splitDataUrl(written);
  const bytes = decoded(written.slice(headLength));
  return { file: { read: () => Readable.from([bytes]), size: bytes.length, mimetype: named || mimetype } };
}

function decoded(base64: string): Buffer {
  try {
    return decodeBase64(base64);
  } catch (error) {
    if (error instanceof NotBase64) throw invalid('Owned media must be a url or base64');
    throw error;
  }
}

type Card = Static<typeof ContactBody>['contact'][number];

function card({ fullName, phoneNumber, wuid, organization, email, url }: Card) {
  const digits = (wuid || phoneNumber).replaceAll(/\D/g, '');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${fullName}`,
    `FN:${fullName}`,
    ...(organization ? [`ORG:${organization};`] : []),
    ...(email ? [`EMAIL:${email}`] : []),
    ...(url ? [`URL:${url}`] : []),
    `TEL;type=CELL;waid=${digits}:${phoneNumber}`,
    'END:VCARD',
  ];
  return { name: fullName, vcard: lines.map((line) => line.replaceAll(/[\r\n]/g, ' ')).join('\n') };
}

function button({ type, displayText, id, url, copyCode, phoneNumber }: Static<typeof Button>): object {
  const display = { display_text: displayText ?? '' };
  switch (type) {
    case 'reply':
      return { type: 'quick_reply', ...display, id: id || display.display_text };
    case 'url':
      return { type: 'cta_url', ...display, url: needed('url', url) };
    case 'copy':
      return { type: 'cta_copy', ...display, copy_code: needed('copyCode', copyCode) };
    case 'call':
      return { type: 'cta_call', ...display, phone_number: needed('phoneNumber', phoneNumber) };
  }
}

function needed(name: string, value: string | undefined): string {
  if (!value) throw invalid(`instance requires property "${name}"`);
  return value;
}
