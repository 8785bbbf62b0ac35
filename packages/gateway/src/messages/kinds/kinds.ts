import {
  DISAPPEARING_SECONDS,
  type EventOf,
  type SendKindName,
  type SendOf,
  type SendRequest,
} from '@parley/contract';
import { type InteractiveButton, type OutboundContent, phonesIn, type Quote } from '#network';
import type { FetchedFile, FileSource, MediaNeed } from '../outbox/media-spool.ts';

/** Form of one kind of message on the network, and in the event of a message that the number itself wrote. */
interface Kind<K extends SendKindName> {
  /** The file that must be fetched first; absent for kinds without one. */
  readonly media?: (send: SendOf<K>) => MediaNeed;
  readonly content: (send: SendOf<K>, file: FetchedFile | undefined) => OutboundContent;
  /** Fields of the event that depend on the kind; its file is left out, because the caller has it. */
  readonly said: (send: SendOf<K>) => EchoContent;
}

type EchoContent = Pick<EventOf<'message'>, 'type' | 'text'> & Partial<EventOf<'message'>>;

const KINDS: { readonly [K in SendKindName]: Kind<K> } = {
  text: {
    content: ({ text, link_preview: linkPreview, ...send }) => ({
      kind: 'text',
      text,
      ...(linkPreview ? { linkPreview } : {}),
      ...replyOrForward(send),
    }),
    said: (send) => ({ type: 'text', text: send.text, ...replyOrForwardFields(send) }),
  },

  media: {
    media: (send) => ({
      ...{ from: sourceOf(send.media_url, send), as: send.media_type },
      ...(send.file_name && { name: send.file_name }),
    }),
    content(send, fetched) {
      const { file, fileName } = needed(fetched);
      const beside = replyOrForward(send);
      const caption = send.caption ? { caption: send.caption } : {};
      switch (send.media_type) {
        case 'audio':
          return { kind: 'audio', file, ...beside };
        case 'document':
          return { kind: 'document', file, fileName: send.file_name ?? fileName, ...caption, ...beside };
        default:
          return { kind: send.media_type, file, ...caption, ...beside };
      }
    },
    said: (send) => ({ type: send.media_type, text: send.caption ?? '', ...replyOrForwardFields(send) }),
  },

  location: {
    content: ({ latitude, longitude, loc_name: name, loc_address: address }) => ({
      kind: 'location',
      latitude,
      longitude,
      ...present({ name, address }),
    }),
    said: ({ latitude, longitude, loc_name: name, loc_address: address }) => ({
      type: 'location',
      text: '',
      location: { latitude, longitude, ...present({ name, address }) },
    }),
  },

  contact: {
    content: (send) => ({ kind: 'contact', displayName: send.display_name, vcard: send.vcard }),
    said: ({ display_name: name, vcard }) => ({
      type: 'other',
      text: name,
      contacts: [{ name, phones: phonesIn(vcard), vcard }],
    }),
  },

  reaction: {
    content: (send) => ({
      kind: 'reaction',
      emoji: send.emoji,
      target: {
        messageId: send.reacted_message_id,
        fromMe: send.reacted_from_me ?? false,
        ...present({ participant: send.reacted_participant }),
      },
    }),
    said: (send) => ({ type: 'reaction', text: send.emoji, reacted_message_id: send.reacted_message_id }),
  },

  revoke: {
    content: (send) => ({
      kind: 'revoke',
      target: {
        messageId: send.revoked_message_id,
        fromMe: send.revoked_from_me ?? false,
        ...present({ participant: send.revoked_participant }),
      },
    }),
    said: (send) => ({ type: 'other', text: '', revoked_message_id: send.revoked_message_id }),
  },

  sticker: {
    media: (send) => ({ from: sourceOf(send.sticker_url, send), as: 'sticker' }),
    content: (_send, fetched) => ({ kind: 'sticker', file: needed(fetched).file }),
    said: () => ({ type: 'sticker', text: '' }),
  },

  edit: {
    content: (send) => ({ kind: 'edit', targetId: send.edit_message_id, text: send.text }),
    said: (send) => ({ type: 'other', text: send.text, edited_message_id: send.edit_message_id }),
  },

  poll: {
    content: (send) => ({
      kind: 'poll',
      name: send.poll_name,
      options: send.poll_options,
      selectableCount: send.poll_selectable_count ?? 0,
    }),
    said: ({ poll_name: name, poll_options: options, poll_selectable_count = 0 }) => ({
      type: 'poll',
      text: '',
      poll: { name, options, selectable_count: poll_selectable_count },
    }),
  },

  disappearing: {
    content: (send) => ({ kind: 'disappearing', seconds: DISAPPEARING_SECONDS[send.disappearing_timer] }),
    said: (send) => ({
      type: 'other',
      text: '',
      ephemeral_seconds: DISAPPEARING_SECONDS[send.disappearing_timer],
    }),
  },

  text_status: {
    content: (send) => ({ kind: 'status_text', text: send.text }),
    said: (send) => ({ type: 'text', text: send.text }),
  },

  media_status: {
    media: (send) => ({ from: sourceOf(send.media_url, send), as: send.status_type }),
    content: (send, fetched) => ({
      kind: 'status_media',
      media: send.status_type,
      file: needed(fetched).file,
      ...present({ caption: send.caption }),
    }),
    said: (send) => ({ type: send.status_type, text: send.caption ?? '' }),
  },

  group_invite: {
    content: (send) => ({
      kind: 'group_invite',
      group: send.group_invite_jid,
      ...present({ caption: send.caption }),
    }),
    said: (send) => ({ type: 'other', text: send.caption ?? '' }),
  },

  interactive: {
    content: (send) => ({
      kind: 'interactive',
      body: send.interactive_body,
      ...present({ footer: send.interactive_footer }),
      buttons: send.interactive_buttons.map(button),
    }),
    said: (send) => ({ type: 'other', text: send.interactive_body }),
  },
};

