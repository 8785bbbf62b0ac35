import Type from 'typebox';
import { AnyJid } from '../primitives.ts';
import { named, oneOf } from '../schema.ts';

export const Contact = named('Contact', {
  jid: AnyJid,
  first_name: Type.String({ examples: ['Ada'] }),
  full_name: Type.String({ examples: ['Ada Byron'] }),
  push_name: Type.String({ description: 'The name the person gave themselves.', examples: ['Ada'] }),
  business_name: Type.String(),
});
export type Contact = Type.Static<typeof Contact>;

export const ContactList = named('ContactList', { contacts: Type.Array(Contact) });

export const UserInfo = named('UserInfo', {
  status: Type.String({ description: 'The About text.', examples: ['Back on Monday'] }),
  picture_id: Type.String({ description: 'Empty when there is no visible photo.', examples: ['1784365200'] }),
  verified_name: Type.Optional(Type.String({ description: 'Only for business accounts.' })),
  devices: Type.Array(
    named('UserDevice', {
      jid: AnyJid,
      device: Type.Integer({ description: '0 is the phone.', examples: [0] }),
    }),
  ),
});
export type UserInfo = Type.Static<typeof UserInfo>;

export const ProfilePicture = named('ProfilePicture', {
  picture: Type.Object({
    has_picture: Type.Boolean({ examples: [true] }),
    url: Type.String({
      description: 'Public address, downloadable without authentication. It expires: do not store it.',
      examples: ['https://pps.whatsapp.net/v/t61/photo.jpg?oh=01_Q5&oe=6A8F'],
    }),
    id: Type.String({ examples: ['1784365200'] }),
    type: Type.String({ description: '`image`, or `preview` for the thumbnail.', examples: ['image'] }),
  }),
});
export type ProfilePicture = Type.Static<typeof ProfilePicture>;

export const ProfileStatus = named('ProfileStatus', {
  status: Type.String({ description: 'The About text.', examples: ['Back on Monday'] }),
});

export const Identity = named('Identity', {
  jid: Type.Optional(
    Type.String({
      description: 'By the number; absent when the network hides it.',
      examples: ['15550002001@s.whatsapp.net'],
    }),
  ),
  lid: Type.Optional(
    Type.String({
      description: 'By the address that hides the number; absent when there is none.',
      examples: ['245100123456789@lid'],
    }),
  ),
  username: Type.Optional(
    Type.String({
      description: 'Without `@`; absent when the person has none, or the network does not disclose it.',
      examples: ['ada.byron'],
    }),
  ),
});
export type Identity = Type.Static<typeof Identity>;

export const ProfileName = named('ProfileName', { name: Type.String({ examples: ['Harbour Café'] }) });

export const BLOCKLIST_ACTIONS = ['block', 'unblock'] as const;
export type BlocklistAction = (typeof BLOCKLIST_ACTIONS)[number];
export const BlocklistAction = oneOf(BLOCKLIST_ACTIONS);

export const Blocklist = named('Blocklist', { blocklist: Type.Array(AnyJid) });
export type Blocklist = Type.Static<typeof Blocklist>;

export const ValidatedNumber = named('ValidatedNumber', {
  query: Type.String({
    description: 'The number asked for, with a leading `+`, or the username as it was written.',
    examples: ['+15550002001'],
  }),
  on_messenger: Type.Boolean({
    description: 'True when the number is registered on the network, or an account has the username.',
  }),
  jid: Type.Optional(Type.String({ description: 'Only when registered: use it as `to`.' })),
  verified_name: Type.Optional(Type.String({ description: 'Only for business accounts.' })),
  key_required: Type.Optional(
    Type.Literal(true, {
      description: 'Of a username that is guarded by a key, which was not given or is another one.',
    }),
  ),
});
export type ValidatedNumber = Type.Static<typeof ValidatedNumber>;

export const ValidatedNumbers = named(
  'ValidatedNumbers',
  { results: Type.Array(ValidatedNumber) },
  {
    examples: [
      {
        results: [
          { query: '+15550002001', on_messenger: true, jid: '15550002001@s.whatsapp.net' },
          { query: '+15550009999', on_messenger: false },
        ],
      },
    ],
  },
);
