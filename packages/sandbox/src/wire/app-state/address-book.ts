import { proto } from 'baileys';
import type { Contact, LinkedDevice, PhoneNumber, World } from '../../world/index.ts';
import { lidJid, readUserAddress, userJid, WorldError } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Collections, Mutation } from './collections.ts';

/** Keeps the address book of a phone and the one in its app state the same, whichever of them was written to. */
export interface AddressBook {
  /** Writes into the app state what it does not say already. */
  publish(owner: PhoneNumber, contact: Contact, removed: boolean): Promise<void>;
  /** All of the phone's contacts; for devices that begin to listen. */
  publishAll(owner: PhoneNumber): Promise<void>;
  /** Carries a linked device's own writing into the world. */
  adopt(device: LinkedDevice, mutations: readonly Mutation[]): void;
}

interface Entry {
  readonly firstName: string;
  readonly fullName: string;
}

export const CONTACTS = 'critical_unblock_low';
const CONTACT_API_VERSION = 2;
const publishedScope = (owner: PhoneNumber): string => `app-state.contacts.${owner}`;
const { SET, REMOVE } = proto.SyncdMutation.SyncdOperation;

export function createAddressBook({
  world,
  collections,
}: {
  world: Pick<World, 'contacts' | 'phones' | 'vault'>;
  collections: Collections;
}): AddressBook {
  const { vault } = world;

  const published = (owner: PhoneNumber, phone: PhoneNumber): Entry | undefined => {
    const kept = vault.read(publishedScope(owner), phone);
    return kept && fromBytes<Entry>(kept);
  };

  const remember = (owner: PhoneNumber, phone: PhoneNumber, entry: Entry | undefined): void => {
    if (entry) vault.write(publishedScope(owner), phone, toBytes(entry));
    else vault.erase(publishedScope(owner), phone);
  };

  const publish: AddressBook['publish'] = async (owner, contact, removed) => {
    const { phone, firstName, fullName, lid } = contact;
    const wanted: Entry | undefined = removed ? undefined : { firstName, fullName };
    const said = published(owner, phone);
    if (wanted?.firstName === said?.firstName && wanted?.fullName === said?.fullName) return;
    remember(owner, phone, wanted);
    await collections.write(owner, {
      type: CONTACTS,
      index: ['contact', userJid(phone)],
      apiVersion: CONTACT_API_VERSION,
      operation: removed ? REMOVE : SET,
      syncAction: {
        contactAction: removed
          ? {}
          : { firstName, fullName, lidJid: lid && lidJid(lid), saveOnPrimaryAddressbook: true },
      },
    });
  };

  const adoptContact = (device: LinkedDevice, { index, value, removed }: Mutation): void => {
    const address = readUserAddress(index[1] ?? '');
    const phone = address && 'phone' in address ? address.phone : world.phones.find(index[1] ?? '')?.phone;
    if (phone === undefined) return;
    const { firstName, fullName } = value.contactAction ?? {};
    const entry: Entry = { firstName: firstName ?? '', fullName: fullName ?? firstName ?? '' };
    remember(device.phone, phone, removed ? undefined : entry);
    if (removed) world.contacts.remove(device, phone);
    else world.contacts.save(device, { phone, ...entry });
  };

  return {
    publish,
    async publishAll(owner) {
      for (const contact of world.contacts.list(owner)) await publish(owner, contact, false);
    },
    adopt(device, mutations) {
      for (const mutation of mutations) {
        try {
          if (mutation.index[0] === 'contact') adoptContact(device, mutation);
          else if (mutation.value.pushNameSetting?.name) {
            world.phones.update(device, { name: mutation.value.pushNameSetting.name });
          }
        } catch (error) {
          // what the patch says stays in the collection, but the world has its own rules
          if (!(error instanceof WorldError)) throw error;
        }
      }
    },
  };
}
