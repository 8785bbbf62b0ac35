import type { Content, WaitingContent } from './messages/content.ts';

/** The world's only source of time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  after(ms: number, run: () => void): { cancel(): void };
}

/** The world's only source of randomness. */
export interface Random {
  bytes(count: number): Uint8Array;
}

export type WorldErrorCode =
  | 'bad_request'
  | 'forbidden'
  | 'not_found'
  | 'not_registered'
  | 'conflict'
  /** Well formed, and not what the network takes: an invite code that never was one, a name that is too long. */
  | 'not_acceptable'
  /** It existed and is over: an expired QR, an ended call. */
  | 'gone';

/** A rule of the network refused. The message is one plain sentence, fit to be shown. */
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

/** `<phone>:<device>@s.whatsapp.net`: the name of a linked device here and the session id in a gateway. */
export type SessionId = string;

/** The actor: a person by their phone (device 0) or by one of their linked devices. A `LinkedDevice` is one. */
export interface Actor {
  phone: PhoneNumber;
  device: number;
}

/** A person as others see them. `lid` is the digits of the alternate address. */
export interface Person {
  phone: PhoneNumber;
  lid: string;
  /** Push name. */
  name: string;
  /** Addressed by LID everywhere, as in the specification's rule for blocklists. */
  lidMode: boolean;
  /** The address that the network uses for this person in direct chats, receipts, typing, presence and calls. */
  addressing: Addressing;
  /** Without `@`; undefined without a username. */
  username?: string | undefined;
  /** The network hides the number: others get the LID alone. */
  hidesPhone?: boolean | undefined;
}

/** By LID, by number, or alternating, as in the months in which an account is migrated. */
export type Addressing = 'lid' | 'pn' | 'mixed';

export interface PhoneSettings {
  name: string;
  about: string;
  businessName: string | undefined;
  /** Reads every message the moment it arrives. */
  autoRead: boolean;
  /** The profile photo is hidden from everyone else. */
  hidesPhoto: boolean;
  lidMode: boolean;
  /** LID mode and a hidden number make it `lid`. */
  addressing: Addressing;
  username: string | undefined;
  /** Four digits that a search by username must give; undefined: none needed. */
  usernameKey: string | undefined;
  hidesPhone: boolean;
  /** A link of this phone needs its passkey. */
  requiresPasskey: boolean;
  /** The host that its passkeys are bound to, with its subdomains. */
  passkeyRpId: string;
  /** The network retires the secret of a scanned QR, so that the QR shown after it has to be scanned. */
  refreshesPairing: boolean;
  /** Digits under which people also look for this number; the network answers with the account's own. */
  otherSpelling: string | undefined;
  /** Form of the edits that this phone sends: under the secret of the edited message, as today, or as before. */
  edits: EditForm;
}

export type EditForm = 'encrypted' | 'plain';

export interface Phone extends PhoneSettings {
  phone: PhoneNumber;
  lid: string;
  online: boolean;
  /** Milliseconds; undefined when never seen. */
  lastSeenAt: number | undefined;
  /** Duplicates of messages that this phone dropped. */
  duplicatesDropped: number;
  /** Milliseconds, end of the ban on its linked devices; undefined while it is not banned. */
  bannedUntil: number | undefined;
  /** The network refuses all logins of its linked devices. */
  locked: boolean;
  /** The account's new number; undefined while this one is registered. */
  changedTo: PhoneNumber | undefined;
  createdAt: number;
}

export interface LinkedDevice extends Actor {
  sessionId: SessionId;
  /** Opaque data of the link layer, stored at pairing. */
  identity: Uint8Array;
  linkedAt: number;
  /** A connection is attached to its mailbox. */
  attached: boolean;
  /** Number of logins, refused ones included. */
  logins: number;
  /** Milliseconds; undefined before the first login. */
  lastLoginAt: number | undefined;
}

/** A chat as one of its members sees it; `jid` is the address this network uses for it. */
export type Chat =
  | { kind: 'direct'; jid: string; person: Person }
  | { kind: 'group'; jid: string }
  | { kind: 'status'; jid: string };

