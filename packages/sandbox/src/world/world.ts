import type { BubbleMarks, Content, MediaContent, MediaRef } from './content.ts';
import type { Forwarded, MailboxItem, NewsKind } from './items.ts';
import type { Passkeys } from './passkeys/types.ts';
import type { Sanctions, Standing } from './standing/types.ts';
import type {
  Actor,
  Bubble,
  Call,
  Channel,
  ChannelMessage,
  Chat,
  ClientVersion,
  Contact,
  FaultOrder,
  FollowedChannel,
  Group,
  LinkedDevice,
  LoginRefusal,
  ParticipantAction,
  ParticipantResult,
  Person,
  Phone,
  PhoneNumber,
  PhoneSettings,
  Photo,
  ReceiptType,
  SessionId,
  TypingMedia,
} from './types.ts';

/**
 * The virtual network. Every method that changes something is one transaction: it happens whole or, with a `WorldError`,
 * not at all. News for linked devices is in their mailboxes before the method returns; attached listeners get it in a
 * microtask after that, so the caller can answer first (an ack leaves before its receipts). A listener may call the world
 * and must not throw.
 *
 * Addresses (`to`, `jid`, `who`) may be a number with or without `+`, `<phone>[:<device>]@s.whatsapp.net` or `<lid>@lid`.
 */
export interface World {
  phones: Phones;
  devices: Devices;
  mailboxes: Mailboxes;
  messages: Messages;
  awaited: Awaited;
  chatStates: ChatStates;
  tokens: Tokens;
  addressRules: AddressRules;
  groups: Groups;
  channels: Channels;
  contacts: Contacts;
  blocklists: Blocklists;
  photos: Photos;
  presence: Presence;
  calls: Calls;
  media: MediaTable;
  faults: Faults;
  sanctions: Sanctions;
  standing: Standing;
  clients: Clients;
  passkeys: Passkeys;
  vault: Vault;
  /** Runs several actions as one transaction (all or none) and one commit. Not for asynchronous work. */
  transaction<T>(run: () => T): T;
  close(): void;
}

export interface Phones {
  /** `conflict` when the number is taken. */
  create(phone: PhoneNumber, settings: { name: string } & Partial<PhoneSettings>): Phone;
  /** `not_found` when nobody has the number. */
  get(phone: PhoneNumber): Phone;
  list(): Phone[];
  /** Whom an address means; undefined when it is nobody on this network. */
  find(address: string): Phone | undefined;
  update(actor: Actor, changes: Partial<PhoneSettings>): Phone;
  person(phone: PhoneNumber): Person;
  /** Device numbers of a person, 0 (the phone itself) first. */
  deviceNumbers(phone: PhoneNumber): number[];
}

export interface Devices {
  /** Makes a linked device of the phone and chooses its number. */
  link(phone: PhoneNumber, identity: Uint8Array): LinkedDevice;
  get(sessionId: SessionId): LinkedDevice | undefined;
  of(phone: PhoneNumber): LinkedDevice[];
  /** Replaces the opaque identity. */
  keep(sessionId: SessionId, identity: Uint8Array): void;
  /** By the phone or by the device itself. Its mailbox is gone and whoever is attached gets `closed('unlinked')`. */
  unlink(sessionId: SessionId): void;
}

/** Why an attachment ended other than by its own `detach`. */
export type CloseReason = 'replaced' | 'unlinked' | 'fault' | 'world_closed';

export interface MailboxListener {
  item(item: MailboxItem): void;
  /** With the number that the network gives as its reason, where a fault orders one. */
  closed(reason: CloseReason, code?: number): void;
}

export interface Attachment {
  /** How many items were waiting. */
  readonly backlog: number;
  /** Asks for what waits; nothing is handed over before. */
  start(): void;
  detach(): void;
}

export interface Mailboxes {
  /**
   * Takes the device's mailbox; an earlier attachment is closed as `replaced`. After `start`, items come in order, waiting
   * ones first, each until it is acknowledged: not acknowledged, it comes again to the next attachment, under the same id.
   * At most a window of 1,000 unacknowledged items is handed over. `not_found` when the device is not linked (any more).
   */
  attach(sessionId: SessionId, listener: MailboxListener): Attachment;
  /** Unknown and volatile ids are ignored. */
  acknowledge(sessionId: SessionId, ...itemIds: number[]): void;
  waiting(sessionId: SessionId): number;
  /** The same, by what it is; without what goes stale. */
  waitingByKind(sessionId: SessionId): Map<NewsKind, number>;
  /** Puts something that another device said into the mailbox; the link layer keeps its bytes under the id of the item. */
  forward(sessionId: SessionId, said: Forwarded): number;
}

