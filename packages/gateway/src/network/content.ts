/** A network address: `<digits>@s.whatsapp.net`, `<id>@lid`, `<id>@g.us`, `<id>@newsletter`, without device suffix. */
export type Jid = string;

/** A file on the gateway's own disk, downloaded and checked before the driver gets it. */
export interface MediaFile {
  readonly path: string;
  readonly size: number;
  readonly mimetype: string;
}

/** Phones record Opus in Ogg, and play only that as a voice message. */
export function isVoice({ mimetype }: MediaFile): boolean {
  return mimetype === 'audio/ogg; codecs=opus';
}

/** Identifies another message: the target of a reply, reaction, edit or revoke. */
export interface MessageKey {
  readonly messageId: string;
  /** Sent by this number. */
  readonly fromMe: boolean;
  /** The original sender; required in groups for messages of others. */
  readonly participant?: Jid;
}

export interface Quote {
  readonly messageId: string;
  readonly participant?: Jid;
  readonly text?: string;
}

export interface OutboundMessage {
  /** Assigned when the send was accepted; the network carries exactly this id. */
  readonly messageId: string;
  /** A chat; stories (`status`) have no recipient and go to the number's own contacts. */
  readonly to?: Jid;
  readonly content: OutboundContent;
  /** When the send was accepted; absent when unknown. */
  readonly acceptedAt?: number;
}

interface Replyable {
  readonly quote?: Quote;
  readonly forwarded?: boolean;
  /** Mentioned people. The driver uses the chat's address form for them, and for `@<digits>` in the text or caption. */
  readonly mentions?: readonly Jid[];
}

/** Preview of a link in a text, as the caller gives it. */
export interface LinkPreview {
  readonly url: string;
  readonly title: string;
  readonly description?: string;
}

export type OutboundContent =
  | ({ readonly kind: 'text'; readonly text: string; readonly linkPreview?: LinkPreview } & Replyable)
  | ({ readonly kind: 'image' | 'video'; readonly file: MediaFile; readonly caption?: string } & Replyable)
  | ({ readonly kind: 'audio'; readonly file: MediaFile } & Replyable)
  | ({
      readonly kind: 'document';
      readonly file: MediaFile;
      readonly fileName: string;
      readonly caption?: string;
    } & Replyable)
  | { readonly kind: 'sticker'; readonly file: MediaFile }
  | {
      readonly kind: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
      readonly address?: string;
    }
  | { readonly kind: 'contact'; readonly displayName: string; readonly vcard: string }
  /** An empty emoji removes the reaction. */
  | { readonly kind: 'reaction'; readonly target: MessageKey; readonly emoji: string }
  | { readonly kind: 'revoke'; readonly target: MessageKey }
  | { readonly kind: 'edit'; readonly targetId: string; readonly text: string }
  | {
      readonly kind: 'poll';
      readonly name: string;
      readonly options: readonly string[];
      /** 0 means any number of choices. */
      readonly selectableCount: number;
    }
  /** A setting of the chat; 0 turns it off. */
  | { readonly kind: 'disappearing'; readonly seconds: 0 | 86_400 | 604_800 | 7_776_000 }
  | { readonly kind: 'status_text'; readonly text: string }
  | {
      readonly kind: 'status_media';
      readonly media: 'image' | 'video';
      readonly file: MediaFile;
      readonly caption?: string;
    }
  /** The driver fetches the invite code and the name of the group; refused unless the number is its admin. */
  | { readonly kind: 'group_invite'; readonly group: Jid; readonly caption?: string }
  | {
      readonly kind: 'interactive';
      readonly body: string;
      readonly footer?: string;
      readonly buttons: readonly InteractiveButton[];
    };

/** True for content whose refusal may concern the other message instead of the recipient. */
export function isAboutAnotherMessage({ kind }: OutboundContent): boolean {
  return kind === 'reaction' || kind === 'revoke' || kind === 'edit';
}

/** Deletion of another person's message, which requires an admin of the group. */
export function deletesForeign(content: OutboundContent): boolean {
  return content.kind === 'revoke' && !content.target.fromMe;
}

export type InteractiveButton =
  | { readonly type: 'quick_reply'; readonly text: string; readonly id: string }
  | { readonly type: 'cta_url'; readonly text: string; readonly url: string }
  | { readonly type: 'cta_copy'; readonly text: string; readonly copyCode: string }
  | { readonly type: 'cta_call'; readonly text: string; readonly phoneNumber: string }
  | { readonly type: 'single_select'; readonly text: string; readonly sections: readonly SelectSection[] };

export interface SelectSection {
  readonly title: string;
  readonly rows: readonly { readonly id: string; readonly title: string; readonly description?: string }[];
}

/** Where inbound media can be downloaded; plain JSON, so that it survives in the journal. Opaque outside the driver. */
export interface MediaRef {
  readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  readonly token: string;
}

export interface InboundMedia {
  readonly ref: MediaRef;
  readonly mimetype: string;
  readonly fileName?: string;
  /** As the sender claims. */
  readonly size: number;
}

export type InboundContent =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
      readonly media: InboundMedia;
      readonly caption?: string;
    }
  | {
      readonly kind: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
      readonly address?: string;
      /** It moves with the sender; this is where they were when they started sharing. */
      readonly live?: true;
    }
  | { readonly kind: 'reaction'; readonly targetId: string; readonly emoji: string }
  /** With `editedId`: what the poll of that message is from now on. */
  | (PollContent & { readonly editedId?: string })
  | {
      readonly kind: 'button_response';
      readonly selectedId: string;
      readonly selectedText: string;
      readonly paramsJson?: string;
    }
  /** Any other visible content; `text` where the network gives one: an edit has the new text, a revoke none. */
  | {
      readonly kind: 'other';
      readonly text: string;
      /** The message whose text this one replaces. */
      readonly editedId?: string;
      /** The message that this one revokes for everyone. */
      readonly revokedId?: string;
      /** Revoked by an admin of the group, for any sender; the network has checked that. */
      readonly revokedByAdmin?: true;
      /** Claims to edit or revoke another sender's message; the network has not checked that. */
      readonly changesAnothers?: true;
      readonly contacts?: readonly ContactCard[];
      readonly eventResponse?: EventResponse;
      /** An update of a message whose content could not be decrypted. */
      readonly unreadable?: { readonly update: UpdateKind; readonly targetId: string };
      /** A message whose content no linked device gets. */
      readonly unavailable?: UnavailableReason;
    };

/**
 * Why a message came without content: to be viewed once on the phone; of a business whose host reads along, or of a
 * bot, which go to the phone alone; or the phone was asked for it and did not send it.
 */
export type UnavailableReason = 'view_once' | 'hosted' | 'bot' | 'not_resent';

export interface PollContent {
  readonly kind: 'poll';
  readonly name: string;
  readonly options: readonly string[];
  readonly selectableCount: number;
}

/** Answer to an event that was planned in a chat. */
export interface EventResponse {
  readonly targetId: string;
  readonly response: 'going' | 'not_going' | 'maybe' | 'unknown';
  /** People whom the sender brings along. */
  readonly extraGuests: number;
}

/** Updates of messages that senders encrypt once more, under a secret of the message. */
export type UpdateKind =
  | 'edit'
  | 'event_edit'
  | 'poll_edit'
  | 'poll_option'
  | 'comment'
  | 'reaction'
  | 'event_response'
  | 'unknown';

export interface ContactCard {
  readonly name: string;
  /** International digits where the card names the number on the network, otherwise as written there. */
  readonly phones: readonly string[];
  readonly vcard: string;
}