/** A message as delivered to one person. */
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
  /** Sent to a list of people at once, each of whom gets it in the direct chat. */
  list?: BroadcastList;
  /** Base64, chosen by the author; a wire derives the keys of updates from it. Undefined when the author sent none. */
  secret?: string | undefined;
}

export interface BroadcastList {
  jid: string;
  people: Person[];
}

export type ReceiptType = 'delivered' | 'read' | 'played';

export interface Receipt {
  person: Person;
  type: ReceiptType;
  at: number;
}

/** A message on a phone's screen, with everything that happened to it since. */
export interface Bubble extends Omit<Message, 'content'> {
  content: Content | WaitingContent;
  /** New text after an edit. */
  edited: { text: string; at: number } | undefined;
  revoked: { by: Person; at: number } | undefined;
  /** Starred by the owner. */
  starred: boolean;
  /** Receipts of others; on a foreign message, only this phone's own. */
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
  nameSetBy: Person;
  description: string;
  /** Changes with every new description; empty before the first one. */
  descriptionId: string;
  /** Milliseconds; 0 before the first one. */
  descriptionSetAt: number;
  /** Undefined once the founder has left. */
  owner: Person | undefined;
  createdAt: number;
  announce: boolean;
  locked: boolean;
  /** Counts changes of the members, and of who may write; clients compare them. */
  memberVersion: number;
  announceVersion: number;
  /** An admin has to approve those who join by the invite. */
  joinApproval: boolean;
  /** Every member may add people, not only admins. */
  everybodyAdds: boolean;
  disappearingSeconds: number;
  members: GroupMember[];
}

/** What following an invite led to. */
export interface GroupJoin {
  group: Group;
  /** An admin has to approve the person first. */
  isPending: boolean;
}

export type JoinRequestAction = 'approve' | 'reject';

/** A person who waits for an admin of a group. */
export interface JoinRequest {
  person: Person;
  at: number;
}

export type ParticipantAction = 'add' | 'remove' | 'promote' | 'demote';

export interface ParticipantResult {
  /** The address as given by the caller. */
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

/** Faults of a link. The link layer (the wire, a fake) asks for them and applies them. */
export type FaultKind =
  | 'disconnect'
  | 'send_transient'
  | 'send_permanent'
  | 'slow'
  | 'no_ack'
  /** A file has expired on the media servers; the phone uploads it again when asked. */
  | 'media_download'
  /** The same, and the phone does not have the file any more either. */
  | 'media_gone'
  | 'refuse_login'
  | 'stream_error'
  /** After the login, all traffic of the connection is lost, in both directions. */
  | 'deaf'
  /** A message to the device is damaged in transit; its repetition is not. */
  | 'undecryptable'
  /** The device gets no copy of a message, only that there is one: its phone sends it on, or never does. */
  | 'unavailable'
  | 'unavailable_hosted'
  | 'unavailable_bot'
  /** For a time, every answer is late, also to the client's own queries. */
  | 'slow_link';

export interface FaultOrder {
  kind: FaultKind;
  /** How many times; at least 1. */
  count: number;
  /** `slow`, `slow_link`: delay of the answer. `disconnect`, `refuse_login`: how long the link stays down. */
  ms: number;
  /** `slow_link`: for how long, in milliseconds. */
  lastsMs?: number;
  /** `refuse_login`, `stream_error`: the network's reason code. */
  code?: number;
  /** `refuse_login` with 402: the reason of the ban, and the duration that the client gets. */
  reasonCode?: number;
  expireSeconds?: number;
}

/** Three numbers, the most significant first. */
export type ClientVersion = [number, number, number];

/** Why a linked device is refused at login. */
export interface LoginRefusal {
  /** 401 unlinked, 402 banned for a while, 403 locked, 405 too old, 406 banned for good, 409 refused client, 411, 503 not now. */
  reason: number;
  /** 402 only: 101 to 106, the reason of the ban. */
  code?: number;
  /** 402 only: seconds until it ends. */
  expireSeconds?: number;
}