export interface SendOrder {
  /** Chosen by the sender; a second send under the same id in the same chat is a duplicate. */
  id: string;
  /** A person's address, a group's JID, or `status@broadcast`. */
  to: string;
  content: Content;
  /** `status@broadcast` only: whose eyes it is for. Without it, the sender's contacts. Unknown addresses are passed over. */
  audience?: string[];
}

/** The outside of a message that a linked device sends: all that the network sees of it. */
export interface Outside {
  id: string;
  to: string;
  /** `status@broadcast` only: whose eyes it is for. Unknown addresses are passed over. */
  audience: readonly string[];
  /** A reaction or a vote, which members may send where only admins may write. */
  needsNoVoice: boolean;
}

/** Where a message goes: into which chat, to whom besides its author, and for how long. */
export interface Route {
  readonly chat: string;
  readonly recipients: readonly PhoneNumber[];
  readonly expiresInSeconds: number;
}

/** What a phone made of its own copy of a message. */
export type Reading =
  /** Without content it says nothing to people. */
  | { kind: 'read'; content: Content | undefined }
  /** There was a copy, and the phone has not the key to it; the sender may have asked not to show that. */
  | { kind: 'unreadable'; hidden: boolean }
  | { kind: 'missing' };

export interface CarryOrder {
  id: string;
  /** As the device addressed it. */
  to: string;
  /** Of every phone that it came to, or should have. */
  readings: ReadonlyMap<PhoneNumber, Reading>;
}

export interface SendResult {
  id: string;
  at: number;
  /** The network had this id already; receivers drop the copy. */
  duplicate: boolean;
}

export interface Messages {
  /**
   * Errors: `not_registered` (nobody has that number), `not_found` (group, or the message to edit, revoke or vote on),
   * `forbidden` (not a member, announce-only, not the author, no admin, blocked by the sender, too late to edit), `bad_request`.
   * To somebody who blocked the sender it is accepted and never arrives, as on a real network.
   */
  send(actor: Actor, order: SendOrder): SendResult;
  /**
   * Where a message of a linked device goes, as far as the network can tell from its outside. Errors: `not_registered`, `not_found` (no
   * such group), `forbidden` (not a member, announce-only, blocked by the sender), `bad_request`.
   */
  route(actor: Actor, outside: Outside): Route;
  /**
   * Brings a message of a linked device to the phones: each shows what it could read, or that it waits, and asks for what it could not
   * read. What a phone does not let others do, such as editing what somebody else wrote, it passes over. Answers when it was sent.
   */
  carry(device: LinkedDevice, route: Route, order: CarryOrder): number;
  /** A fresh id in the shape that phones use. */
  newId(): string;
  /** A fresh secret for a poll. */
  newSecret(): string;
  /** Passes on that `actor` got, read or played messages. Unknown ids and repeated receipts are passed over. */
  receipt(actor: Actor, ids: string[], type: ReceiptType): void;
  /** The same from a phone's owner: `not_found` when the phone has no such message, `bad_request` when it cannot be played. */
  mark(phone: PhoneNumber, id: string, type: 'read' | 'played'): void;
  vote(phone: PhoneNumber, pollId: string, options: string[]): SendResult;
  pressButton(phone: PhoneNumber, messageId: string, buttonId: string): SendResult;
  /**
   * What the phone shows, oldest first; with `chat` only that conversation, with `limit` only the newest so many. Channels
   * are read with `channels.messages`.
   */
  seenBy(phone: PhoneNumber, filter?: { chat?: string; limit?: number }): Bubble[];
  /** One bubble that this person has, by its id. */
  find(phone: PhoneNumber, id: string): Bubble | undefined;
}

/** What a phone's owner, or a linked device in their name, does with a chat for themselves alone. */
export type ChatChange =
  | { type: 'archive' | 'pin' | 'unread'; on: boolean }
  /** Milliseconds; -1 for ever, null not at all. */
  | { type: 'mute'; until: number | null }
  | { type: 'delete' }
  | { type: 'star'; messageId: string; on: boolean }
  | { type: 'delete_message'; messageId: string };

export interface ChatState {
  chat: Chat;
  archived: boolean;
  pinned: boolean;
  mutedUntil: number | undefined;
  unread: boolean;
  deletedAt: number | undefined;
}

export interface ChatStates {
  /** Errors: `not_registered`, `not_found` (no such message on the phone). */
  change(actor: Actor, chat: string, change: ChatChange): void;
  /** Chats of the phone that anything was ever done with. */
  of(phone: PhoneNumber): ChatState[];
}

