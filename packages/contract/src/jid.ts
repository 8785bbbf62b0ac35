/** Parsing and formatting of network addresses; no other module does it. */

export const USER_DOMAIN = 's.whatsapp.net';
export const LID_DOMAIN = 'lid';
export const GROUP_DOMAIN = 'g.us';
export const NEWSLETTER_DOMAIN = 'newsletter';
/** Address of stories, outgoing and incoming. */
export const STATUS_JID = 'status@broadcast';

const PHONE = '[1-9][0-9]{4,14}';
const DEVICE = '(?::[0-9]{1,3})?';
/** 3 to 35 characters, not only digits; dots single and inside; nothing that looks like the address of a website. */
const USERNAME =
  '(?=[0-9_.]*[A-Za-z])(?!www\\.)(?![A-Za-z0-9_.]*\\.\\.)[A-Za-z0-9_][A-Za-z0-9_.]{1,33}[A-Za-z0-9_]';
const USERNAME_KEY = '[0-9]{4}';

/** Sources of regular expressions, anchored, for schemas. A bare address carries no device suffix. */
export const JID_PATTERNS = {
  phone: `^${PHONE}$`,
  person: `^(?:${PHONE}@s\\.whatsapp\\.net|[0-9]{1,20}@lid)$`,
  group: '^[0-9]{1,32}(?:-[0-9]{1,32})?@g\\.us$',
  newsletter: '^[0-9]{1,32}@newsletter$',
  username: `^${USERNAME}$`,
  usernameKey: `^${USERNAME_KEY}$`,
  /** Accepted by `recipientJid`, and usernames, which only the network can resolve. */
  recipient: `^(?:\\+?${PHONE}(?:@(?:s\\.whatsapp\\.net|c\\.us))?|[0-9]{1,20}@lid|[0-9]{1,32}(?:-[0-9]{1,32})?@g\\.us|@${USERNAME}(?::${USERNAME_KEY})?)$`,
  chat: `^(?:${PHONE}@s\\.whatsapp\\.net|[0-9]{1,20}@lid|[0-9]{1,32}(?:-[0-9]{1,32})?@g\\.us)$`,
} as const;

export type JidKind = 'user' | 'lid' | 'group' | 'newsletter' | 'status';

export type Jid = {
  readonly kind: JidKind;
  /** Part before the `@`, without the device suffix; the phone number for kind `user`. */
  readonly user: string;
  /** Linked device; null for a bare address. */
  readonly device: number | null;
};

const SHAPES: readonly { kind: JidKind; domain: string; pattern: RegExp }[] = [
  { kind: 'user', domain: USER_DOMAIN, pattern: new RegExp(`^(${PHONE})${DEVICE}@s\\.whatsapp\\.net$`) },
  { kind: 'lid', domain: LID_DOMAIN, pattern: new RegExp(`^([0-9]{1,20})${DEVICE}@lid$`) },
  { kind: 'group', domain: GROUP_DOMAIN, pattern: /^([0-9]{1,32}(?:-[0-9]{1,32})?)@g\.us$/ },
  { kind: 'newsletter', domain: NEWSLETTER_DOMAIN, pattern: /^([0-9]{1,32})@newsletter$/ },
  { kind: 'status', domain: 'broadcast', pattern: /^(status)@broadcast$/ },
];

export function parseJid(text: string): Jid | null {
  const domain = text.slice(text.indexOf('@') + 1);
  const shape = SHAPES.find((candidate) => candidate.domain === domain);
  const user = shape?.pattern.exec(text)?.[1];
  if (shape === undefined || user === undefined) return null;
  const colon = text.indexOf(':');
  const device = colon === -1 ? null : Number(text.slice(colon + 1, text.indexOf('@')));
  return { kind: shape.kind, user, device };
}

export function formatJid({ kind, user, device }: Jid): string {
  const domain = SHAPES.find((shape) => shape.kind === kind)?.domain;
  return device === null ? `${user}@${domain}` : `${user}:${device}@${domain}`;
}

/** Removes the device suffix; returns other text unchanged. */
export function bareJid(text: string): string {
  const jid = parseJid(text);
  return jid === null || jid.device === null ? text : formatJid({ ...jid, device: null });
}

export function userJid(phone: string): string {
  return `${phone}@${USER_DOMAIN}`;
}

export function sessionJid(phone: string, device: number): string {
  return `${phone}:${device}@${USER_DOMAIN}`;
}

/** Phone number of a user's or session's address; null for every other address. */
export function phoneOf(text: string): string | null {
  const jid = parseJid(text);
  return jid?.kind === 'user' ? jid.user : null;
}

export function isGroup(text: string): boolean {
  return parseJid(text)?.kind === 'group';
}

export function isNewsletter(text: string): boolean {
  return parseJid(text)?.kind === 'newsletter';
}

/** Whether the address is a person's: a phone number or a lid. */
export function isPerson(text: string): boolean {
  const kind = parseJid(text)?.kind;
  return kind === 'user' || kind === 'lid';
}

/**
 * Accepted forms of a person's number: digits, or a JID of this or of other clients (`@c.us`), with or without a `+`, which a
 * query string decodes to a space.
 */
const WRITTEN_USER = new RegExp(`^[+ ]?(${PHONE})(?:(${DEVICE})@(?:s\\.whatsapp\\.net|c\\.us))?$`);

/** Reads a session id, which is a number with or without a device suffix; null when it is none. */
export function parseSessionId(text: string): { phone: string; device: number | null } | null {
  const [, phone, suffix = ''] = WRITTEN_USER.exec(text) ?? [];
  if (phone === undefined) return null;
  return { phone, device: suffix === '' ? null : Number(suffix.slice(1)) };
}

const PHONE_ONLY = new RegExp(JID_PATTERNS.phone);
const CHAT_ONLY = new RegExp(JID_PATTERNS.chat);

/** Converts the `to` of a send (a number, or the address of a person or group) to a bare address; null when it is neither. */
export function recipientJid(to: string): string | null {
  const phone = WRITTEN_USER.exec(to)?.[1];
  if (phone !== undefined) return userJid(phone);
  const bare = bareJid(to);
  return CHAT_ONLY.test(bare) ? bare : null;
}

const WRITTEN_USERNAME = new RegExp(`^@(${USERNAME})(?::(${USERNAME_KEY}))?$`);

export interface WrittenUsername {
  /** Without `@`. */
  readonly username: string;
  /** Four-digit key that protects some usernames. */
  readonly key?: string;
}

/** Parses `@username` or `@username:1234`; null when it is neither. */
export function parseUsername(text: string): WrittenUsername | null {
  const [, username, key] = WRITTEN_USERNAME.exec(text) ?? [];
  if (username === undefined) return null;
  return key === undefined ? { username } : { username, key };
}

/** Digits of a phone number as typed (`+1 (555) 000-1001`); null when it is not international. */
export function phoneDigits(text: string): string | null {
  const digits = text.replace(/^\+/, '').replace(/[ ().-]/g, '');
  return PHONE_ONLY.test(digits) ? digits : null;
}
