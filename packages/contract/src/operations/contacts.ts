import Type from 'typebox';
import { JID_PATTERNS } from '../jid.ts';
import { ABOUT_MAX_LENGTH, PROFILE_NAME_MAX_LENGTH } from '../limits.ts';
import { otherSources, type PictureSource, sourceComplaint } from '../messages/content.ts';
import { ChatJid, HttpUrlOrEmpty, PersonJid, Phone, SessionId, UsernameKey } from '../primitives.ts';
import {
  Blocklist,
  BlocklistAction,
  ContactList,
  GroupPhoto,
  Identity,
  ProfileName,
  ProfilePicture,
  ProfileStatus,
  UserInfo,
} from '../resources/index.ts';
import { closed, EXPECTS, line, severalLines } from '../schema.ts';
import { pictureErrors } from './file-errors.ts';
import { EXAMPLE_PICTURE } from './offers.ts';
import { operation } from './operation.ts';
import { contactPath, sessionPath } from './paths.ts';

const onContacts = {
  tag: 'Contacts and profile',
  surface: 'v1',
  sdk: 'contacts',
  permission: 'contacts',
  limits: ['network_action'],
  subject: 'session',
  sessionMustBe: 'online',
} as const;

export const contactOperations = {
  listContacts: operation({
    ...onContacts,
    id: 'listContacts',
    method: 'GET',
    path: '/v1/sessions/{id}/contacts',
    summary: 'List contacts',
    description:
      "From the network's own synchronised contacts: names are as complete as that synchronisation.",
    params: sessionPath,
    listBound: 'The address book of one number, as the specification answers it.',
    answers: { 200: ContactList },
    errors: [],
    mcp: { tool: true },
    run: {},
  }),
  getContact: operation({
    ...onContacts,
    id: 'getContact',
    method: 'GET',
    path: '/v1/sessions/{id}/contacts/{jid}',
    summary: "Get a person's info",
    params: contactPath,
    listBound: 'The devices of one contact, which the network bounds.',
    answers: { 200: UserInfo },
    errors: ['contact_not_found'],
    mcp: { tool: true, foreignText: true },
    run: {},
  }),
  getContactPhoto: operation({
    ...onContacts,
    id: 'getContactPhoto',
    method: 'GET',
    path: '/v1/sessions/{id}/contacts/{jid}/photo',
    summary: 'Get the profile photo of a person or group',
    description:
      'The `url` is public and expires: fetch it soon and do not store it. Without a photo the answer is an error: 404 when none was ever set, 403 when it is hidden from this session.',
    params: closed({ id: SessionId, jid: ChatJid }),
    query: closed({
      preview: Type.Optional(Type.Boolean({ description: 'True asks for the smaller thumbnail.' })),
    }),
    answers: { 200: ProfilePicture },
    errors: ['photo_not_set', 'photo_hidden'],
    mcp: { tool: true },
  }),
  getIdentity: operation({
    ...onContacts,
    id: 'getIdentity',
    method: 'GET',
    path: '/v1/sessions/{id}/identities',
    summary: 'Get the addresses of one person',
    description:
      'Give exactly one of `phone`, `lid` and `username`; with `username`, its `key` where it has one.',
    params: sessionPath,
    query: closed({
      phone: Type.Optional(Phone),
      lid: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,20}@lid$',
          examples: ['245100123456789@lid'],
          [EXPECTS]: 'an address such as 245100123456789@lid',
        }),
      ),
      username: Type.Optional(
        Type.String({
          pattern: `^@?${JID_PATTERNS.username.slice(1)}`,
          description: 'With or without `@`.',
          examples: ['ada.byron'],
          [EXPECTS]: 'a username such as ada.byron',
        }),
      ),
      key: Type.Optional(UsernameKey),
    }),
    answers: { 200: Identity },
    errors: ['contact_not_found', 'username_not_found', 'username_key_required', 'username_key_wrong'],
    sdk: 'contacts.identify',
    mcp: { tool: true },
    run: { query: { phone: '15550002001' } },
  }),
  setProfileStatus: operation({
    ...onContacts,
    id: 'setProfileStatus',
    method: 'POST',
    path: '/v1/sessions/{id}/profile/status',
    summary: 'Change the About text of the number',
    params: sessionPath,
    body: closed({
      status: Type.String({ maxLength: ABOUT_MAX_LENGTH, ...severalLines, examples: ['Back on Monday'] }),
    }),
    answers: { 200: ProfileStatus },
    errors: [],
    sdk: 'profile',
    mcp: { tool: true },
    run: {},
  }),
  setProfileName: operation({
    ...onContacts,
    id: 'setProfileName',
    method: 'POST',
    path: '/v1/sessions/{id}/profile/name',
    summary: 'Change the name that the number gives itself',
    params: sessionPath,
    body: closed({ name: line(PROFILE_NAME_MAX_LENGTH, { examples: ['Harbour Café'] }) }),
    answers: { 200: ProfileName },
    errors: [],
    sdk: 'profile',
    mcp: { tool: true },
    run: {},
  }),
  setProfilePhoto: operation({
    ...onContacts,
    id: 'setProfilePhoto',
    method: 'POST',
    path: '/v1/sessions/{id}/profile/photo',
    summary: "Set or remove the number's own photo",
    description:
      'The picture is given by exactly one of `image_url`, `media_id` and `media_base64`; an empty `image_url` removes it.',
    params: sessionPath,
    body: closed(
      { image_url: Type.Optional(HttpUrlOrEmpty), ...otherSources },
      { examples: [{ image_url: 'https://files.example.com/harbour.jpg' }] },
    ),
    bodyRule: (body: PictureSource) => sourceComplaint('image_url', body.image_url, body),
    answers: { 200: GroupPhoto },
    errors: pictureErrors,
    sdk: 'profile',
    mcp: { tool: true },
    run: { body: EXAMPLE_PICTURE },
  }),
  getBlocklist: operation({
    ...onContacts,
    id: 'getBlocklist',
    method: 'GET',
    path: '/v1/sessions/{id}/blocklist',
    summary: 'Read the blocklist',
    params: sessionPath,
    listBound: 'Whom one number blocks, as the specification answers it: the network bounds the list.',
    answers: { 200: Blocklist },
    errors: ['blocklist_in_lid_mode'],
    sdk: 'blocklist',
    mcp: { tool: true },
    run: {},
  }),
  changeBlocklist: operation({
    ...onContacts,
    id: 'changeBlocklist',
    method: 'POST',
    path: '/v1/sessions/{id}/blocklist',
    summary: 'Block or unblock a person',
    params: sessionPath,
    body: closed({ jid: PersonJid, action: BlocklistAction }),
    answers: { 200: Blocklist },
    errors: ['blocklist_in_lid_mode', 'contact_not_found'],
    sdk: 'blocklist',
    mcp: { tool: true },
    run: { body: { jid: '15550002001@s.whatsapp.net', action: 'unblock' } },
  }),
};
