/**
 * Content of messages. Plain data that survives a JSON round trip: bytes are base64 text, media are references into the world's
 * media table. Encryption and wire format are the business of other files.
 */

/** A file in the media table. `id` is the SHA-256 of the bytes in hex, so equal files are stored once. */
export interface MediaRef {
  id: string;
  mimetype: string;
  size: number;
  traits?: MediaTraits;
}

/** What the message says of its file; bytes are base64. */
export interface MediaTraits {
  width?: number;
  height?: number;
  thumbnail?: string;
  /** Length of a video or sound. */
  seconds?: number;
  /** It is played while it is downloaded. */
  streamed?: true;
  /** Loudness of a voice message, from 0 to 100 a byte. */
  waveform?: string;
}

/** Reference to the earlier message that this one answers. `sender` is the phone number of its author, where known. */
export interface Quote {
  id: string;
  sender?: string;
  text: string;
}

/** Marks that any bubble may carry. */
export interface BubbleMarks {
  quote?: Quote;
  forwarded?: boolean;
  /** Mentioned numbers. */
  mentions?: string[];
}

/** Preview of a link in the text. */
export interface LinkPreview {
  url: string;
  title: string;
  description?: string;
}

export type MediaContent =
  | { type: 'image'; media: MediaRef; caption?: string; viewOnce?: boolean }
  | { type: 'video'; media: MediaRef; caption?: string; viewOnce?: boolean }
  | { type: 'audio'; media: MediaRef; voice?: boolean; viewOnce?: boolean }
  | { type: 'document'; media: MediaRef; caption?: string; fileName: string }
  | { type: 'sticker'; media: MediaRef };

export interface PollContent {
  type: 'poll';
  name: string;
  options: readonly string[];
  /** 1 is a single choice, 0 is unlimited. */
  selectableCount: number;
  /** Base64, chosen by the author; a wire derives the key of the votes from it. */
  secret: string;
}

export interface ListRow {
  id: string;
  title: string;
  description?: string;
}

export interface ListSection {
  title: string;
  rows: readonly ListRow[];
}

export type Button =
  | { type: 'quick_reply'; text: string; id: string }
  | { type: 'cta_url'; text: string; url: string }
  | { type: 'cta_copy'; text: string; copyCode: string }
  | { type: 'cta_call'; text: string; phoneNumber: string }
  | { type: 'single_select'; text: string; sections: readonly ListSection[] };

export interface InteractiveContent {
  type: 'interactive';
  body: string;
  footer?: string;
  buttons: readonly Button[];
}

export interface ButtonResponseContent {
  type: 'button_response';
  /** The interactive message whose button was pressed. */
  target: string;
  id: string;
  text: string;
  paramsJson?: string;
}

/** Shown as a bubble of its own. */
export type BubbleContent = BubbleMarks &
  (
    | { type: 'text'; text: string; linkPreview?: LinkPreview }
    | MediaContent
    | {
        type: 'location';
        latitude: number;
        longitude: number;
        name?: string;
        address?: string;
        /** Live location, which has no name and no address. */
        live?: true;
      }
    /** Several contacts are one vCard after the other. */
    | { type: 'contact'; displayName: string; vcard: string }
    | PollContent
    | { type: 'group_invite'; group: string; code: string; name: string; caption?: string }
    | InteractiveContent
    | ButtonResponseContent
    | { type: 'disappearing'; seconds: number }
    /** Content unknown to this world; carried, and shown as `other`. `raw` is opaque to the world. */
    | { type: 'other'; raw?: string }
  );

/** Changes an existing bubble. */
export type UpdatingContent =
  /** An empty emoji removes the reaction. */
  | { type: 'reaction'; target: string; emoji: string }
  | { type: 'revoke'; target: string }
  | { type: 'edit'; target: string; text: string }
  /** SHA-256 of each chosen option's text, hex; empty withdraws the vote. */
  | { type: 'poll_vote'; target: string; hashes: string[] };

export type Content = BubbleContent | UpdatingContent;

/** Placeholder for a message that a phone could not decrypt or got no copy of. */
export interface WaitingContent {
  type: 'waiting';
}

export function isMessageUpdate(content: Content): content is UpdatingContent {
  return (
    content.type === 'reaction' ||
    content.type === 'revoke' ||
    content.type === 'edit' ||
    content.type === 'poll_vote'
  );
}

/** The words that a quote or a chat list shows for it. */
export function textOf(content: Content | WaitingContent): string {
  switch (content.type) {
    case 'text':
    case 'edit':
    case 'button_response':
      return content.text;
    case 'image':
    case 'video':
    case 'document':
    case 'group_invite':
      return content.caption ?? '';
    case 'reaction':
      return content.emoji;
    case 'poll':
      return content.name;
    case 'interactive':
      return content.body;
    default:
      return '';
  }
}
