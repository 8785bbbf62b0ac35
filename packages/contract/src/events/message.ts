import Type from 'typebox';
import { content, kept, named, oneOf } from '../schema.ts';
import { ChatAddress, EventTime, NetworkMessageId, PersonAddress, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

const INBOUND_TYPES = [
  'text',
  'reaction',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'poll',
  'button_response',
  'other',
] as const;
export type InboundType = (typeof INBOUND_TYPES)[number];

export const InboundMedia = named('InboundMedia', {
  mimetype: Type.String({ ...kept, examples: ['image/jpeg'] }),
  extension: Type.String({ ...kept, description: 'Without dot.', examples: ['jpg'] }),
  filename: Type.Optional(Type.String({ ...content, description: 'Documents only.' })),
  file_length: Type.Integer({
    ...kept,
    description: 'Bytes: the real size when downloaded, else what the sender claims.',
  }),
  data: Type.String({ ...content, description: 'Standard base64; empty when not downloaded.' }),
  status: oneOf(['downloaded', 'too_large', 'error'], {
    description: 'Check it before reading `data`. `too_large`: above 4 MB, metadata only.',
  }),
  id: Type.Optional(
    Type.String({
      ...kept,
      description: 'Of a file of any size: `GET /v1/media/{id}` has it for as long as the network does.',
      examples: ['med_9x2f7k0c4h8m1q5t3v6y'],
    }),
  ),
  url: Type.Optional(
    Type.String({
      ...content,
      description:
        'Signed link that works without a key for 72 hours. Present when `PARLEY_PUBLIC_URL` is set.',
    }),
  ),
});
export type InboundMedia = Type.Static<typeof InboundMedia>;

const InboundLocation = named('InboundLocation', {
  latitude: Type.Number(content),
  longitude: Type.Number(content),
  name: Type.Optional(Type.String(content)),
  address: Type.Optional(Type.String(content)),
  live: Type.Optional(
    Type.Boolean({ description: 'True when the sender shares it live: here is where they began.' }),
  ),
});

const ContactCard = named('ContactCard', {
  name: Type.String(content),
  phones: Type.Array(Type.String(content), {
    description: 'As `to` takes them where the card names the number on the network, else as written there.',
  }),
  vcard: Type.String({ ...content, description: 'The whole card.' }),
});

const InboundPoll = named('InboundPoll', {
  name: Type.String(content),
  options: Type.Array(Type.String(content)),
  selectable_count: Type.Integer({ ...kept, description: '1 = single choice, 0 = unlimited.' }),
});

const ButtonResponse = named('ButtonResponse', {
  selected_id: Type.String({ ...content, description: 'The id that was sent with the button.' }),
  selected_text: Type.String({ ...content, description: 'Also copied to `text`.' }),
  params_json: Type.Optional(
    Type.String({ ...content, description: 'The raw native-flow payload, when present.' }),
  ),
});

const EventResponse = named('EventResponse', {
  message_id: Type.String({ ...kept, description: 'The message with the event.' }),
  response: oneOf(['going', 'not_going', 'maybe', 'unknown']),
  extra_guests: Type.Integer({ ...kept, description: 'People whom the sender brings along.' }),
});

const UnreadableUpdate = named('UnreadableUpdate', {
  update: oneOf([
    'edit',
    'event_edit',
    'poll_edit',
    'poll_option',
    'comment',
    'reaction',
    'event_response',
    'unknown',
  ]),
  message_id: Type.String({ ...kept, description: 'The message that it is about; as the sender claims.' }),
});

export const messageEvent = eventKind({
  kind: 'message',
  category: 'messages',
  chat: 'chat_jid',
  partly: {
    extension: 'own_messages',
    when: 'from_me: true',
    guide:
      'messages from the phone, from other linked devices, and from the API, the latter with `request_id`',
  },
  label: 'Message',
  title: 'MessageEvent',
  description:
    'An incoming message. To reply, send with `quoted_message_id` = `message_id`, `quoted_participant` = `sender_jid`, `quoted_text` = `text`, `to` = `chat_jid`.',
  properties: {
    message_id: Type.String({
      ...kept,
      description: 'Unique; deduplicate on it.',
      examples: ['3EB0C767D71C5A4F1D2B'],
    }),
    session_id: SessionJid,
    from_me: Type.Optional(
      Type.Boolean({
        description:
          'True when the number itself wrote it: with the phone, another linked device, or through the API. Needs `own_messages` in `extensions`.',
      }),
    ),
    request_id: Type.Optional(
      Type.String({
        ...kept,
        description: 'Of what was sent through the API: the Idempotency-Key of the send.',
      }),
    ),
    sender_jid: PersonAddress,
    sender_phone: Type.Optional(
      Type.String({ ...kept, description: 'Phone JID of the sender, when known.' }),
    ),
    sender_lid: Type.Optional(
      Type.String({ ...kept, description: 'The address that hides the number of the sender, when known.' }),
    ),
    sender_username: Type.Optional(
      Type.String({ ...content, description: 'Without `@`; when it is known.' }),
    ),
    sender_name: Type.String({ ...content, description: 'Push name; empty when not supplied.' }),
    chat_jid: ChatAddress,
    is_group: Type.Boolean(),
    type: oneOf(INBOUND_TYPES),
    text: Type.String({
      ...content,
      description: 'Text; caption of media; emoji of a reaction (empty = reaction removed).',
    }),
    timestamp_unix: EventTime,
    broadcast: Type.Boolean({ description: "True for a contact's status (story)." }),
    media: Type.Optional(InboundMedia),
    location: Type.Optional(InboundLocation),
    poll: Type.Optional(InboundPoll),
    button_response: Type.Optional(ButtonResponse),
    quoted_message_id: Type.Optional(NetworkMessageId),
    quoted_participant: Type.Optional(PersonAddress),
    quoted_text: Type.Optional(Type.String(content)),
    reacted_message_id: Type.Optional(NetworkMessageId),
    edited_message_id: Type.Optional(
      Type.String({
        ...kept,
        description:
          'The message whose text is `text` from now on; `type` is `other`. With `type` `poll`, the poll that is `poll` from now on.',
      }),
    ),
    revoked_message_id: Type.Optional(
      Type.String({ ...kept, description: 'The message that was deleted for everybody; `type` is `other`.' }),
    ),
    event_response: Type.Optional(EventResponse),
    unreadable_update: Type.Optional(UnreadableUpdate),
    unavailable: Type.Optional(
      oneOf(['view_once', 'hosted', 'bot', 'not_resent'], {
        description:
          'Why the content never comes; `type` is `other`. `view_once`, `hosted`, `bot`: the network sends it to the phone alone. `not_resent`: the phone was asked for it and did not send it.',
      }),
    ),
    contacts: Type.Optional(
      Type.Array(ContactCard, { description: 'The cards that were sent; `type` is `other`.' }),
    ),
    mentions: Type.Optional(Type.Array(PersonAddress, { description: 'Whom the message names.' })),
    forwarded: Type.Optional(Type.Boolean({ description: 'True when it was written somewhere else.' })),
    ephemeral_seconds: Type.Optional(
      Type.Integer({
        ...kept,
        description:
          'After how long it disappears. On a `text`-less `other`, the timer that the chat has got; 0 = none.',
      }),
    ),
    view_once: Type.Optional(
      Type.Boolean({
        description:
          'True when it may be seen once. Where only the phone may show it, `type` is `other` and nothing else is known.',
      }),
    ),
  },
  example: {
    message_id: '3EB0C767D71C5A4F1D2B',
    session_id: '15550001001:1@s.whatsapp.net',
    sender_jid: '15550002001@s.whatsapp.net',
    sender_phone: '15550002001@s.whatsapp.net',
    sender_name: 'Ada',
    chat_jid: '15550002001@s.whatsapp.net',
    is_group: false,
    type: 'text',
    text: 'Is my order ready?',
    timestamp_unix: 1_784_365_200,
    broadcast: false,
  },
});
