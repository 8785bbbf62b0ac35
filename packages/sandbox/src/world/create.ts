import { createClients } from './devices/clients.ts';
import { createDevices } from './devices/devices.ts';
import { createMailboxes } from './devices/mailbox.ts';
import { createChannels } from './groups/channels.ts';
import { createGroupRegister } from './groups/group-register.ts';
import { createGroups } from './groups/groups.ts';
import { createAwaitedMessages } from './messages/awaited-messages.ts';
import { createChatStates } from './messages/chat-states.ts';
import { createChats, directKey } from './messages/chats.ts';
import { createMessages } from './messages/messages.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { createCalls } from './people/calls.ts';
import { createBlocklists, createContacts } from './people/contacts.ts';
import { createHandsets } from './people/handsets.ts';
import { createPhones } from './people/phones.ts';
import { createPhotos } from './people/photos.ts';
import { createPresence } from './people/presence.ts';
import { createPrivacy } from './people/privacy.ts';
import { createAddressRules } from './rules/address-rules.ts';
import { createFaults } from './rules/faults.ts';
import { createTokens } from './rules/tokens.ts';
import { createSanctions } from './standing/sanctions.ts';
import { createStanding } from './standing/standing.ts';
import { createMedia, createVault } from './storage.ts';
import type { Addressing, PhoneNumber } from './types.ts';
import type { World } from './world.ts';
import { createWorldContext, type WorldContextOptions } from './world-context.ts';

export interface WorldOptions extends WorldContextOptions {
  /** Addressing of people who set none; `lid` by default. */
  addressing?: Addressing;
  /** Whether messages are refused for their addressing; on by default. */
  strictAddressing?: boolean;
}

/** Opens the network kept in `file`, or a temporary one with `:memory:`. */
export function createWorld({
  addressing = 'lid',
  strictAddressing = true,
  ...options
}: WorldOptions): World {
  const context = createWorldContext(options);
  const { db, clock } = context;

  /** Owners of the address books that contain this person. */
  const contactOwnersOf = (phone: PhoneNumber): PhoneNumber[] =>
    db
      .all<{ owner: string }>('SELECT owner FROM contacts WHERE phone = ?', phone)
      .map((contact) => contact.owner);

  const mailboxes = createMailboxes({ context, onConnectionChange: (id) => presence.connectionChanged(id) });
  const phones = createPhones({
    context,
    defaultAddressing: addressing,
    notifyContactOwners(person, changes) {
      for (const owner of contactOwnersOf(person.phone)) {
        if (!privacy.lets(person.phone, 'status', owner)) continue;
        mailboxes.notify(owner, { kind: 'profile', person, ...changes, at: clock.now() });
      }
    },
  });
  const chats = createChats({ context, phones });
  const register = createGroupRegister({ context, phones, chats });
  const contacts = createContacts({ context, phones, mailboxes });
  const blocklists = createBlocklists({ context, phones, mailboxes });
  const isBlocked = blocklists.has;
  const privacy = createPrivacy({
    context,
    phones,
    hasContact: (owner, phone) => contactOwnersOf(phone).includes(owner),
    hasChat: (phone, other) => chats.wasOpened(directKey(phone, other)),
  });
  const presence = createPresence({
    context,
    phones,
    chats,
    mailboxes,
    isBlocked,
    privacy,
    othersIn: register.others,
    isMember: (group, phone) => register.role(group, phone) !== undefined,
  });
  const groups = createGroups({ context, phones, chats, register, mailboxes, isBlocked, privacy });
  const photos = createPhotos({ context, phones, groups: register, mailboxes, contactOwnersOf, privacy });
  const awaited = createAwaitedMessages({ context, phones, mailboxes });
  const tokens = createTokens({ context, phones, mailboxes });
  const vault = createVault(context);
  const standing = createStanding({ context, phones, chats, mailboxes, vault });
  const { table, ...messages } = createMessages({
    context,
    phones,
    chats,
    register,
    groups,
    mailboxes,
    awaited,
    isBlocked,
    privacy,
    contactsOf: (phone) => contacts.list(phone).map((contact) => contact.phone),
    typingEndedBySending: presence.typingEndedBySending,
    issueOnWriting: tokens.issueOnWriting,
    startedChat: standing.startedChat,
  });

  const calls = createCalls({
    context,
    phones,
    mailboxes,
    // a call that its callee does not want does not ring
    isBlocked: (owner, phone) => isBlocked(owner, phone) || !privacy.lets(owner, 'calladd', phone),
  });
  const sanctions = createSanctions({ context, phones, mailboxes });

  const correspondentsOf = (phone: PhoneNumber): Set<PhoneNumber> =>
    new Set([...contactOwnersOf(phone), ...chats.partnersOf(phone)]);
  const devices = createDevices({ context, phones, mailboxes, correspondentsOf });

  return {
    phones,
    handsets: createHandsets({ context, phones, devices, register, mailboxes, correspondentsOf }),
    devices,
    mailboxes: mailboxes,
    messages,
    awaited,
    chatStates: createChatStates({ context, chats, table, mailboxes }),
    tokens,
    addressRules: createAddressRules({ phones, tokens, isStrict: strictAddressing }),
    groups,
    channels: createChannels({ context, mailboxes, storePhoto: photos.store }),
    contacts,
    blocklists,
    photos,
    privacy,
    presence,
    calls,
    media: createMedia(context),
    faults: createFaults({ context, mailboxes, sanctions }),
    sanctions,
    standing,
    clients: createClients(vault),
    passkeys: createPasskeys({ context, phones, vault, random: options.random }),
    vault,
    transaction: context.act,
    close() {
      mailboxes.close();
      presence.close();
      calls.close();
      db.close();
    },
  };
}