/** Messages that a phone could not read: it shows that it waits for them, and asks the device that sent them to send them again. */
export interface Awaited {
  /** The request waits in the sender's mailbox until it is acknowledged. After five for one message there are no more. */
  ask(phone: PhoneNumber, sender: LinkedDevice, message: { id: string; to: string }): void;
  /** The phone could read it now, or had it already. */
  came(phone: PhoneNumber, sender: LinkedDevice, id: string): void;
  /** How many messages a phone has asked for. */
  by(phone: PhoneNumber): number;
}

/** What lets somebody write to a person who has not written to them first. */
export interface Tokens {
  /** `actor` trusts `to` from now on, whose linked devices are given the token. Asked again within a week, it is the same token. */
  issue(actor: Actor, to: string): void;
  /** How often the devices of this person asked the network to issue a token. */
  requestsOf(phone: PhoneNumber): number;
  /** What others gave to this person, by their numbers: of each the newest that is still good. */
  heldBy(phone: PhoneNumber): Map<PhoneNumber, { token: Uint8Array; at: number }>;
  /** Whether `recipient` gave `sender` this token within the last four weeks. */
  isTrusted(sender: PhoneNumber, recipient: PhoneNumber, token: Uint8Array): boolean;
  /** Whether it is what `sender` computes from the own salt for a first word to `recipient`. */
  isFirstContact(sender: PhoneNumber, recipient: PhoneNumber, token: Uint8Array): boolean;
  /** The salt of this account's tokens for first contacts; made on first use, then the same for ever. */
  nctSalt(phone: PhoneNumber): Uint8Array;
}

/** The errors with which the network answers messages that are addressed in a way that it does not accept (any more). */
export interface AddressRules {
  /** `trusted` and `firstContact` are the tokens that came with a direct message. */
  refusesMessage(
    sender: Actor,
    to: string,
    tokens: { trusted: Uint8Array | undefined; firstContact: Uint8Array | undefined },
  ): number | undefined;
  refusesStory(sender: Actor, audience: readonly string[]): number | undefined;
}

export interface Groups {
  /** Participants that cannot be added are left out; see `results`. */
  create(
    actor: Actor,
    order: { name: string; participants: string[] },
  ): { group: Group; results: ParticipantResult[] };
  /** `not_found`; `forbidden` for those who are not in it. */
  get(actor: Actor, jid: string): Group;
  /** Every group the person is in. */
  of(phone: PhoneNumber): Group[];
  participants(actor: Actor, jid: string, action: ParticipantAction, who: string[]): ParticipantResult[];
  rename(actor: Actor, jid: string, name: string): void;
  describe(actor: Actor, jid: string, description: string): void;
  setAnnounce(actor: Actor, jid: string, announce: boolean): void;
  setLocked(actor: Actor, jid: string, locked: boolean): void;
  /** Kept and told. Nobody asks to be let in on this network yet: who has the invite is in. */
  setJoinApproval(actor: Actor, jid: string, on: boolean): void;
  setEverybodyAdds(actor: Actor, jid: string, on: boolean): void;
  setDisappearing(actor: Actor, jid: string, seconds: number): void;
  inviteCode(actor: Actor, jid: string): string;
  resetInviteCode(actor: Actor, jid: string): string;
  /** What an invite shows before joining. `not_found` for a code that is unknown or was reset. */
  byInvite(code: string): Group;
  join(actor: Actor, code: string): Group;
  leave(actor: Actor, jid: string): void;
}

export interface Channels {
  create(actor: Actor, order: { name: string; description: string; picture?: Uint8Array }): FollowedChannel;
  /** By JID, invite code or invite link. */
  get(reference: string): Channel;
  /** The channel as this person knows it; undefined when they do not follow it. */
  followed(phone: PhoneNumber, jid: string): FollowedChannel | undefined;
  followedBy(phone: PhoneNumber): FollowedChannel[];
  follow(actor: Actor, reference: string): FollowedChannel;
  unfollow(actor: Actor, jid: string): void;
  mute(actor: Actor, jid: string, muted: boolean): void;
  /** Only its owner may. A repeated id answers with the first message. */
  send(actor: Actor, jid: string, order: { id: string; content: ChannelContent }): ChannelMessage;
  /** An empty emoji takes the reaction back. */
  react(actor: Actor, jid: string, serverId: number, emoji: string): void;
  /** The latest, oldest first. */
  messages(jid: string, limit: number, beforeServerId?: number): ChannelMessage[];
}

export type ChannelContent = ({ type: 'text'; text: string } | MediaContent) & BubbleMarks;

export interface Contacts {
  list(phone: PhoneNumber): Contact[];
  save(actor: Actor, entry: { phone: PhoneNumber; firstName: string; fullName: string }): Contact;
  remove(actor: Actor, phone: PhoneNumber): void;
}

