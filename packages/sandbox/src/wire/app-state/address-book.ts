import { proto } from 'baileys';
import type { Contact, LinkedDevice, PhoneNumber, World } from '../../world/index.ts';
import { lidJid, readUserAddress, userJid, WorldError } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import { adoptChatAction } from './chat-actions.ts';
import type { Collections, Mutation } from './collections.ts';
import type { Entry as SyncdEntry } from './syncd.ts';

/** Synchronizes the address book of a phone with the one in its app state, in both directions. */
export interface AddressBook {
  /** Writes a changed contact into the app state. */
  publish(owner: PhoneNumber, contact: Contact, removed: boolean): Promise<void>;
  /** All of the phone's contacts, for a new device. */
  publishAll(owner: PhoneNumber): Promise<void>;
  /** Applies a linked device's own changes to the world. */
  adopt(device: LinkedDevice, mutations: readonly Mutation[]): void;
}

interface Entry {
  readonly firstName: string;
  readonly fullName: string;
}

export const CONTACTS = 'critical_unblock_low';
const CONTACT_API_VERSION = 2;
const publishedScope = (owner: PhoneNumber): string => `app-state.contacts.${owner}`;

export function createAddressBook({
  world,
  collections,
}: {
  world: Pick<World, 'chatStates' | 'contacts' | 'phones' | 'vault'>;
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

  /** The app-state entry for a contact; undefined when the app state has it already. */
  const pendingEntry = (owner: PhoneNumber, contact: Contact, removed: boolean): SyncdEntry | undefined => {
    const { phone, firstName, fullName, lid } = contact;
    const wanted: Entry | undefined = removed ? undefined : { firstName, fullName };
    const said = published(owner, phone);
    if (wanted?.firstName === said?.firstName && wanted?.fullName === said?.fullName) return undefined;
    remember(owner, phone, wanted);
    // a removal needs the kind of its empty entry: by it a client knows the contact
    const action = removed
      ? {}
      : { firstName, fullName, lidJid: lid && lidJid(lid), saveOnPrimaryAddressbook: true };
    return {
      index: ['contact', userJid(phone)],
      version: CONTACT_API_VERSION,
      value: proto.SyncActionValue.encode({ contactAction: action }).finish(),
      removed,
    };
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
    async publish(owner, contact, removed) {
      const entry = pendingEntry(owner, contact, removed);
      if (entry) await collections.write(owner, CONTACTS, [entry]);
    },
    async publishAll(owner) {
      const contacts = world.contacts.list(owner);
      await collections.write(
        owner,
        CONTACTS,
        contacts.flatMap((contact) => pendingEntry(owner, contact, false) ?? []),
      );
    },
    adopt(device, mutations) {
      for (const mutation of mutations) {
        try {
          if (mutation.index[0] === 'contact') adoptContact(device, mutation);
          else if (adoptChatAction(world, device, mutation)) continue;
          else if (mutation.value.pushNameSetting?.name) {
            world.phones.update(device, { name: mutation.value.pushNameSetting.name });
          }
        } catch (error) {
          // the patch stays in the collection, but the world has its own rules
          if (!(error instanceof WorldError)) throw error;
        }
      }
    },
  };
}
