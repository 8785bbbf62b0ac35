import Type from 'typebox';
import { JID_PATTERNS } from './jid.ts';
import {
  CODE_MAX_LENGTH,
  ID_MAX_LENGTH,
  NAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  URL_MAX_LENGTH,
} from './limits.ts';
import { EXPECTS, KEEPS_EMPTY, oneLine, severalLines } from './schema.ts';
import { NOT_IN_LINE } from './text.ts';

/** Strings and numbers with a meaning. Those in requests carry a pattern; those in answers only a description. */

// In requests

/** Without a pattern: the gateway parses session ids where it also looks up their account. */
export const SessionId = Type.String({
  minLength: 1,
  maxLength: ID_MAX_LENGTH,
  ...oneLine,
  description: 'Session JID, with or without its device suffix; or the phone number, with or without `+`.',
  examples: ['15550001001:1@s.whatsapp.net'],
});

export const Phone = Type.String({
  pattern: JID_PATTERNS.phone,
  description: 'Phone number in international form: digits only, no leading `+`.',
  examples: ['15550001001'],
  [EXPECTS]: 'a phone number in international form, digits only',
});

export const PersonJid = Type.String({
  pattern: JID_PATTERNS.person,
  description: 'JID of a person: `<phone>@s.whatsapp.net` or `<id>@lid`.',
  examples: ['15550002001@s.whatsapp.net'],
  [EXPECTS]: 'the JID of a person, without device suffix, such as 15550002001@s.whatsapp.net',
});

export const Username = Type.String({
  pattern: JID_PATTERNS.username,
  description: 'Username, without `@`.',
  examples: ['ada.byron'],
  [EXPECTS]: 'a username: 3 to 35 characters of a–z, digits, dots and underscores, not only digits',
});

export const UsernameKey = Type.String({
  pattern: JID_PATTERNS.usernameKey,
  description: 'The four digits with which some people guard their username.',
  examples: ['1234'],
  [EXPECTS]: 'four digits',
});

export const GroupJid = Type.String({
  pattern: JID_PATTERNS.group,
  description: 'Group JID.',
  examples: ['120363041234567890@g.us'],
  [EXPECTS]: 'a group JID such as 120363041234567890@g.us',
});

export const NewsletterJid = Type.String({
  pattern: JID_PATTERNS.newsletter,
  description: 'Channel JID.',
  examples: ['120363107654321098@newsletter'],
  [EXPECTS]: 'a channel JID such as 120363107654321098@newsletter',
});

export const ChatJid = Type.String({
  pattern: JID_PATTERNS.chat,
  description: 'JID of a chat: a person or a group.',
  examples: ['15550002001@s.whatsapp.net', '120363041234567890@g.us'],
  [EXPECTS]: 'the JID of a person or group, without device suffix',
});

export const ResourceId = Type.String({ minLength: 1, maxLength: ID_MAX_LENGTH, ...oneLine });

export const MessageId = Type.String({
  minLength: 1,
  maxLength: ID_MAX_LENGTH,
  ...oneLine,
  description: 'Message id, as returned by a send or carried by a `message` event.',
  examples: ['3EB0C767D71C5A4F1D2B'],
});

export const MediaId = Type.String({
  minLength: 1,
  maxLength: ID_MAX_LENGTH,
  ...oneLine,
  description: 'Media id, as returned by an upload or carried by a message (`media.id`).',
  examples: ['med_01jb2x9q4m'],
});

const HTTP_URL = `^https?://[^\\s/?#${NOT_IN_LINE}][^\\s${NOT_IN_LINE}]*$`;

export const HttpUrl = Type.String({
  maxLength: URL_MAX_LENGTH,
  pattern: HTTP_URL,
  examples: ['https://files.example.com/offer.jpg'],
  [EXPECTS]: `an http or https url of at most ${URL_MAX_LENGTH} characters`,
});

/** URL, or an empty string where empty means “none”. */
export const HttpUrlOrEmpty = Type.String({
  maxLength: URL_MAX_LENGTH,
  pattern: `^$|${HTTP_URL}`,
  [EXPECTS]: `an http or https url of at most ${URL_MAX_LENGTH} characters, or empty`,
  [KEEPS_EMPTY]: true,
});

export const IsoTimeInput = Type.String({
  pattern:
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})$',
  examples: ['2026-12-31T23:59:59Z'],
  [EXPECTS]: 'an ISO 8601 time such as 2026-12-31T23:59:59Z',
});

export const SecondFactorCode = Type.String({
  minLength: 1,
  maxLength: CODE_MAX_LENGTH,
  ...oneLine,
  description: 'Six digits of the authenticator app, or a recovery code.',
  examples: ['492039'],
});

/** Links carry it behind the `#`, which browsers never send, so that no server logs it. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: ID_MAX_LENGTH,
  ...oneLine,
  description: 'What stands behind the `#` of a link.',
});

export const Email = Type.String({
  maxLength: NAME_MAX_LENGTH,
  pattern: `^[^\\s@${NOT_IN_LINE}]+@[^\\s@${NOT_IN_LINE}]+$`,
  examples: ['ada@example.com'],
  [EXPECTS]: 'an email address',
});

export const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  ...severalLines,
  [EXPECTS]: `a string of ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters`,
});

// In answers and events

export const UnixSeconds = Type.Integer({ description: 'Unix time in seconds.', examples: [1_784_365_200] });

export const IsoTime = Type.String({
  description: 'ISO 8601 time in UTC.',
  examples: ['2026-07-18T09:00:00.000Z'],
});

export const AnyJid = Type.String({
  description: 'JID of a person, group or channel.',
  examples: ['15550002001@s.whatsapp.net'],
});
