import type { InboundContent, Jid, Quote } from './content.ts';

/**
 * What the network tells a session. `id` names the event for ever: the same happening has the same id however often it comes.
 * Durable events (`message`, `receipt`, `poll_vote`, `channel_message`, `group`, `contact`, `contact_linked`, `chat`) survive a crash of the process at any moment; the others
 * describe the present and are lost with it.
 *
 * Everything is told from the outside. Of what the number itself does with its phone or another linked device, messages are events (`fromMe`) and
 * so is what it does with chats (`chat`), and nothing else is; what this session sends or does makes none.
 * Direct chats and the people in them have one name for good: the phone number, or the address that hides it where the number was not known
 * when they were first told. Members of groups are named as the group does.
 */
export type NetworkEvent =
  | MessageEvent
  | ReceiptEvent
  | PollVoteEvent
  | ChannelMessageEvent
  | GroupEvent
  | ContactEvent
  | ContactLinkedEvent
  | ChatEvent
  | TypingEvent
  | PresenceEvent
  | CallEvent;

interface Happening {
  readonly id: string;
  /** Epoch seconds, by the network's clock. */
  readonly timestamp: number;
}

/** What a message of any content may carry. Absent is what does not apply. */
export interface MessageMarks {
  readonly quote?: Quote;
  /** Whom it names, as the chat addresses its people. */
  readonly mentions?: readonly Jid[];
  readonly forwarded?: true;
  /** After how long it disappears from the chat. When it sets the chat's timer, the new one; 0 turns it off. */
  readonly ephemeralSeconds?: number;
  /** It may be seen once; where the network shows it to the phone alone, its content is `other`. */
  readonly viewOnce?: true;
}

export interface MessageEvent extends Happening, MessageMarks {
  readonly kind: 'message';
  readonly messageId: string;
  readonly chat: Jid;
  readonly sender: Jid;
  /** The number itself wrote it, with its phone or another linked device. */
  readonly fromMe?: true;
  /** The sender's phone-number address, when the network tells it. */
  readonly senderPhone?: Jid;
  /** The address that hides the sender's number, when the network tells it. */
  readonly senderLid?: Jid;
  /** The sender's username, without `@`, when the network tells it. */
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
  /** Where it was sent to, when that was not the recipient alone. */
  readonly group?: Jid;
  readonly type: 'delivered' | 'read' | 'played';
}

export interface PollVoteEvent extends Happening {
  readonly kind: 'poll_vote';
  readonly pollMessageId: string;
  readonly chat: Jid;
  readonly voter: Jid;
  /** Hex SHA-256 of each chosen option's text; empty when the vote was taken back. */
  readonly selectedHashes: readonly string[];
  /** The same as the poll words them; absent when its options are not known here. */
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

/** Something about a group of the number has changed. */
export interface GroupEvent extends Happening {
  readonly kind: 'group';
  readonly group: Jid;
  /** Who did it, as the group addresses its members; absent where it was the network. */
  readonly by?: GroupPerson;
  readonly change: GroupChange;
}

export interface GroupPerson {
  readonly jid: Jid;
  /** The phone-number address, when the network tells it. */
  readonly phone?: Jid;
}

export type GroupChange =
  /**
   * `joined`: came in by themselves, by an invite; or the number itself is in a group that it was not in, with its `subject`. `left`: went by
   * themselves. `join_requested`: asks to be let in. `join_request_withdrawn`: asks no more, or was turned down.
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
  /** Empty when it was taken away. */
  | { readonly type: 'description'; readonly description: string }
  | ({ readonly type: 'settings' } & GroupSettings);

/** Those that have changed. */
export interface GroupSettings {
  /** Only admins may write. */
  readonly announce?: boolean;
  /** Only admins may change what the group is called and looks like. */
  readonly locked?: boolean;
  /** Who comes by an invite has to be let in by an admin. */
  readonly joinApproval?: boolean;
  /** Every member may add others. */
  readonly membersAdd?: boolean;
  /** The timer of its messages; 0: none. */
  readonly ephemeralSeconds?: number;
}

/** Somebody whom the number knows has changed what they show of themselves. */
export interface ContactEvent extends Happening {
  readonly kind: 'contact';
  readonly contact: Jid;
  readonly change: /** Without an id the picture was taken away. */
    | { readonly type: 'picture'; readonly pictureId?: string }
    | { readonly type: 'about'; readonly about: string };
}

/** The number of somebody has become known who was told by the address that hides it, and goes on to be. */
export interface ContactLinkedEvent extends Happening {
  readonly kind: 'contact_linked';
  readonly lid: Jid;
  readonly jid: Jid;
}

/** The owner of the number did something with a chat, on the phone or another linked device, for themselves alone. */
export interface ChatEvent extends Happening {
  readonly kind: 'chat';
  readonly chat: Jid;
  readonly change: ChatEventChange;
}

export type ChatEventChange =
  /** `upTo`, epoch seconds: what came later is still unread. */
  | { readonly type: 'read'; readonly on: boolean; readonly upTo?: number }
  | { readonly type: 'archived' | 'pinned'; readonly on: boolean }
  /** Epoch ms; -1 for ever, null when it no longer is. */
  | { readonly type: 'muted'; readonly until: number | null }
  /** `cleared`: the chat is still there, and empty. `upTo`, epoch seconds: what came later is not meant. */
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
  /** Of an offer: true when this session's own auto-reject has ended it. */
  readonly rejected: boolean;
}
