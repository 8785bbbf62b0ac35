import type { Content, WaitingContent } from './messages/content.ts';

/** The world's only sense of time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  after(ms: number, run: () => void): { cancel(): void };
}

/** The world's only source of chance. */
export interface Random {
  bytes(count: number): Uint8Array;
}

export type WorldErrorCode =
  | 'bad_request'
  | 'forbidden'
  | 'not_found'
  | 'not_registered'
  | 'conflict'
  /** It was there and is over: an expired QR, an ended call. */
  | 'gone';

/** A rule of the network said no. The message is one plain sentence, fit to be shown. */
export class WorldError extends Error {
  readonly code: WorldErrorCode;

  constructor(code: WorldErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'WorldError';
    this.code = code;
  }
}

/** A phone number in international form, digits only. It is the key of a person. */
export type PhoneNumber = string;

/** `<phone>:<device>@s.whatsapp.net`: the name of a linked device here and the session id of a gateway. */
export type SessionId = string;

/** Who acts: a person by their phone (device 0) or by one of their linked devices. A `LinkedDevice` is one. */
export interface Actor {
  phone: PhoneNumber;
  device: number;
}

/** A person as others get to know them. `lid` is the digits of the alternate address. */
export interface Person {
  phone: PhoneNumber;
  lid: string;
  /** Push name. */
  name: string;
  /** Goes by the LID everywhere, as in the specification's rule for blocklists. */
  lidMode: boolean;
  /** Which address the network uses for this person in direct chats, receipts, typing, presence and calls. */
  addressing: Addressing;
  /** Without `@`; undefined while they have none. */
  username?: string | undefined;
  /** The network tells nobody the number: others know the LID alone. */
  hidesPhone?: boolean | undefined;
}

/** By the LID, by the number, or by turns, as in the months in which an account is moved from the one to the other. */
export type Addressing = 'lid' | 'pn' | 'mixed';

export interface PhoneSettings {
  name: string;
  about: string;
  businessName: string | undefined;
  /** Reads every message the moment it arrives. */
  autoRead: boolean;
  /** The profile photo is visible to nobody else. */
  hidesPhoto: boolean;
  lidMode: boolean;
  /** LID mode, and a number that is hidden, make it `lid`. */
  addressing: Addressing;
  username: string | undefined;
  /** Four digits that whoever looks the username up has to know; undefined: nobody has to. */
  usernameKey: string | undefined;
  hidesPhone: boolean;
  /** Nothing is linked to this phone before its passkey was used. */
  requiresPasskey: boolean;
  /** The host that its passkeys are bound to, with all that is below it. */
  passkeyRpId: string;
}

export interface Phone extends PhoneSettings {
  phone: PhoneNumber;
  lid: string;
  online: boolean;
  /** Milliseconds; undefined while never seen. */
  lastSeenAt: number | undefined;
  /** Second copies of messages that this phone threw away. */
  duplicatesDropped: number;
  /** Milliseconds until the network lets its linked devices in again; undefined while it is not banned. */
  bannedUntil: number | undefined;
  /** The network lets its linked devices in no more. */
  locked: boolean;
  createdAt: number;
}

export interface LinkedDevice extends Actor {
  sessionId: SessionId;
  /** Whatever the link layer stored at pairing. */
  identity: Uint8Array;
  linkedAt: number;
  /** Somebody is attached to its mailbox. */
  attached: boolean;
  /** How often it has asked to be let in, refused or not. */
  logins: number;
  /** Milliseconds; undefined while it never did. */
  lastLoginAt: number | undefined;
}

/** A chat as one of its members sees it; `jid` is the address this network uses for it. */
export type Chat =
  | { kind: 'direct'; jid: string; person: Person }
  | { kind: 'group'; jid: string }
  | { kind: 'status'; jid: string };

/** A message as handed to one person. */
export interface Message {
  id: string;
  chat: Chat;
  sender: Person;
  senderDevice: number;
  /** The receiver is its author, on another device. */
  fromMe: boolean;
  at: number;
  content: Content;
  /** The chat's disappearing timer when it was sent; 0 for none. */
  expiresInSeconds: number;
}

export type ReceiptType = 'delivered' | 'read' | 'played';

export interface Receipt {
  person: Person;
  type: ReceiptType;
  at: number;
}

