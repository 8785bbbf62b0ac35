import type { PresencePolicy } from '@parley/contract';
import type { Jid, MediaFile, MessageKey } from './content.ts';

/** Group calls. Those that only an admin may make reject with `refused` otherwise; an unknown group rejects with `not_found`. */
export interface GroupOperations {
  list(): Promise<readonly GroupSummary[]>;
  /** The same groups with all that the network's one answer tells of them; without members only how many they are. */
  listDetailed(withMembers: boolean): Promise<readonly GroupOverview[]>;
  /** Must not invent members: the answer holds those that the network really added. */
  create(name: string, participants: readonly Jid[]): Promise<Group>;
  /** May answer from the session's own cache, which notifications keep fresh. */
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
  /** `null` removes the photo; answers the id of the picture, empty when removed. */
  setPhoto(group: Jid, image: MediaFile | null): Promise<string>;
  inviteCode(group: Jid): Promise<string>;
  /** Makes a new code; the old one must not work any longer when this resolves. */
  resetInviteCode(group: Jid): Promise<string>;
  join(code: string): Promise<Jid>;
  /** Leaves what is absent as it is. */
  changeSettings(group: Jid, settings: { announce?: boolean; locked?: boolean }): Promise<void>;
  leave(group: Jid): Promise<void>;
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
  /** The phone-number address, where `jid` hides it and the network tells it. */
  readonly phoneJid?: Jid;
  readonly isAdmin: boolean;
  readonly isSuperAdmin: boolean;
}

export interface ParticipantResult {
  /** As it was asked for. */
  readonly jid: Jid;
  readonly ok: boolean;
  readonly error?: string;
}

/** People, the own profile and the blocklist. */
export interface ContactOperations {
  /** From the synchronised cache that the driver keeps for this number. Must not query the network. */
  list(): Promise<readonly Contact[]>;
  info(contact: Jid): Promise<UserInfo>;
  /** Rejects with `not_found` when there never was a photo, `refused` when it is hidden from this number. */
  photo(contact: Jid, size: 'preview' | 'full'): Promise<Photo>;
  setAbout(text: string): Promise<void>;
  /** The name that the number gives itself. */
  setOwnName(name: string): Promise<void>;
  /** Answers the id of the picture; null takes it away. Rejects with `malformed` when it is no picture. */
  setOwnPhoto(image: MediaFile | null): Promise<string>;
  blocklist(): Promise<readonly Jid[]>;
  /** Answers the updated list; rejects with `malformed` for accounts in LID mode. */
  changeBlocklist(contact: Jid, action: 'block' | 'unblock'): Promise<readonly Jid[]>;
  /** Both addresses of one person, as far as the network tells them; `who` is either of them. Rejects with `not_found` when it is nobody's. */
  identify(who: Jid): Promise<Identity>;
  /**
   * Whose username it is. A key may stand in the way, which is no failure. Rejects with `not_found` when it is nobody's. `chat` of the answer
   * is what `chatOf` says of the person.
   */
  findByUsername(username: string, key?: string): Promise<FoundByUsername>;
  /** One answer per number, in order. `numbers` are international digits without `+`. */
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
  /** By the number. */
  readonly jid?: Jid;
  /** By the address that hides the number. */
  readonly lid?: Jid;
  /** Without `@`, where the network tells it. */
  readonly username?: string;
}

export type FoundByUsername =
  | (Identity & { readonly kind: 'found'; readonly chat: Jid })
  /** `given`: there was one, and it is another. */
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
  /** Absent when the number is not registered on the network. */
  readonly jid?: Jid;
  readonly verifiedName?: string;
}

/** Broadcast channels. Creating and sending need the number to be their admin: `refused` otherwise. */
export interface ChannelOperations {
  create(channel: { name: string; description?: string; picture?: MediaFile }): Promise<Channel>;
  /** The channels that the number follows, its own included. */
  list(): Promise<readonly Channel[]>;
  detail(channel: Jid): Promise<Channel>;
  mute(channel: Jid, mute: boolean): Promise<void>;
  /** By JID or by invite code. */
  follow(target: { jid: Jid } | { inviteCode: string }): Promise<Channel>;
  unfollow(channel: Jid): Promise<void>;
  /** Resolves at the network's ack, with the id that the server gave where it tells it. */
  send(channel: Jid, message: ChannelMessage): Promise<{ readonly serverId?: number }>;
  /** An empty reaction takes it back. */
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
   * Whether the number appears online: by itself (`auto`) while `isWanted` or somebody is subscribed to. Applies at once and after each
   * reconnect. The caller keeps the setting and passes it again after `open`.
   */
  setPolicy(policy: PresencePolicy, isWanted: boolean): void;
  setTyping(chat: Jid, typing: boolean): Promise<void>;
  /** Once per contact: the driver subscribes again after each reconnect. May resolve although no presence ever comes. */
  subscribe(contact: Jid): Promise<void>;
}

export interface ChatOperations {
  /**
   * What the owner of the number sees of chats, on all of its devices; nobody else hears of it. Rejects with `permanent` while the phone
   * has not yet shared what that takes.
   */
  change(chat: Jid, change: ChatChange): Promise<void>;
  /** Tells whoever wrote them that messages of a chat were read. `writer` is given in groups. Resolves when it is on its way. */
  tellRead(chat: Jid, messageIds: readonly string[], writer: Jid | null): Promise<void>;
}

export type ChatChange =
  | { readonly type: 'read' | 'archive' | 'pin'; readonly on: boolean }
  /** Epoch ms; -1 for ever, null not at all. */
  | { readonly type: 'mute'; readonly until: number | null }
  /** With all that is in it. */
  | { readonly type: 'delete' }
  | { readonly type: 'star'; readonly message: MessageKey; readonly on: boolean }
  | { readonly type: 'delete_message'; readonly message: MessageKey };

export interface CallOperations {
  /** Applies to the next call, without reconnecting. The caller keeps the setting and passes it again after `open`. */
  setAutoReject(enabled: boolean): void;
}
