import {
  operations,
  type ProfilePicture,
  type Contact as PublicContact,
  type Identity as PublicIdentity,
  type UserInfo as PublicUserInfo,
  parseUsername,
  phoneDigits,
  USER_DOMAIN,
  VALIDATION_BATCH_MAX_USERNAMES,
  type ValidatedNumber,
  type WrittenUsername,
} from '@parley/contract';
import { apiError } from '#kernel';
import type { MediaAccess } from '#media';
import type { Contact, FoundByUsername, Identity, LookUpResult, Photo, UserInfo } from '#network';
import type { OwnedNumber, Route } from '#platform/http';
import { findByUsername, type GetHost, type HostAction, lookUpUsername } from '#sessions';
import { type ActionContext, createActionServer, refusalOf } from './serve-action.ts';
import { type NewPicture, newPicture, sharePicture, type TempFiles } from './temp-files.ts';

export interface ContactActions {
  /** Returns the id of the picture. */
  readonly setOwnPhoto: HostAction<NewPicture, string>;
}

export function createContactActions({ files }: { files: TempFiles }): ContactActions {
  return {
    setOwnPhoto: {
      name: 'setProfilePhoto',
      run: ({ number, session: { contacts } }, picture) =>
        sharePicture(files, number.accountId, picture, (image) => contacts.setOwnPhoto(image)),
    },
  };
}

interface ContactsContext extends ActionContext {
  readonly actions: ContactActions;
  readonly media: Pick<MediaAccess, 'idOf'>;
}

export function contactsRoutes({ getHost, states, actions, media }: ContactsContext): Route[] {
  const serveAction = createActionServer({ states });
  return [
    serveAction(operations.listContacts, {}, async ({ number }) => {
      const contacts = await getHost(number).contacts.list();
      return { contacts: contacts.map(publicContact) };
    }),
    serveAction(operations.getContact, { not_found: 'contact_not_found' }, async ({ number, params }) =>
      publicUserInfo(await getHost(number).contacts.info(params.jid)),
    ),
    serveAction(
      operations.getContactPhoto,
      { not_found: 'photo_not_set', refused: 'photo_hidden' },
      async ({ number, params, query }) => {
        const size = query.preview ? 'preview' : 'full';
        return publicPhoto(await getHost(number).contacts.photo(params.jid, size));
      },
    ),
    serveAction(
      operations.getIdentity,
      { not_found: 'contact_not_found', malformed: 'contact_not_found' },
      async ({ number, query: { phone, lid, username, key } }) => {
        if ([phone, lid, username].filter((each) => each !== undefined).length !== 1)
          throw apiError('invalid_field', { text: 'give exactly one of phone, lid and username' });
        if (username === undefined)
          return getHost(number).contacts.identify(lid ?? `${phone}@${USER_DOMAIN}`);
        const written = { username: username.replace(/^@/, ''), ...(key !== undefined && { key }) };
        return publicIdentity(await findByUsername(getHost, number, written));
      },
    ),
    serveAction(operations.setProfileStatus, {}, async ({ number, body }) => {
      await getHost(number).contacts.setAbout(body.status);
      return { status: body.status };
    }),
    serveAction(operations.setProfileName, {}, async ({ number, body }) => {
      await getHost(number).contacts.setOwnName(body.name);
      return { name: body.name };
    }),
    serveAction(
      operations.setProfilePhoto,
      { malformed: 'picture_unusable' },
      async ({ caller, number, body }) => ({
        picture_id: await getHost(number).run(actions.setOwnPhoto, await newPicture(media, caller, body)),
      }),
    ),
    serveAction(operations.getBlocklist, { malformed: 'blocklist_in_lid_mode' }, async ({ number }) => ({
      blocklist: [...(await getHost(number).contacts.blocklist())],
    })),
    serveAction(
      operations.changeBlocklist,
      { not_found: 'contact_not_found', malformed: (call) => errorForBlock(getHost, call) },
      async ({ number, body }) => ({
        blocklist: [...(await getHost(number).contacts.changeBlocklist(body.jid, body.action))],
      }),
    ),
    serveAction(operations.validateNumbers, {}, async ({ number, body, signal }) => ({
      results: await validateNumbers(body.numbers, {
        numbers: (numbers) => getHost(number).contacts.lookUp(numbers),
        signal,
        username: (written) => lookUpUsername(getHost, number, written),
      }),
    })),
  ];
}

interface AboutContact {
  readonly number: OwnedNumber;
  readonly body: { readonly jid: string };
}

/**
 * The network answers alike for the blocklist of accounts in LID mode, for unknown people, and for the number itself.
 */
async function errorForBlock(
  getHost: GetHost,
  { number, body }: AboutContact,
): Promise<'blocklist_in_lid_mode' | 'contact_not_found' | 'network_rejects'> {
  if ((await refusalOf(getHost(number).contacts.blocklist())) === 'malformed') {
    return 'blocklist_in_lid_mode';
  }
  const isUnknown = (await refusalOf(getHost(number).contacts.info(body.jid))) === 'not_found';
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

interface LookUps {
  readonly numbers: (numbers: readonly string[]) => Promise<readonly LookUpResult[]>;
  /** Aborts when the caller has gone. */
  readonly signal?: AbortSignal;
  /** Undefined when no number has it. */
  readonly username: (written: WrittenUsername) => Promise<FoundByUsername | undefined>;
}

/**
 * One result for each number or username, in order. Each valid one is looked up on the network once, invalid ones
 * never.
 */
export async function validateNumbers(
  asked: readonly string[],
  { numbers, username, signal }: LookUps,
): Promise<ValidatedNumber[]> {
  const names = new Map(asked.flatMap((text) => entryOf(text, parseUsername(text))));
  if (names.size > VALIDATION_BATCH_MAX_USERNAMES) throw tooMany();
  const digits = new Map(asked.flatMap((text) => entryOf(text, phoneDigits(text))));
  const found = new Map((await numbers([...new Set(digits.values())])).map((one) => [one.number, one]));
  const people = new Map<string, FoundByUsername | undefined>();
  // One at a time: the network looks up each name separately, and limits lookups.
  for (const [text, written] of names) {
    if (signal?.aborted) break;
    people.set(text, await username(written));
  }
  return asked.map((text) => {
    const number = digits.get(text);
    if (number !== undefined) return { query: `+${number}`, ...registration(found.get(number)) };
    return { query: text, ...personOf(people.get(text)) };
  });
}

function entryOf<T>(text: string, read: T | null): [string, T][] {
  return read === null ? [] : [[text, read]];
}

function tooMany(): Error {
  const text = `at most ${VALIDATION_BATCH_MAX_USERNAMES} usernames can be checked at once`;
  return apiError('invalid_field', { text });
}

type Result = Omit<ValidatedNumber, 'query'>;

function registration(result: LookUpResult | undefined): Result {
  if (result?.jid === undefined) return { on_messenger: false };
  const { jid, verifiedName } = result;
  return { on_messenger: true, jid, ...(verifiedName && { verified_name: verifiedName }) };
}

function personOf(found: FoundByUsername | undefined): Result {
  if (!found) return { on_messenger: false };
  return found.kind === 'guarded'
    ? { on_messenger: true, key_required: true }
    : { on_messenger: true, jid: found.chat };
}
