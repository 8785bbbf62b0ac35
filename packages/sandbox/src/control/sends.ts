import { readPictureHeader } from '@parley/codecs';
import { parseSend } from '@parley/contract';
import type { Actor, Content, MediaContent, MediaRef, World } from '../world/index.ts';
import { statusJid } from '../world/index.ts';
import { caption, marksOf, phoneContent } from './contents.ts';
import { Refusal } from './errors.ts';
import { decodeBase64, download, type File, inlineUrl, type MediaFetcher } from './files.ts';
import { marked, takePhoneMarks } from './phone-marks.ts';

/** A send of a phone: the body of `POST /v1/messages`, validated by the same rules, with files inside it or by URL. */
export interface PhoneSend {
  to: string;
  content: Content;
}

type Fields = Record<string, unknown>;

interface Body {
  fields: Fields;
  inline: File | undefined;
}

/** The address that `parseSend` requires; a phone has no session. */
const noSession = '0@s.whatsapp.net';

interface SendReaderNeeds {
  world: World;
  fetcher: MediaFetcher;
}

export function createSendReader({ world, fetcher }: SendReaderNeeds) {
  const store = ({ bytes, mimetype }: File): MediaRef => world.media.put(bytes, mimetype);

  const read = async (actor: Actor, { fields, inline }: Body): Promise<PhoneSend> => {
    const parsed = parseSend({ ...fields, session_id: noSession });
    if (!parsed.ok) throw new Refusal(400, parsed.text);
    const { send } = parsed;
    const file = async (field: string, url = '') => store(inline ?? (await download(fetcher, field, url)));
    const picture = async (field: string, url = '') => {
      const given = inline ?? (await download(fetcher, field, url));
      return { ...store(given), ...sizeOf(given) };
    };

    switch (send.kind) {
      case 'media': {
        const media = await (send.media_type === 'image' ? picture : file)('media_url', send.media_url);
        const content = mediaContent(send, media, inline ? '' : (send.media_url ?? ''));
        return { to: send.to, content: { ...content, ...marksOf(world, send) } };
      }
      case 'sticker':
        return {
          to: send.to,
          content: { type: 'sticker', media: await picture('sticker_url', send.sticker_url) },
        };
      case 'media_status': {
        const media = await (send.status_type === 'image' ? picture : file)('media_url', send.media_url);
        return { to: statusJid, content: { type: send.status_type, media, ...caption(send) } };
      }
      case 'text_status':
        return { to: statusJid, content: { type: 'text', text: send.text } };
      default:
        return { to: send.to, content: phoneContent(world, actor, send) };
    }
  };

  return async (actor: Actor, body: unknown): Promise<PhoneSend> => {
    const { fields, inline } = takeInlineFile(body);
    const { rest, marks } = takePhoneMarks(world, fields);
    const send = await read(actor, { fields: rest, inline });
    return { ...send, content: marked(send.content, marks) };
  };
}

/** Width and height that a phone writes beside its picture. */
function sizeOf({ bytes }: File): Pick<MediaRef, 'traits'> {
  const header = readPictureHeader(bytes);
  if (!header) return {};
  const { width, height, orientation } = header;
  // Exif turns it by a quarter from 5 on.
  return { traits: orientation < 5 ? { width, height } : { width: height, height: width } };
}

/** Separates a file inside the body, and puts a placeholder URL in its place for the common rules to validate. */
export function takeInlineFile(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'body must be a JSON object');
  }
  const { media_base64, mimetype, ...fields }: Fields = { ...body };
  // A phone has no session and no uploaded files.
  for (const foreign of ['session_id', 'media_id'])
    if (foreign in fields) throw new Refusal(400, `unknown field ${foreign}`);
  if (media_base64 === undefined && mimetype === undefined) return { fields, inline: undefined };
  if (typeof media_base64 !== 'string' || typeof mimetype !== 'string' || !mimetype.includes('/')) {
    throw new Refusal(400, 'media_base64 and mimetype are required together');
  }
  if ('media_url' in fields || 'sticker_url' in fields) {
    throw new Refusal(400, 'media_base64 cannot be sent together with a url');
  }
  const place =
    fields.type === 'sticker' ? { sticker_url: inlineUrl('sticker.webp') } : { media_url: inlineUrl('file') };
  return {
    fields: { ...fields, ...place },
    inline: { bytes: decodeBase64('media_base64', media_base64), mimetype },
  };
}

interface MediaFields {
  media_type: 'image' | 'video' | 'audio' | 'document';
  caption?: string;
  file_name?: string;
}

export function mediaContent(fields: MediaFields, media: MediaRef, url: string): MediaContent {
  switch (fields.media_type) {
    case 'audio':
      return { type: 'audio', media };
    case 'document':
      return { type: 'document', media, fileName: fields.file_name ?? lastSegment(url), ...caption(fields) };
    default:
      return { type: fields.media_type, media, ...caption(fields) };
  }
}

function lastSegment(url: string): string {
  const name = url === '' ? '' : new URL(url).pathname.split('/').at(-1);
  return name ? decodeURIComponent(name) : 'file';
}
