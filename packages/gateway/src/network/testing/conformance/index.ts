import { describe } from 'vitest';
import { describeChannels } from './channels.ts';
import { describeConnection } from './connection.ts';
import { describeContacts } from './contacts.ts';
import { describeDurability } from './durability.ts';
import { describeErrors } from './errors.ts';
import { describeGroups } from './groups.ts';
import type { CreateHarness } from './harness.ts';
import { describeInbound } from './inbound.ts';
import { describeInboundMedia } from './inbound-media.ts';
import { describePairing } from './pairing.ts';
import { describePresenceAndCalls } from './presence-and-calls.ts';
import { describeReceipts } from './receipts.ts';
import { describeRefusals } from './refusals.ts';
import { describeSending } from './sending.ts';
import { describeSendingToMany } from './sending-to-many.ts';

export type { CreateHarness } from './harness.ts';

/** Registers the tests that every driver of the network port must pass. */
export function describeNetworkDriver(name: string, createHarness: CreateHarness): void {
  describe(`${name} network driver`, () => {
    describePairing(createHarness);
    describeConnection(createHarness);
    describeRefusals(createHarness);
    describeSending(createHarness);
    describeSendingToMany(createHarness);
    describeInbound(createHarness);
    describeInboundMedia(createHarness);
    describeReceipts(createHarness);
    describeGroups(createHarness);
    describeContacts(createHarness);
    describeChannels(createHarness);
    describePresenceAndCalls(createHarness);
    describeDurability(createHarness);
    describeErrors(createHarness);
  });
}
