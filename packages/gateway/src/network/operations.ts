import type { PresencePolicy } from '@parley/contract';
import type { Jid, MediaFile, MessageKey } from './content.ts';
import type { GroupSettings } from './events.ts';

/** Operations on groups. Those that require an admin reject with `refused` otherwise; an unknown group rejects with `not_found`. */
export interface GroupOperations {
  list(): Promise<readonly GroupSummary[]>;
  /** The same groups with everything that the network's one response contains; without members only their count. */
  listDetailed(withMembers: boolean): Promise<readonly GroupOverview[]>;
  /** Must not invent members: the result contains those that the network really added. */
  create(name: string, participants: readonly Jid[]): Promise<Group>;
  /** May answer from the session's own cache, which notifications keep up to date. */
  detail(group: Jid): Promise<Group>;
  /** One result per participant, in order; a refusal for one must not fail the others. */
  changeParticipants(
    group: Jid,
    participants: readonly Jid[],
    action: 'add' | 'remove' | 'promote' | 'demote',
  ): Promise<readonly ParticipantResult[]>;
  rename(group: Jid, name: string): Promise<void>;
  /** An empty description removes it. */
  describe(group: Jid, description: string): Promise<void>;
  /** `null` removes the photo; returns the id of the picture, empty when removed. */
  setPhoto(group: Jid, image: MediaFile | null): Promise<string>;
  inviteCode(group: Jid): Promise<string>;
  /** Creates a new code; the old one must be invalid when this resolves. */
  resetInviteCode(group: Jid): Promise<string>;
  join(code: string): Promise<GroupJoin>;
  /** People who wait for an admin to let them in. */
  joinRequests(group: Jid): Promise<readonly JoinRequest[]>;
  /** One result per person, in order; a refusal for one, or a person who has not asked, must not fail the others. */
  answerJoinRequests(
    group: Jid,
    people: readonly Jid[],
    action: 'approve' | 'reject',
  ): Promise<readonly ParticipantResult[]>;
  /** Leaves absent settings unchanged, and returns all of them. */
  changeSettings(group: Jid, settings: GroupSettings): Promise<Required<GroupSettings>>;
  leave(group: Jid): Promise<void>;
}

export interface GroupJoin {
  readonly group: Jid;
  /** The number is not in the group until an admin approves it. */
  readonly isPending: boolean;
}

export interface JoinRequest {
  readonly jid: Jid;
  /** The phone-number address, where `jid` hides it and the network gives it. */
  readonly phoneJid?: Jid;
  /** Epoch seconds. */
  readonly requestedAt: number;
  /** The network's word for how the person asked, such as `invite_link`. */
  readonly method: string;
}

export interface GroupSummary {
  readonly jid: Jid;
  readonly name: string;
}

export interface Group extends GroupSummary {
  readonly description: string;
  readonly owner?: Jid;
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly announce: boolean;
  readonly locked: boolean;
  readonly participants: readonly GroupParticipant[];
}

export interface GroupOverview extends Omit<Group, 'participants'> {
  readonly size: number;
  readonly participants?: readonly GroupParticipant[];
}

export interface GroupParticipant {
  readonly jid: Jid;
  /** The phone-number address, where `jid` hides it and the network gives it. */
  readonly phoneJid?: Jid;
  readonly isAdmin: boolean;
  readonly isSuperAdmin: boolean;
}

export interface ParticipantResult {
  /** As requested. */
  readonly jid: Jid;
  readonly ok: boolean;
  readonly error?: string;
}

/** People, the own profile and the blocklist. */
export interface ContactOperations {
  /** From the synchronised cache that the driver keeps for this number. Must not query the network. */
  list(): Promise<readonly Contact[]>;
  info(contact: Jid): Promise<UserInfo>;
  /** Rejects with `not_found` when there was never a photo, `refused` when it is hidden from this number. */
  photo(contact: Jid, size: 'preview' | 'full'): Promise<Photo>;
  setAbout(text: string): Promise<void>;
  /** The display name that the number gives itself. */
  setOwnName(name: string): Promise<void>;
  /** Returns the id of the picture; null removes it. Rejects with `malformed` when it is no picture. */
  setOwnPhoto(image: MediaFile | null): Promise<string>;
  blocklist(): Promise<readonly Jid[]>;
  /** Returns the updated list; rejects with `malformed` for accounts in LID mode. */
  changeBlocklist(contact: Jid, action: 'block' | 'unblock'): Promise<readonly Jid[]>;
  /**
   * Both addresses of one person, as far as the network gives them; `who` is either one. Rejects with `not_found` for an unused
   * address.
   */
  identify(who: Jid): Promise<Identity>;
  /**
   * Finds the owner of a username. A required key is a result, not an error. Rejects with `not_found` for an unused username. `chat`
   * of the result is the `chatOf` address of the person.
   */
  findByUsername(username: string, key?: string): Promise<FoundByUsername>;
  /** One result per number, in order. `numbers` are international digits without `+`. */
  lookUp(numbers: readonly string[]): Promise<readonly LookUpResult[]>;
}

