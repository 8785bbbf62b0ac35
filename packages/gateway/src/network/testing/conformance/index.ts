import { describe } from 'vitest';
import { describeChanges } from './changes.ts';
import { describeChannels } from './channels.ts';
import { describeChats } from './chats.ts';
import { describeConnection } from './connection.ts';
import { describeContacts } from './contacts.ts';
import { describeDurability } from './durability.ts';
import { describeErrors } from './errors.ts';
import { describeGroups } from './groups.ts';
import type { CreateHarness } from './harness.ts';
import { describeInbound } from './inbound.ts';
import { describeInboundMedia } from './inbound-media.ts';
import { describeOwnMessages } from './own-messages.ts';
import { describePairing } from './pairing.ts';
import { describePasskey } from './passkey.ts';
import { describePresenceAndCalls } from './presence-and-calls.ts';
import { describeReceipts } from './receipts.ts';
import { describeRefusals } from './refusals.ts';
import { describeSending } from './sending.ts';
import { describeSendingToMany } from './sending-to-many.ts';
import { describeStanding } from './standing.ts';

export type { CreateHarness } from './harness.ts';

const CHAPTERS = {
  pairing: describePairing,
  passkey: describePasskey,
  connection: describeConnection,
  refusals: describeRefusals,
  sending: describeSending,
  'sending to many': describeSendingToMany,
  inbound: describeInbound,
  'inbound media': describeInboundMedia,
  'own messages': describeOwnMessages,
  receipts: describeReceipts,
  groups: describeGroups,
  changes: describeChanges,
  contacts: describeContacts,
  chats: describeChats,
  channels: describeChannels,
  'presence and calls': describePresenceAndCalls,
  durability: describeDurability,
  errors: describeErrors,
  standing: describeStanding,
};

type Chapter = keyof typeof CHAPTERS;

/** Those in which it counts how the network addresses people. */
export const ABOUT_PEOPLE: readonly Chapter[] = [
  'sending',
  'sending to many',
  'inbound',
  'own messages',
  'receipts',
  'groups',
  'changes',
  'contacts',
  'chats',
  'presence and calls',
];

/** Besides those, what must not depend on it. The others (linking, connections, channels) never name anybody. */
export const AMONG_PEOPLE: readonly Chapter[] = [...ABOUT_PEOPLE, 'inbound media', 'durability', 'errors'];

/** Registers the tests that every driver of the network port must pass; in a world that differs from the usual one, those that it is about. */
export function describeNetworkDriver(
  name: string,
  createHarness: CreateHarness,
  chapters: readonly string[] = Object.keys(CHAPTERS),
): void {
  describe(`${name} network driver`, () => {
    for (const [chapter, register] of Object.entries(CHAPTERS)) {
      if (chapters.includes(chapter)) register(createHarness);
    }
  });
}
