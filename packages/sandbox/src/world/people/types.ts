import type {
  Actor,
  Call,
  Chat,
  Contact,
  LinkedDevice,
  Person,
  Phone,
  PhoneNumber,
  PhoneSettings,
  Photo,
  TypingMedia,
} from '../types.ts';

export interface Phones {
  /** `conflict` when the number is taken. */
  create(phone: PhoneNumber, settings: { name: string } & Partial<PhoneSettings>): Phone;
  /** `not_found` for an unknown number. */
  get(phone: PhoneNumber): Phone;
  list(): Phone[];
  /** The phone at an address; undefined when it is not on this network. */
  find(address: string): Phone | undefined;
  /** The phone of a number in either spelling; addresses need its own. */
  findByNumber(number: string): Phone | undefined;
  /** The owner of a username, in any case; undefined for an unknown one. */
  findByUsername(username: string): Phone | undefined;
  update(actor: Actor, changes: Partial<PhoneSettings>): Phone;
  person(phone: PhoneNumber): Person;
  /** Device numbers of a person, 0 (the phone itself) first. */
  deviceNumbers(phone: PhoneNumber): number[];
}

/** The apps on the phones: their installations and keys. */
export interface Handsets {
  /** Name of the app's Signal state: another one after each reinstall. */
  keyOf(phone: PhoneNumber): string;
  /** Id of the signed pre-key that the phone gives out now. */
  signedPreKeyId(phone: PhoneNumber): number;
  /** New sessions use another signed pre-key; the earlier ones stay good. */
  rotateSignedPreKey(phone: PhoneNumber): void;
  /** Size of the made-up messages that the phone adds to the history of its next links. */
  pastBytes(phone: PhoneNumber): number;
  lengthenPast(phone: PhoneNumber, bytes: number): void;
  /** The phone loses all keys and linked devices; correspondents are notified that its identity changed. */
  reinstall(phone: PhoneNumber): void;
  /** The account continues under a new number and LID, in the same groups; the old number is unregistered. */
  changeNumber(phone: PhoneNumber, to: PhoneNumber): Phone;
}

export interface Contacts {
  list(phone: PhoneNumber): Contact[];
  save(actor: Actor, entry: { phone: PhoneNumber; firstName: string; fullName: string }): Contact;
  remove(actor: Actor, phone: PhoneNumber): void;
}

/** Every method is a `bad_request` for accounts in lid mode. */
export interface Blocklists {
  of(phone: PhoneNumber): Person[];
  block(actor: Actor, who: string): Person[];
  unblock(actor: Actor, who: string): Person[];
}

const AUDIENCES = ['all', 'contacts', 'contact_blacklist', 'none'] as const;

/** The settings of an account and the values of each, by their names on the network; the first value is that of a new account. */
export const PRIVACY_VALUES = {
  last: AUDIENCES,
  online: ['all', 'match_last_seen'],
  profile: AUDIENCES,
  status: AUDIENCES,
  readreceipts: ['all', 'none'],
  groupadd: AUDIENCES,
  calladd: ['all', 'known'],
  messages: ['all', 'contacts'],
} as const;

export type PrivacySetting = keyof typeof PRIVACY_VALUES;

/** What people let others see and do. */
export interface Privacy {
  /** Every setting with its value. */
  of(phone: PhoneNumber): { name: PrivacySetting; value: string }[];
  /** `bad_request` for an unknown setting or value; `changes` are those of the people that `contact_blacklist` excludes. */
  set(actor: Actor, name: string, value: string, changes?: { who: string; excludes: boolean }[]): void;
  /** Whether a setting of this person includes another one. */
  lets(owner: PhoneNumber, name: PrivacySetting, other: PhoneNumber): boolean;
}

export interface Photos {
  /** Of oneself, or of a group (its JID). Without bytes the photo is removed. */
  set(actor: Actor, target: string, bytes: Uint8Array | undefined): string | undefined;
  /** `not_found` when none was ever set, `forbidden` when hidden from this viewer. */
  get(viewer: PhoneNumber, target: string, type: Photo['type']): Photo;
  /** Id of the photo of a phone number, a group or a channel; undefined when there is none. */
  idOf(owner: string): string | undefined;
  /** For the server of a photo's public address. */
  byId(id: string): Photo | undefined;
}

export interface Presence {
  set(actor: Actor, presence: { online: boolean; lastSeenAt?: number }): void;
  /**
   * Lasts until the device attaches again. Without earlier interaction it is accepted and stays silent, as it does while the
   * device is not available.
   */
  subscribe(device: LinkedDevice, who: string): void;
  /** Expires after 25 seconds. Of linked devices only the available ones are notified. */
  typing(actor: Actor, to: string, state: { typing: boolean; media: TypingMedia }): void;
  /** Who is typing to this person now. */
  typingTo(phone: PhoneNumber): { chat: Chat; person: Person; media: TypingMedia }[];
}

export interface Calls {
  /** Rings for a minute unless one side ends it; then the network does, with the reason `timeout`. */
  offer(actor: Actor, to: string, options: { video: boolean; callId?: string }): Call;
  /** By either side. `gone` when it is over already. */
  terminate(actor: Actor, callId: string, reason?: string): Call;
  /** By the callee. */
  reject(actor: Actor, callId: string): Call;
  of(phone: PhoneNumber): Call[];
}
