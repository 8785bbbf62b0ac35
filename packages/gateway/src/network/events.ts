import type { InboundContent, Jid, Quote } from './content.ts';

/**
 * Events of the network for a session. `id` is stable: a repeated event has the same id however often it arrives. Durable events
 * (`message`, `receipt`, `poll_vote`, `channel_message`, `group`, `contact`, `contact_linked`, `device_linked`, `chat`) survive a crash of the process
 * at any moment; the others describe the present and are lost with it.
 * Events describe what others do. Of the number's own actions on its phone or another linked device, only messages (`fromMe`) and
 * changes of chats (`chat`) are events; actions of this session cause none.
 * Direct chats and the people in them keep one address for good: the phone number, or the address that hides it where the number was
 * not known at their first event. Members of groups are addressed as the group does.
 */
export type NetworkEvent =
  | MessageEvent
  | ReceiptEvent
  | PollVoteEvent
  | ChannelMessageEvent
  | GroupEvent
  | ContactEvent
  | ContactLinkedEvent
  | DeviceLinkedEvent
  | ChatEvent
  | TypingEvent
  | PresenceEvent
  | CallEvent;

interface Happening {
  readonly id: string;
  /** Epoch seconds, by the network's clock. */
  readonly timestamp: number;
}

/** Attributes that a message of any content may have; absent ones do not apply. */
export interface MessageMarks {
  readonly quote?: Quote;
  /** Mentioned people, in the chat's address form. */
  readonly mentions?: readonly Jid[];
  readonly forwarded?: true;
  /** After how long it disappears from the chat. A message that sets the chat's timer has the new one; 0 turns it off. */
  readonly ephemeralSeconds?: number;
  /** Can be viewed once; where the network shows it to the phone alone, its content is `other`. */
  readonly viewOnce?: true;
}

export interface MessageEvent extends Happening, MessageMarks {
  readonly kind: 'message';
  readonly messageId: string;
  readonly chat: Jid;
  readonly sender: Jid;
  /** Sent by the number itself, from its phone or another linked device. */
  readonly fromMe?: true;
  /** The sender's phone-number address, if the network gives it. */
  readonly senderPhone?: Jid;
  /** The address that hides the sender's number, if the network gives it. */
  readonly senderLid?: Jid;
  /** The sender's username, without `@`, if the network gives it. */
  readonly senderUsername?: string;
  readonly senderName: string;
  readonly isGroup: boolean;
  /** A contact's story. */
  readonly broadcast: boolean;
  readonly content: InboundContent;
}

export interface ReceiptEvent extends Happening {
  readonly kind: 'receipt';
  readonly messageId: string;
  readonly recipient: Jid;
  /** The chat it was sent to, if not the recipient alone. */
  readonly group?: Jid;
  readonly type: 'delivered' | 'read' | 'played';
}

export interface PollVoteEvent extends Happening {
  readonly kind: 'poll_vote';
  readonly pollMessageId: string;
  readonly chat: Jid;
  readonly voter: Jid;
  /** Hex SHA-256 of each chosen option's text; empty when the vote was withdrawn. */
  readonly selectedHashes: readonly string[];
  /** The chosen options as text; absent when the poll's options are not known here. */
  readonly selectedOptions?: readonly string[];
}

export interface ChannelMessageEvent extends Happening {
  readonly kind: 'channel_message';
  readonly channel: Jid;
  readonly serverId: number;
  readonly messageId: string;
  /** Empty when the network's update carries only ids. */
  readonly type: string;
  readonly text: string;
}

/** A change of a group of the number. */
export interface GroupEvent extends Happening {
  readonly kind: 'group';
  readonly group: Jid;
  /** Who did it, in the group's address form; absent for the network itself. */
  readonly by?: GroupPerson;
  readonly change: GroupChange;
}

export interface GroupPerson {
  readonly jid: Jid;
  /** The phone-number address, if the network gives it. */
  readonly phone?: Jid;
}