/** All of it is a `bad_request` for accounts in lid mode. */
export interface Blocklists {
  of(phone: PhoneNumber): Person[];
  block(actor: Actor, who: string): Person[];
  unblock(actor: Actor, who: string): Person[];
}

export interface Photos {
  /** Of oneself, or of a group (its JID). Without bytes the photo is taken away. */
  set(actor: Actor, target: string, bytes: Uint8Array | undefined): string | undefined;
  /** `not_found` when never set, `forbidden` when hidden from this viewer. */
  get(viewer: PhoneNumber, target: string, type: Photo['type']): Photo;
  /** Id of the photo of a phone number, a group or a channel; undefined when there is none. */
  idOf(owner: string): string | undefined;
  /** For whoever serves the public address of a photo. */
  byId(id: string): Photo | undefined;
}

export interface Presence {
  set(actor: Actor, presence: { online: boolean; lastSeenAt?: number }): void;
  /**
   * Lasts until the device attaches anew. Without prior interaction it is accepted and nothing ever comes; nor does anything while the device
   * is not available.
   */
  subscribe(device: LinkedDevice, who: string): void;
  /** Clears itself after 25 seconds. Of linked devices only those that are available hear of it. */
  typing(actor: Actor, to: string, state: { typing: boolean; media: TypingMedia }): void;
  /** Who is typing to this person right now. */
  typingTo(phone: PhoneNumber): { chat: Chat; person: Person; media: TypingMedia }[];
}

export interface Calls {
  /** Rings for a minute unless one side ends it; then the network does, for the reason `timeout`. */
  offer(actor: Actor, to: string, options: { video: boolean; callId?: string }): Call;
  /** By either side. `gone` when it is over already. */
  terminate(actor: Actor, callId: string, reason?: string): Call;
  /** By the one who is called. */
  reject(actor: Actor, callId: string): Call;
  of(phone: PhoneNumber): Call[];
}

export interface MediaTable {
  put(bytes: Uint8Array, mimetype: string): MediaRef;
  read(id: string): Uint8Array | undefined;
}

export interface Faults {
  /**
   * `disconnect` closes the present attachment at once, refuses the link for `ms`, and cuts `count` links in all. `refuse_login` closes it too,
   * and refuses the next `count` logins, and all of them for `ms`. `stream_error` ends the present attachment, then logins, `count` in all.
   * `deaf` begins with the present attachment, and meets `count` in all.
   */
  arm(sessionId: SessionId, order: FaultOrder): void;
  /** Asked once per login, which is counted: why this one must be refused, be it for a fault or for a sanction. */
  refusesLogin(sessionId: SessionId): LoginRefusal | undefined;
  /** Asked once per login that is not refused: the number with which the network ends it nevertheless. */
  endsLogin(sessionId: SessionId): number | undefined;
  /** Asked once per outgoing message; uses up one count of the oldest armed fault. */
  takeForSend(sessionId: SessionId): FaultOrder | undefined;
  /** Asked once per answer to a question; uses up one count of the oldest armed `slow`. */
  takeForAnswer(sessionId: SessionId): FaultOrder | undefined;
  /** Asked once per file; true when it must not be had. */
  takeForDownload(sessionId: SessionId): boolean;
  /** Asked once per message on its way to the device; true when it must not be readable. */
  takeForDelivery(sessionId: SessionId): boolean;
  /** Asked once per login that is let in: whether all that is said on this connection is lost. */
  deafens(sessionId: SessionId): boolean;
  /** Whether the present connection of the device is deaf. */
  isDeaf(sessionId: SessionId): boolean;
  /** By how many milliseconds each answer to this device is late at this moment. */
  lateness(sessionId: SessionId): number;
}

/** What the network demands of the programs that connect to it. */
export interface Clients {
  versions(): ClientVersions;
  /** Takes the place of what was demanded before. */
  demand(versions: ClientVersions): void;
}

export interface ClientVersions {
  /** Older ones are refused; without it nobody is. */
  minimum?: ClientVersion;
  /** What they are told is the newest; without it, the one that this network is built for. */
  current?: ClientVersion;
}

/** A durable drawer for the link layer's own things (keys, ratchets); the world never looks inside. */
export interface Vault {
  read(scope: string, key: string): Uint8Array | undefined;
  write(scope: string, key: string, value: Uint8Array): void;
  erase(scope: string, key: string): void;
  eraseScope(scope: string): void;
  /** In the order of their keys. */
  entries(scope: string, limit?: number): { key: string; value: Uint8Array }[];
}