export interface Contact {
  readonly jid: Jid;
  readonly firstName: string;
  readonly fullName: string;
  readonly pushName: string;
  readonly businessName: string;
}

export interface Identity {
  /** Phone-number address. */
  readonly jid?: Jid;
  /** Address that hides the number. */
  readonly lid?: Jid;
  /** Without `@`, if the network gives it. */
  readonly username?: string;
}

export type FoundByUsername =
  | (Identity & { readonly kind: 'found'; readonly chat: Jid })
  /** `given`: a key was given, but a wrong one. */
  | { readonly kind: 'guarded'; readonly given: boolean };

export interface UserInfo {
  readonly about: string;
  readonly pictureId: string;
  readonly verifiedName?: string;
  /** Device 0 is the phone. */
  readonly devices: readonly { readonly jid: Jid; readonly device: number }[];
}

export interface Photo {
  readonly id: string;
  readonly url: string;
  readonly type: 'image' | 'preview';
}

export interface LookUpResult {
  readonly number: string;
  /** The account's own number, which may have another spelling. Absent when it is not registered on the network. */
  readonly jid?: Jid;
  readonly verifiedName?: string;
}

/** Broadcast channels. Creating and sending require the number to be an admin: `refused` otherwise. */
export interface ChannelOperations {
  create(channel: { name: string; description?: string; picture?: MediaFile }): Promise<Channel>;
  /** The followed channels, including own ones. */
  list(): Promise<readonly Channel[]>;
  detail(channel: Jid): Promise<Channel>;
  mute(channel: Jid, mute: boolean): Promise<void>;
  /** By JID or by invite code. */
  follow(target: { jid: Jid } | { inviteCode: string }): Promise<Channel>;
  unfollow(channel: Jid): Promise<void>;
  /** Resolves at the network's ack, with the id that the server assigned, if it gives one. */
  send(channel: Jid, message: ChannelMessage): Promise<{ readonly serverId?: number }>;
  /** An empty reaction removes it. */
  react(channel: Jid, serverId: number, messageId: string, reaction: string): Promise<void>;
}

export interface Channel {
  readonly jid: Jid;
  readonly name: string;
  readonly description: string;
  readonly subscriberCount: number;
  readonly inviteCode: string;
}

export interface ChannelMessage {
  readonly messageId: string;
  readonly content:
    | { readonly kind: 'text'; readonly text: string }
    | {
        readonly kind: 'image' | 'video' | 'audio' | 'document';
        readonly file: MediaFile;
        readonly caption?: string;
        readonly fileName?: string;
      };
}

export interface PresenceOperations {
  /**
   * Whether the number appears online: with `auto`, while `isWanted` or a contact is subscribed to. Applies at once and after each
   * reconnect. The caller stores the setting and passes it again after `open`.
   */
  setPolicy(policy: PresencePolicy, isWanted: boolean): void;
  setTyping(chat: Jid, typing: boolean): Promise<void>;
  /** Once per contact: the driver subscribes again after each reconnect. May resolve although no presence ever arrives. */
  subscribe(contact: Jid): Promise<void>;
}

export interface ChatOperations {
  /**
   * Changes a chat for the owner of the number, on all of its devices; no other person is notified. Rejects with `permanent` while the
   * phone has not shared the required keys yet.
   */
  change(chat: Jid, change: ChatChange): Promise<void>;
  /** Sends read receipts to the sender of messages. `writer` is given in groups. Resolves when they are on their way. */
  sendReadReceipts(chat: Jid, messageIds: readonly string[], writer: Jid | null): Promise<void>;
}

export type ChatChange =
  | { readonly type: 'read' | 'archive' | 'pin'; readonly on: boolean }
  /** Epoch ms; -1 for ever, null unmutes. */
  | { readonly type: 'mute'; readonly until: number | null }
  /** With all of its messages. */
  | { readonly type: 'delete' }
  | { readonly type: 'star'; readonly message: MessageKey; readonly on: boolean }
  | { readonly type: 'delete_message'; readonly message: MessageKey };

export interface CallOperations {
  /** Applies to the next call, without reconnecting. The caller stores the setting and passes it again after `open`. */
  setAutoReject(enabled: boolean): void;
}
