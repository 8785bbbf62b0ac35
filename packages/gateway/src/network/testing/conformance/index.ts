import { describe } from 'vitest';
import { describeChanges } from './changes.ts';
import { describeChannels } from './channels.ts';
import { describeChats } from './chats.ts';
import { describeConnection } from './connection.ts';
import { describeContacts } from './contacts.ts';
import { describeDurability } from './durability.ts';
import { describeErrors } from './errors.ts';
import { describeGroups } from './groups.ts';
import { describeHandsets } from './handsets.ts';
import type { CreateHarness } from './harness.ts';
import { describeInbound } from './inbound.ts';
import { describeInboundMedia } from './inbound-media.ts';
import { describeStanding } from './number-health.ts';
import { describeOwnMessages } from './own-messages.ts';
import { describePairing } from './pairing.ts';
import { describePasskey } from './passkey.ts';
import { describePasskeyLogin } from './passkey-login.ts';
import { describePresenceAndCalls } from './presence-and-calls.ts';
import { describeReceipts } from './receipts.ts';
import { describeRefusals } from './refusals.ts';
import { describeSending } from './sending.ts';
import { describeSendingToMany } from './sending-to-many.ts';

export type { CreateHarness } from './harness.ts';

const CHAPTERS = {
  pairing: describePairing,
  passkey: describePasskey,
  'login with a passkey': describePasskeyLogin,
  connection: describeConnection,
  refusals: describeRefusals,
  sending: describeSending,
  'sending to many': describeSendingToMany,
  inbound: describeInbound,
  'inbound media': describeInboundMedia,
  'own messages': describeOwnMessages,
  receipts: describeReceipts,
  handsets: describeHandsets,
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

/** Those that check how the network addresses people. */
export const DIRECT_CHATS: readonly Chapter[] = [
  'sending',
  'sending to many',
  'inbound',
  'own messages',
  'receipts',
  'handsets',
  'groups',
  'changes',
  'contacts',
  'chats',
  'presence and calls',
];

/** Those, and the ones that must not depend on it. The others (linking, connections, channels) address no people. */
export const GROUP_CHATS: readonly Chapter[] = [...DIRECT_CHATS, 'inbound media', 'durability', 'errors'];

/** Registers the tests that every driver of the network port must pass; in a special world, only those that concern it. */
export function describeNetworkDriver(
  name: string,
  createHarness: CreateHarness,
  chapters: readonly string[] = Object.keys(CHAPTERS),
  tags: readonly string[] = [],
): void {
  describe(`${name} network driver`, { tags: [...tags] }, () => {
    for (const [chapter, register] of Object.entries(CHAPTERS)) {
      if (chapters.includes(chapter)) register(createHarness);
    }
  });
}
