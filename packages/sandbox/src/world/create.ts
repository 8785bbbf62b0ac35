import { createClients } from './devices/clients.ts';
import { createDevices } from './devices/devices.ts';
import { createMailboxes } from './devices/mailbox.ts';
import { createMedia, createVault } from './drawers.ts';
import { createGround, type GroundOptions } from './ground.ts';
import { createChannels } from './groups/channels.ts';
import { createGroupRegister } from './groups/group-register.ts';
import { createGroups } from './groups/groups.ts';
import { createAwaited } from './messages/awaited.ts';
import { createChatStates } from './messages/chat-states.ts';
import { createChats } from './messages/chats.ts';
import { createMessages } from './messages/messages.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { createCalls } from './people/calls.ts';
import { createBlocklists, createContacts } from './people/contacts.ts';
import { createPhones } from './people/phones.ts';
import { createPhotos } from './people/photos.ts';
import { createPresence } from './people/presence.ts';
import { createAddressRules } from './rules/address-rules.ts';
import { createFaults } from './rules/faults.ts';
import { createTokens } from './rules/tokens.ts';
import { createSanctions } from './standing/sanctions.ts';
import { createStanding } from './standing/standing.ts';
import type { Addressing, PhoneNumber } from './types.ts';
import type { World } from './world.ts';

export interface WorldOptions extends GroundOptions {
  /** How the network addresses people who do not say; `lid` by default. */
  addressing?: Addressing;
  /** Whether messages are refused for how they are addressed; they are, unless told otherwise. */
  strictAddressing?: boolean;
}

/** Opens the network kept in `file` (or a passing one, `:memory:`). */
export function createWorld({
  addressing = 'lid',
  strictAddressing = true,
  ...options
}: WorldOptions): World {
  const ground = createGround(options);
  const { db, clock } = ground;

  /** Whose address books this person is in. */
  const acquaintancesOf = (phone: PhoneNumber): PhoneNumber[] =>
    db
      .all<{ owner: string }>('SELECT owner FROM contacts WHERE phone = ?', phone)
      .map((contact) => contact.owner);

  const post = createMailboxes({ ground, onConnectionChange: (id) => presence.connectionChanged(id) });
  const phones = createPhones({
    ground,
    defaultAddressing: addressing,
    tellAcquaintances(person, changes) {
      for (const owner of acquaintancesOf(person.phone)) {
        post.tell(owner, { kind: 'profile', person, ...changes, at: clock.now() });
      }
    },
  });
  const chats = createChats({ ground, phones });
  const register = createGroupRegister({ ground, phones, chats });
  const contacts = createContacts({ ground, phones, post });
  const blocklists = createBlocklists({ ground, phones, post });
  const isBlocked = blocklists.has;
  const presence = createPresence({
    ground,
    phones,
    chats,
    post,
    isBlocked,
    othersIn: register.others,
    isMember: (group, phone) => register.role(group, phone) !== undefined,
  });
  const groups = createGroups({ ground, phones, chats, register, post, isBlocked });
  const photos = createPhotos({ ground, phones, groups: register, post, acquaintancesOf });
  const awaited = createAwaited({ ground, phones, post });
  const tokens = createTokens({ ground, phones, post });
  const vault = createVault(ground);
  const standing = createStanding({ ground, phones, chats, post, vault });
  const { table, ...messages } = createMessages({
    ground,
    phones,
    chats,
    register,
    groups,
    post,
    awaited,
    isBlocked,
    contactsOf: (phone) => contacts.list(phone).map((contact) => contact.phone),
    typingEndedBySending: presence.typingEndedBySending,
    issueOnWriting: tokens.issueOnWriting,
    startedChat: standing.startedChat,
  });

  const calls = createCalls({ ground, phones, post, isBlocked });
  const sanctions = createSanctions({ ground, phones, post });

  return {
    phones,
    devices: createDevices({
      ground,
      phones,
      post,
      correspondentsOf: (phone) => new Set([...acquaintancesOf(phone), ...chats.partnersOf(phone)]),
    }),
    mailboxes: post,
    messages,
    awaited,
    chatStates: createChatStates({ ground, chats, table, post }),
    tokens,
    addressRules: createAddressRules({ phones, tokens, isStrict: strictAddressing }),
    groups,
    channels: createChannels({ ground, post, storePhoto: photos.store }),
    contacts,
    blocklists,
    photos,
    presence,
    calls,
    media: createMedia(ground),
    faults: createFaults({ ground, post, sanctions }),
    sanctions,
    standing,
    clients: createClients(vault),
    passkeys: createPasskeys({ ground, phones, vault, random: options.random }),
    vault,
    transaction: ground.act,
    close() {
      post.close();
      presence.close();
      calls.close();
      db.close();
    },
  };
}
