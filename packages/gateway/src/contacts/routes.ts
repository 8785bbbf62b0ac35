import {
  operations,
  type ProfilePicture,
  type Contact as PublicContact,
  type Identity as PublicIdentity,
  type UserInfo as PublicUserInfo,
  USER_DOMAIN,
} from '@parley/contract';
import { type ActionContext, createActionServer, newPicture, refusalOf } from '#actions';
import type { OwnedNumber, Route } from '#http';
import { fault } from '#kernel';
import type { MediaAccess } from '#media';
import type { Contact, Identity, Photo, UserInfo } from '#network';
import { type CallSession, findByUsername, lookUpUsername } from '#sessions';
import type { ContactActions } from './host-actions.ts';
import { validateNumbers } from './validate.ts';

interface ContactsContext extends ActionContext {
  readonly actions: ContactActions;
  readonly media: Pick<MediaAccess, 'idOf'>;
}

export function contactsRoutes({ callSession, states, actions, media }: ContactsContext): Route[] {
  const serveAction = createActionServer({ states });
  return [
    serveAction(operations.listContacts, {}, async ({ number }) => {
      const contacts = await callSession(number, 'contacts.list', []);
      return { contacts: contacts.map(publicContact) };
    }),
    serveAction(operations.getContact, { not_found: 'contact_not_found' }, async ({ number, params }) =>
      publicUserInfo(await callSession(number, 'contacts.info', [params.jid])),
    ),
    serveAction(
      operations.getContactPhoto,
      { not_found: 'photo_not_set', refused: 'photo_hidden' },
      async ({ number, params, query }) => {
        const size = query.preview ? 'preview' : 'full';
        return publicPhoto(await callSession(number, 'contacts.photo', [params.jid, size]));
      },
    ),
    serveAction(
      operations.getIdentity,
      { not_found: 'contact_not_found', malformed: 'contact_not_found' },
      async ({ number, query: { phone, lid, username, key } }) => {
        if ([phone, lid, username].filter((each) => each !== undefined).length !== 1)
          throw fault('invalid_field', { text: 'give exactly one of phone, lid and username' });
        if (username === undefined)
          return callSession(number, 'contacts.identify', [lid ?? `${phone}@${USER_DOMAIN}`]);
        const written = { username: username.replace(/^@/, ''), ...(key !== undefined && { key }) };
        return publicIdentity(await findByUsername(callSession, number, written));
      },
    ),
    serveAction(operations.setProfileStatus, {}, async ({ number, body }) => {
      await callSession(number, 'contacts.setAbout', [body.status]);
      return { status: body.status };
    }),
    serveAction(operations.setProfileName, {}, async ({ number, body }) => {
      await callSession(number, 'contacts.setOwnName', [body.name]);
      return { name: body.name };
    }),
    serveAction(
      operations.setProfilePhoto,
      { malformed: 'picture_unusable' },
      async ({ caller, number, body }) => ({
        picture_id: await callSession(number, actions.setOwnPhoto, await newPicture(media, caller, body)),
      }),
    ),
    serveAction(operations.getBlocklist, { malformed: 'blocklist_in_lid_mode' }, async ({ number }) => ({
      blocklist: [...(await callSession(number, 'contacts.blocklist', []))],
    })),
    serveAction(
      operations.changeBlocklist,
      { not_found: 'contact_not_found', malformed: (call) => whyNotBlockable(callSession, call) },
      async ({ number, body }) => ({
        blocklist: [...(await callSession(number, 'contacts.changeBlocklist', [body.jid, body.action]))],
      }),
    ),
    serveAction(operations.validateNumbers, {}, async ({ number, body, signal }) => ({
      results: await validateNumbers(body.numbers, {
        numbers: (numbers) => callSession(number, 'contacts.lookUp', [numbers]),
        signal,
        username: (written) => lookUpUsername(callSession, number, written),
      }),
    })),
  ];
}

interface AboutSomeone {
  readonly number: OwnedNumber;
  readonly body: { readonly jid: string };
}

/** The network rejects the blocklist of accounts in LID mode, people that it does not know, and oneself, all with the same word. */
async function whyNotBlockable(
  callSession: CallSession,
  { number, body }: AboutSomeone,
): Promise<'blocklist_in_lid_mode' | 'contact_not_found' | 'network_rejects'> {
  if ((await refusalOf(callSession(number, 'contacts.blocklist', []))) === 'malformed') {
    return 'blocklist_in_lid_mode';
  }
  const isUnknown = (await refusalOf(callSession(number, 'contacts.info', [body.jid]))) === 'not_found';
  return isUnknown ? 'contact_not_found' : 'network_rejects';
}

function publicIdentity({ jid, lid, username }: Identity): PublicIdentity {
  return { ...(jid && { jid }), ...(lid && { lid }), ...(username && { username }) };
}

function publicContact({ jid, firstName, fullName, pushName, businessName }: Contact): PublicContact {
  return {
    jid,
    first_name: firstName,
    full_name: fullName,
    push_name: pushName,
    business_name: businessName,
  };
}

function publicUserInfo({ about, pictureId, verifiedName, devices }: UserInfo): PublicUserInfo {
  return {
    status: about,
    picture_id: pictureId,
    ...(verifiedName && { verified_name: verifiedName }),
    devices: devices.map(({ jid, device }) => ({ jid, device })),
  };
}

function publicPhoto({ url, id, type }: Photo): ProfilePicture {
  return { picture: { has_picture: true, url, id, type } };
}
