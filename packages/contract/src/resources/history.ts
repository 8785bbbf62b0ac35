import Type from 'typebox';
import { messageEvent } from '../events/message.ts';
import { HISTORY_DAYS_DEFAULT, HISTORY_DAYS_MAX } from '../limits.ts';
import { AnyJid, UnixSeconds } from '../primitives.ts';
import { named, oneOf } from '../schema.ts';

/** Settings of a number's history. */
export const historyFields = {
  days: Type.Integer({
    minimum: 1,
    maximum: HISTORY_DAYS_MAX,
    default: HISTORY_DAYS_DEFAULT,
    description: 'Messages are deleted when they are older.',
  }),
  media: Type.Boolean({
    default: true,
    description:
      'Whether messages keep their files. Those of up to 4 MB are kept as they come, larger ones when they are first asked for. Switched off, the files are deleted.',
  }),
};

const IMPORT_STATES = ['running', 'done', 'failed'] as const;

export const HistoryImport = named(
  'HistoryImport',
  {
    state: oneOf(IMPORT_STATES, {
      description: '`failed`: the rest can never be read.',
    }),
    progress: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'In percent of all that the phone sends, as it says itself.',
        examples: [40],
      }),
    ),
    messages: Type.Integer({
      description: 'How many were read; older ones than `days` are not kept.',
      examples: [1_800],
    }),
    started_at_unix: UnixSeconds,
    updated_at_unix: UnixSeconds,
  },
  {
    description: 'How far the past that the phone sent has been taken in.',
  },
);
export type HistoryImport = Type.Static<typeof HistoryImport>;

export const History = named(
  'History',
  {
    phone: Type.String({ examples: ['15550001001'] }),
    enabled: Type.Boolean(),
    days: Type.Optional(historyFields.days),
    media: Type.Optional(historyFields.media),
    since_unix: Type.Optional(
      Type.Integer({ ...UnixSeconds, description: 'When it was switched on. Unix time in seconds.' }),
    ),
    chats: Type.Integer({ examples: [12] }),
    messages: Type.Integer({ examples: [3_120] }),
    bytes: Type.Integer({ description: 'About what it takes on disk.', examples: [1_404_000] }),
    max_bytes: Type.Integer({
      description: 'The oldest messages are deleted when it takes more.',
      examples: [1_073_741_824],
    }),
    import: Type.Optional(HistoryImport),
  },
  { description: 'What is kept of the conversations of a number.' },
);
export type History = Type.Static<typeof History>;

const KeptFile = named('KeptFile', {
  mimetype: Type.String({ examples: ['image/jpeg'] }),
  extension: Type.String({ description: 'Without dot.', examples: ['jpg'] }),
  filename: Type.Optional(Type.String({ description: 'Documents only.' })),
  file_length: Type.Integer({ description: 'Bytes.' }),
  id: Type.Optional(
    Type.String({
      description:
        'What `GET /v1/media/{id}` and sends take. Absent of files that were sent through the API.',
      examples: ['med_9x2f7k0c4h8m1q5t3v6y'],
    }),
  ),
  url: Type.Optional(
    Type.String({
      description: 'Signed link that works without a key for 72 hours from this answer on.',
    }),
  ),
});
export type KeptFile = Type.Static<typeof KeptFile>;

const Reaction = named('Reaction', {
  jid: AnyJid,
  from_me: Type.Boolean(),
  emoji: Type.String({ examples: ['👍'] }),
  timestamp_unix: UnixSeconds,
});

const PersonReceipt = named('PersonReceipt', {
  jid: AnyJid,
  receipt_type: oneOf(['delivered', 'read', 'played']),
  timestamp_unix: UnixSeconds,
});

const TextVersion = named('TextVersion', { text: Type.String(), timestamp_unix: UnixSeconds });

const {
  kind: _kind,
  session_id: _session,
  media: _media,
  ...fieldsOfMessage
} = messageEvent.schema.properties;

const keptMessageFields = {
  cursor: Type.String({
    description: 'Its place: give it as `before` or `after`.',
    examples: ['m5x2k8a0-1f'],
  }),
  ...fieldsOfMessage,
  from_me: Type.Boolean({ description: 'True when the number itself wrote it.' }),
  sender_jid: Type.String({
    description: 'Empty when the message was deleted for everybody.',
    examples: ['15550002001@s.whatsapp.net'],
  }),
  media: Type.Optional(KeptFile),
  status: Type.Optional(
    oneOf(['sent', 'delivered', 'read', 'played'], {
      description: 'Of own messages: furthest state at any recipient.',
    }),
  ),
  reactions: Type.Optional(Type.Array(Reaction)),
  edited_at_unix: Type.Optional(
    Type.Integer({ ...UnixSeconds, description: 'When `text` was changed last. Unix time in seconds.' }),
  ),
  revoked_at_unix: Type.Optional(
    Type.Integer({
      ...UnixSeconds,
      description:
        'When it was deleted for everybody: nothing of it is left but its place. Unix time in seconds.',
    }),
  ),
};

export const KeptMessage = named('KeptMessage', keptMessageFields, {
  description:
    'A message of a conversation, as it stands now: the fields of a `message` event, and what came of it.',
});
export type KeptMessage = Type.Static<typeof KeptMessage>;

export const KeptMessageDetail = named('KeptMessageDetail', {
  ...keptMessageFields,
  receipts: Type.Optional(
    Type.Array(PersonReceipt, {
      description: 'Of own messages: who has got it, read it and played it, and when.',
    }),
  ),
  edits: Type.Optional(
    Type.Array(TextVersion, {
      description: 'Its texts, the first one first; absent when it was never changed.',
    }),
  ),
});
export type KeptMessageDetail = Type.Static<typeof KeptMessageDetail>;

export const KeptMessagePage = named('KeptMessagePage', {
  messages: Type.Array(KeptMessage),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description:
      'Give it the same way to go on; null at the end. With `q` a page may be empty and not the last.',
    examples: ['m5x2k8a0-1f'],
  }),
});
export type KeptMessagePage = Type.Static<typeof KeptMessagePage>;

export const Chat = named('Chat', {
  jid: AnyJid,
  is_group: Type.Boolean(),
  messages: Type.Integer({ description: 'How many are kept.', examples: [41] }),
  unread: Type.Integer({
    description: 'Messages since the number last wrote or the chat was last marked as read.',
    examples: [2],
  }),
  archived: Type.Boolean(),
  pinned: Type.Boolean(),
  muted: Type.Boolean(),
  muted_until_unix: Type.Optional(
    Type.Integer({ ...UnixSeconds, description: 'Absent when it is for ever, or not muted.' }),
  ),
  last_at_unix: Type.Optional(
    Type.Integer({ ...UnixSeconds, description: 'Of the newest message. Unix time in seconds.' }),
  ),
  last_message: Type.Optional(KeptMessage),
});
export type Chat = Type.Static<typeof Chat>;

export const ChatPage = named('ChatPage', {
  chats: Type.Array(Chat, { description: 'The one with the newest message first.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Give it as `cursor` to go on; null at the end.',
    examples: ['m5x2k8a0-1f'],
  }),
});
export type ChatPage = Type.Static<typeof ChatPage>;