/**
 * Exactly one of them is present: the contract validates it, and a file inside the request was stored at acceptance.
 */
function sourceOf(url: string | undefined, { media_id: mediaId }: { media_id?: string }): FileSource {
  if (mediaId !== undefined) return { mediaId };
  if (url !== undefined) return { url };
  throw new TypeError('a message with a file has no source');
}

/** A kind with a file is only asked for its content once that file is fetched. */
function needed(file: FetchedFile | undefined): FetchedFile {
  if (!file) throw new TypeError('a message of this kind needs its file');
  return file;
}

/** Drops fields that are empty or absent. */
function present<F extends object>(fields: F): { [K in keyof F]?: NonNullable<F[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as {
    [K in keyof F]?: NonNullable<F[K]>;
  };
}

type Replyable = Pick<
  SendOf<'text'>,
  'quoted_message_id' | 'quoted_participant' | 'quoted_text' | 'forwarded' | 'mentions'
>;

/** Fields of text and media beside their content: a quote, the mark of a forward, mentions. */
function replyOrForward(send: Replyable): {
  quote?: Quote;
  forwarded?: boolean;
  mentions?: readonly string[];
} {
  const { quoted_message_id: messageId, quoted_participant: participant, quoted_text: text } = send;
  return {
    ...(messageId === undefined ? {} : { quote: { messageId, ...present({ participant, text }) } }),
    ...(send.forwarded ? { forwarded: true } : {}),
    ...(send.mentions?.length ? { mentions: send.mentions } : {}),
  };
}

/** The same as fields of an event. */
function replyOrForwardFields(send: Replyable): Partial<EventOf<'message'>> {
  const { quoted_message_id, quoted_participant, quoted_text = '', forwarded, mentions = [] } = send;
  return {
    ...(quoted_message_id !== undefined && {
      quoted_message_id,
      ...present({ quoted_participant }),
      quoted_text,
    }),
    ...(forwarded && { forwarded }),
    ...(mentions.length > 0 && { mentions }),
  };
}

function button(given: SendOf<'interactive'>['interactive_buttons'][number]): InteractiveButton {
  const text = given.display_text;
  switch (given.type) {
    case 'quick_reply':
      return { type: 'quick_reply', text, id: given.id };
    case 'cta_url':
      return { type: 'cta_url', text, url: given.url };
    case 'cta_copy':
      return { type: 'cta_copy', text, copyCode: given.copy_code };
    case 'cta_call':
      return { type: 'cta_call', text, phoneNumber: given.phone_number };
    case 'single_select':
      return { type: 'single_select', text, sections: given.sections };
  }
}

export function mediaOf(send: SendRequest): MediaNeed | undefined {
  return kindOf(send).media?.(send);
}

export function contentOf(send: SendRequest, file: FetchedFile | undefined): OutboundContent {
  return kindOf(send).content(send, file);
}

export function echoContentOf(send: SendRequest): EchoContent {
  return kindOf(send).said(send);
}

interface AnyKind {
  readonly media?: (send: SendRequest) => MediaNeed;
  readonly content: (send: SendRequest, file: FetchedFile | undefined) => OutboundContent;
  readonly said: (send: SendRequest) => EchoContent;
}

/** The compiler cannot follow that a send and the kind of its name belong together. */
function kindOf(send: SendRequest): AnyKind {
  return KINDS[send.kind] as AnyKind;
}