export type GroupChange =
  /**
   * `joined`: joined through an invite; or the number itself is in a new group, with its `subject`. `left`: left on their own.
   * `join_requested`: asks to be admitted. `join_request_withdrawn`: the request was withdrawn or rejected.
   */
  | {
      readonly type:
        | 'joined'
        | 'left'
        | 'added'
        | 'removed'
        | 'promoted'
        | 'demoted'
        | 'join_requested'
        | 'join_request_withdrawn';
      readonly participants: readonly GroupPerson[];
      readonly subject?: string;
    }
  | { readonly type: 'subject'; readonly subject: string }
  /** Empty when it was removed. */
  | { readonly type: 'description'; readonly description: string }
  | ({ readonly type: 'settings' } & GroupSettings);

/** The changed settings only. */
export interface GroupSettings {
  /** Only admins may write. */
  readonly announce?: boolean;
  /** Only admins may change the group's name and picture. */
  readonly locked?: boolean;
  /** An admin must approve people who join through an invite. */
  readonly joinApproval?: boolean;
  /** Every member may add others. */
  readonly membersAdd?: boolean;
  /** Disappearing timer of its messages; 0: none. */
  readonly ephemeralSeconds?: number;
}

/** A contact of the number has changed its profile. */
export interface ContactEvent extends Happening {
  readonly kind: 'contact';
  readonly contact: Jid;
  readonly change: /** Without an id the picture was taken away. */
    | { readonly type: 'picture'; readonly pictureId?: string }
    | { readonly type: 'about'; readonly about: string };
}

/** The phone number behind a hidden address has become known; events keep the hidden address. */
export interface ContactLinkedEvent extends Happening {
  readonly kind: 'contact_linked';
  readonly lid: Jid;
  readonly jid: Jid;
}

/** Devices that this session did not link were linked to its number. */
export interface DeviceLinkedEvent extends Happening {
  readonly kind: 'device_linked';
  /** Devices of the number now, the phone and this session included. */
  readonly devices: number;
  /** Numbers of the new ones. */
  readonly added: readonly number[];
}

/** The owner changed a chat, on the phone or another linked device, for the own account only. */
export interface ChatEvent extends Happening {
  readonly kind: 'chat';
  readonly chat: Jid;
  readonly change: ChatEventChange;
}

export type ChatEventChange =
  /** `upTo`, epoch seconds: later messages are still unread. */
  | { readonly type: 'read'; readonly on: boolean; readonly upTo?: number }
  | { readonly type: 'archived' | 'pinned'; readonly on: boolean }
  /** Epoch ms; -1 for ever, null when unmuted. */
  | { readonly type: 'muted'; readonly until: number | null }
  /** `cleared`: the chat still exists, and is empty. `upTo`, epoch seconds: later messages are not affected. */
  | { readonly type: 'deleted' | 'cleared'; readonly upTo?: number };

export interface TypingEvent extends Happening {
  readonly kind: 'typing';
  readonly chat: Jid;
  readonly sender: Jid;
  readonly isGroup: boolean;
  readonly typing: boolean;
  readonly media: 'text' | 'audio';
}

export interface PresenceEvent extends Happening {
  readonly kind: 'presence';
  readonly contact: Jid;
  readonly online: boolean;
  /** Epoch seconds; absent when online or hidden. */
  readonly lastSeen?: number;
}

export interface CallEvent extends Happening {
  readonly kind: 'call';
  readonly callId: string;
  readonly from: Jid;
  readonly event: 'offer' | 'terminate';
  readonly video: boolean;
  readonly reason?: string;
  /** For an offer: true when this session's auto-reject has ended it. */
  readonly rejected: boolean;
}

/** Prefix of the ids of all receipts for a message. */
export function receiptsOf(messageId: string): string {
  return `receipt/${messageId}/`;
}