/** A bubble on a phone's screen, with everything that happened to it since. */
export interface Bubble extends Omit<Message, 'content'> {
  content: Content | WaitingContent;
  /** New text after an edit. */
  edited: { text: string; at: number } | undefined;
  revoked: { by: Person; at: number } | undefined;
  /** The owner has put it aside to find it again. */
  starred: boolean;
  /** What others did with it; on a message of somebody else, only this phone's own. */
  receipts: Receipt[];
  reactions: { person: Person; emoji: string; at: number }[];
  votes: { person: Person; hashes: string[]; at: number }[];
}

export type GroupRole = 'member' | 'admin' | 'superadmin';

export interface GroupMember {
  person: Person;
  role: GroupRole;
}

export interface Group {
  jid: string;
  name: string;
  nameSetAt: number;
  nameSetBy: PhoneNumber;
  description: string;
  /** Changes with every new description; empty while there never was one. */
  descriptionId: string;
  /** Milliseconds; 0 while there never was one. */
  descriptionSetAt: number;
  /** Undefined once the founder has left. */
  owner: Person | undefined;
  createdAt: number;
  announce: boolean;
  locked: boolean;
  /** Who joins by the invite has to be let in by an admin. */
  joinApproval: boolean;
  /** Everybody in it may add people, not only admins. */
  everybodyAdds: boolean;
  disappearingSeconds: number;
  members: GroupMember[];
}

export type ParticipantAction = 'add' | 'remove' | 'promote' | 'demote';

export interface ParticipantResult {
  /** The address as it was asked for. */
  jid: string;
  person: Person | undefined;
  outcome: 'ok' | 'not_registered' | 'already_member' | 'not_member' | 'forbidden';
}

export type ChannelRole = 'owner' | 'subscriber';

export interface Channel {
  jid: string;
  name: string;
  description: string;
  inviteCode: string;
  subscriberCount: number;
  createdAt: number;
  pictureId: string | undefined;
}

export interface FollowedChannel extends Channel {
  role: ChannelRole;
  muted: boolean;
}

export interface ChannelMessage {
  channel: string;
  serverId: number;
  id: string;
  at: number;
  content: Content;
  reactions: Record<string, number>;
}

/** An entry of a person's address book. The number need not be on the network; then `lid` is undefined. */
export interface Contact {
  phone: PhoneNumber;
  lid: string | undefined;
  firstName: string;
  fullName: string;
  pushName: string;
  businessName: string | undefined;
}

export interface Photo {
  id: string;
  type: 'image' | 'preview';
  bytes: Uint8Array;
}

export type CallState = 'ringing' | 'rejected' | 'ended';

export interface Call {
  id: string;
  caller: Person;
  callee: Person;
  video: boolean;
  state: CallState;
  reason: string | undefined;
  startedAt: number;
}

export type TypingMedia = 'text' | 'audio';

/** How a link is broken on purpose. Whoever carries the link (the wire, a fake) asks and obeys. */
export type FaultKind =
  | 'disconnect'
  | 'send_transient'
  | 'send_permanent'
  | 'slow'
  | 'no_ack'
  | 'media_download'
  | 'refuse_login'
  | 'stream_error'
  /** After its login, nothing that is said on a connection reaches the other side. */
  | 'deaf'
  /** A message on its way to the device is damaged; what is sent again is not. */
  | 'undecryptable'
  /** For a time, every answer is late, be it to what a client asks for its own sake. */
  | 'slow_link';

export interface FaultOrder {
  kind: FaultKind;
  /** How many times; at least 1. */
  count: number;
  /** `slow`, `slow_link`: delay of the answer. `disconnect`, `refuse_login`: how long the link stays down. */
  ms: number;
  /** `slow_link`: for how long, in milliseconds. */
  lastsMs?: number;
  /** `refuse_login`, `stream_error`: the network's number for why. */
  code?: number;
  /** `refuse_login` with 402: why the account is banned, and for how long the client is told that it is. */
  reasonCode?: number;
  expireSeconds?: number;
}

/** Three numbers, the first of which weighs most. */
export type ClientVersion = [number, number, number];

/** Why a linked device is not let in. */
export interface LoginRefusal {
  /** 401 unlinked, 402 banned for a while, 403 locked, 405 too old, 406 banned for good, 409 refused client, 411, 503 not now. */
  reason: number;
  /** 402 only: 101 to 106, what the account did. */
  code?: number;
  /** 402 only: in how many seconds it ends. */
  expireSeconds?: number;
}
