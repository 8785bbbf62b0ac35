import {
  directJid,
  lidJid,
  type Person,
  type PhoneNumber,
  shownNumber,
  userJid,
  type World,
  WorldError,
} from '@parley/sandbox/world';
import type { Jid } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { ContactOperations, Identity, UserInfo } from '../../operations.ts';
import { nameOf } from './inbound.ts';
import { ask, type Link, phoneAt } from './link.ts';
import { readMediaFile } from './media.ts';

export function createContactOperations(link: Link): ContactOperations {
  const { phones, contacts, photos, blocklists } = link.world;
  return {
    async list() {
      const device = link.device();
      if (!device) return [];
      return contacts.list(device.phone).map(({ phone, firstName, fullName, pushName, businessName }) => ({
        jid: userJid(phone),
        firstName,
        fullName,
        pushName,
        businessName: businessName ?? '',
      }));
    },
    info: (contact) => ask(link, (device) => userInfo(link.world, device.phone, contact), 'users'),
    photo: (contact, size) =>
      ask(
        link,
        (device) => {
          const { id, type } = photos.get(device.phone, contact, size === 'full' ? 'image' : 'preview');
          return { id, type, url: `https://photos.invalid/${id}/${type}` };
        },
        'pictures',
      ),
    setAbout: (about) =>
      ask(link, (device) => {
        phones.update(device, { about });
      }),
    setOwnName: (name) =>
      ask(link, (device) => {
        phones.update(device, { name });
      }),
    setOwnPhoto: (image) =>
      ask(link, async (device) => {
        const bytes = image ? await readMediaFile(image) : undefined;
        return photos.set(device, userJid(device.phone), bytes) ?? '';
      }),
    blocklist: () => ask(link, (device) => addresses(blocklists.of(device.phone))),
    changeBlocklist: (contact, action) =>
      ask(link, (device) => addresses(blocklists[action](device, contact))),
    identify: (who) =>
      ask(link, () => {
        const found = phoneAt(link.world, who);
        if (!found) throw new NetworkError('not_found', 'The contact is not registered on the network.');
        return identityOf(found, who);
      }),
    findByUsername: (username, key) =>
      ask(link, () => {
        const found = phones.findByUsername(username);
        if (!found) throw new NetworkError('not_found', 'No account has this username.');
        if (found.usernameKey !== undefined && found.usernameKey !== key) {
          return { kind: 'guarded', given: key !== undefined };
        }
        return { kind: 'found', chat: nameOf(found), ...identityOf(found, username) };
      }),
    lookUp: (numbers) =>
      ask(
        link,
        () =>
          numbers.map((number) => {
            const found = phoneAt(link.world, number);
            if (!found) return { number };
            const { phone, businessName } = found;
            return { number, jid: userJid(phone), ...(businessName && { verifiedName: businessName }) };
          }),
        'users',
      ),
  };
}

function userInfo(world: World, viewer: PhoneNumber, contact: Jid): UserInfo {
  const found = world.phones.find(contact);
  if (!found) throw new NetworkError('not_found', 'The contact is not registered on the network.');
  const { phone, about, businessName } = found;
  return {
    about,
    pictureId: visiblePictureId(world, viewer, contact),
    ...(businessName && { verifiedName: businessName }),
    devices: world.phones.deviceNumbers(phone).map((device) => ({ jid: userJid(phone), device })),
  };
}

/** Empty when there is no photo or it is hidden: others cannot distinguish the two. */
function visiblePictureId(world: World, viewer: PhoneNumber, contact: Jid): string {
  try {
    return world.photos.get(viewer, contact, 'preview').id;
  } catch (error) {
    if (error instanceof WorldError) return '';
    throw error;
  }
}

/** A person who knows the number may see it. */
function identityOf(person: Person, asked: string): Identity {
  const jid = asked.startsWith(person.phone) ? userJid(person.phone) : shownNumber(person);
  const { username } = person;
  return { ...(jid && { jid }), lid: lidJid(person.lid), ...(username && { username }) };
}

const addresses = (persons: readonly Person[]): Jid[] => persons.map(directJid);
