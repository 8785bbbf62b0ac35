import { DISAPPEARING_SECONDS, parseSend, type SendRequest } from '@parley/contract';
import type { Actor, BubbleMarks, Button, Content, MediaContent, MediaRef, World } from '../world/index.ts';
import { statusJid } from '../world/index.ts';
import { Refusal } from './errors.ts';
import { decodeBase64, download, type File, inlineUrl, type MediaFetcher } from './files.ts';
import { marked, takePhoneMarks } from './phone-marks.ts';

/** What a phone is told to send: the body of `POST /v1/messages`, judged by the same rules, with files inside it or by URL. */
export interface PhoneSend {
  to: string;
  content: Content;
}

type Fields = Record<string, unknown>;

interface Body {
  fields: Fields;
  inline: File | undefined;
}

/** The address that `parseSend` wants filled; a phone has no session. */
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

    switch (send.kind) {
      case 'media': {
        const media = await file('media_url', send.media_url);
        const content = mediaContent(send, media, inline ? '' : (send.media_url ?? ''));
        return { to: send.to, content: { ...content, ...marksOf(world, send) } };
      }
      case 'sticker':
        return {
          to: send.to,
          content: { type: 'sticker', media: await file('sticker_url', send.sticker_url) },
        };
      case 'media_status': {
        const media = await file('media_url', send.media_url);
        return { to: statusJid, content: { type: send.status_type, media, ...caption(send) } };
      }
      case 'text_status':
        return { to: statusJid, content: { type: 'text', text: send.text } };
      default:
        return { to: send.to, content: plainContent(world, actor, send) };
    }
  };

  return async (actor: Actor, body: unknown): Promise<PhoneSend> => {
    const { fields, inline } = takeInlineFile(body);
    const { rest, marks } = takePhoneMarks(world, fields);
    const send = await read(actor, { fields: rest, inline });
    return { ...send, content: marked(send.content, marks) };
  };
}

/** Separates a file that came inside the body, and puts an address in its place for the common rules to judge. */
export function takeInlineFile(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'body must be a JSON object');
  }
  const { media_base64, mimetype, ...fields }: Fields = { ...body };
  // A phone has no session, and no shelf of files.
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

const caption = ({ caption: words }: { caption?: string }) => (words === undefined ? {} : { caption: words });

function lastSegment(url: string): string {
  const name = url === '' ? '' : new URL(url).pathname.split('/').at(-1);
  return name ? decodeURIComponent(name) : 'file';
}

type Kind<K extends SendRequest['kind']> = Extract<SendRequest, { kind: K }>;
type Plain = Exclude<SendRequest, Kind<'media' | 'sticker' | 'media_status' | 'text_status'>>;

function plainContent(world: World, actor: Actor, send: Plain): Content {
  switch (send.kind) {
    case 'text':
      return {
        type: 'text',
        text: send.text,
        ...(send.link_preview && { linkPreview: send.link_preview }),
        ...marksOf(world, send),
      };
    case 'location': {
      const { latitude, longitude, loc_name: name, loc_address: address } = send;
      return { type: 'location', latitude, longitude, ...(name && { name }), ...(address && { address }) };
    }
    case 'contact':
      return { type: 'contact', displayName: send.display_name, vcard: send.vcard };
    case 'reaction':
      return { type: 'reaction', target: send.reacted_message_id, emoji: send.emoji };
    case 'revoke':
      return { type: 'revoke', target: send.revoked_message_id };
    case 'edit':
      return { type: 'edit', target: send.edit_message_id, text: send.text };
    case 'poll':
      return {
        type: 'poll',
        name: send.poll_name,
        options: send.poll_options,
        selectableCount: send.poll_selectable_count ?? 0,
        secret: world.messages.newSecret(),
      };
    case 'disappearing':
      return { type: 'disappearing', seconds: DISAPPEARING_SECONDS[send.disappearing_timer] };
    case 'group_invite': {
      const group = send.group_invite_jid;
      const code = world.groups.inviteCode(actor, group);
      const { name } = world.groups.get(actor, group);
      return { type: 'group_invite', group, code, name, ...caption(send) };
    }
    case 'interactive':
      return {
        type: 'interactive',
        body: send.interactive_body,
        ...(send.interactive_footer && { footer: send.interactive_footer }),
        buttons: send.interactive_buttons.map(toButton),
      };
  }
}

function marksOf(world: World, send: Kind<'text' | 'media'>): BubbleMarks {
  const { forwarded, quoted_message_id: id, quoted_participant, quoted_text: text = '' } = send;
  const sender = world.phones.find(quoted_participant ?? send.to)?.phone;
  return {
    ...(forwarded && { forwarded }),
    ...(id !== undefined && { quote: { id, text, ...(sender && { sender }) } }),
  };
}

function toButton(button: Kind<'interactive'>['interactive_buttons'][number]): Button {
  const { display_text: text } = button;
  switch (button.type) {
    case 'quick_reply':
      return { type: 'quick_reply', text, id: button.id };
    case 'cta_url':
      return { type: 'cta_url', text, url: button.url };
    case 'cta_copy':
      return { type: 'cta_copy', text, copyCode: button.copy_code };
    case 'cta_call':
      return { type: 'cta_call', text, phoneNumber: button.phone_number };
    case 'single_select':
      return { type: 'single_select', text, sections: button.sections };
  }
}
