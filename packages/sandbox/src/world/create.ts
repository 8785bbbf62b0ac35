import { createAddressRules } from './address-rules.ts';
import { createAwaited } from './awaited.ts';
import { createCalls } from './calls.ts';
import { createChannels } from './channels.ts';
import { createChatStates } from './chat-states.ts';
import { createChats } from './chats.ts';
import { createClients } from './clients.ts';
import { createBlocklists, createContacts } from './contacts.ts';
import { createDevices } from './devices.ts';
import { createMedia, createVault } from './drawers.ts';
import { createFaults } from './faults.ts';
import { createGround, type GroundOptions } from './ground.ts';
import { createGroupRegister } from './group-register.ts';
import { createGroups } from './groups.ts';
import { createMailboxes } from './mailbox.ts';
import { createMessages } from './messages.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { createPhones } from './phones.ts';
import { createPhotos } from './photos.ts';
import { createPresence } from './presence.ts';
import { createSanctions } from './standing/sanctions.ts';
import { createStanding } from './standing/standing.ts';
import { createTokens } from './tokens.ts';
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
    chatStates: createChatStates({ ground, chats, table }),
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
