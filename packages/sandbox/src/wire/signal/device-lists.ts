import { createHash } from 'node:crypto';
import { Curve, proto } from 'baileys';
import type { PhoneNumber, World } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import { rawIdOf } from '../pairing/device-identity.ts';
import { type Clock, unixSeconds } from '../ports.ts';
import { type Node, node } from '../transport/nodes.ts';
import type { Companions } from './companions.ts';
import type { PhoneKeyring } from './phone-keys.ts';

/** What a phone says of the devices of its account. */
export interface DeviceLists {
  /** The list that the phone has signed, for those who query the devices. */
  signed(phone: PhoneNumber): Node;
  /** Its time alone, where a device has left. */
  changed(phone: PhoneNumber): Node;
  /** The state of the lists of both sides, inside each message of a phone; of a group that of the author alone. */
  metadata(sender: PhoneNumber, recipient: PhoneNumber | undefined): proto.IMessageContextInfo;
}

interface DeviceList {
  readonly devices: readonly number[];
  readonly timestamp: number;
}

const SCOPE = 'device.lists';
const LIST_SIGNATURE_PREFIX = Buffer.from([6, 2]);
const HASH_BYTES = 10;
const METADATA_VERSION = 2;

export function createDeviceLists({
  world: { vault, handsets, phones, devices },
  clock,
  keyring,
  companions,
}: {
  world: Pick<World, 'vault' | 'handsets' | 'phones' | 'devices'>;
  clock: Clock;
  keyring: PhoneKeyring;
  companions: Pick<Companions, 'read'>;
}): DeviceLists {
  /** The time is that of the last change. */
  const listOf = (phone: PhoneNumber): DeviceList => {
    const handset = handsets.keyOf(phone);
    const now = phones.deviceNumbers(phone);
    const kept = vault.read(SCOPE, handset);
    const before = kept && fromBytes<DeviceList>(kept);
    if (before?.devices.join() === now.join()) return before;
    const list = { devices: now, timestamp: unixSeconds(clock) };
    vault.write(SCOPE, handset, toBytes(list));
    return list;
  };

  const hashOf = (phone: PhoneNumber): Buffer => {
    const keys = devices.of(phone).map((device) => Buffer.from(companions.read(device).identityKey));
    const all = [Buffer.from(keyring.of(phone).identity.public), ...keys].toSorted(Buffer.compare);
    return createHash('sha256').update(Buffer.concat(all)).digest().subarray(0, HASH_BYTES);
  };

  return {
    signed(phone) {
      const { identity } = keyring.of(phone);
      const { devices: validIndexes, timestamp } = listOf(phone);
      const details = proto.ADVKeyIndexList.encode({
        rawId: rawIdOf(identity.public),
        timestamp,
        currentIndex: Math.max(...validIndexes),
        validIndexes: [...validIndexes],
        accountType: proto.ADVEncryptionType.E2EE,
      }).finish();
      const list = proto.ADVSignedKeyIndexList.encode({
        details,
        accountSignature: Curve.sign(identity.private, Buffer.concat([LIST_SIGNATURE_PREFIX, details])),
        accountSignatureKey: identity.public,
      }).finish();
      return node('key-index-list', { ts: timestamp }, list);
    },

    changed: (phone) => node('key-index-list', { ts: listOf(phone).timestamp }),

    metadata(sender, recipient) {
      const { E2EE } = proto.ADVEncryptionType;
      return {
        deviceListMetadata: {
          senderKeyHash: hashOf(sender),
          senderTimestamp: listOf(sender).timestamp,
          senderAccountType: E2EE,
          ...(recipient !== undefined && {
            recipientKeyHash: hashOf(recipient),
            recipientTimestamp: listOf(recipient).timestamp,
            receiverAccountType: E2EE,
          }),
        },
        deviceListMetadataVersion: METADATA_VERSION,
      };
    },
  };
}
