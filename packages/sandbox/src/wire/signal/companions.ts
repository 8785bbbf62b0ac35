import type { LinkedDevice, SessionId, World } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';

/** A linked device's registered keys. Stored as the device's identity in the world. */
export interface Companion {
  /** Its Noise key: a login with any other is refused. */
  readonly noiseKey: Buffer;
  readonly identityKey: Buffer;
  readonly registrationId: number;
  readonly signedPreKey: SignedPreKey;
  /** Whether the device has confirmed the account's keys, contacts and names after its link. */
  readonly introduced: boolean;
}

export interface SignedPreKey {
  readonly keyId: number;
  readonly publicKey: Buffer;
  readonly signature: Buffer;
}

export interface OneTimePreKey {
  readonly keyId: number;
  readonly publicKey: Buffer;
}

export interface Companions {
  read(device: LinkedDevice): Companion;
  update(sessionId: SessionId, changes: Partial<Companion>): void;
  addPreKeys(sessionId: SessionId, preKeys: readonly OneTimePreKey[]): void;
  /** The remaining keys. */
  preKeys(sessionId: SessionId): OneTimePreKey[];
  preKeyCount(sessionId: SessionId): number;
  /** Gives out each uploaded pre-key once; undefined when none is left. */
  takePreKey(sessionId: SessionId): OneTimePreKey | undefined;
  /** Deletes what is stored besides the device's identity. */
  forget(sessionId: SessionId): void;
}

const preKeyScope = (sessionId: SessionId): string => `companion.pre-keys.${sessionId}`;

export const encodeCompanion = (companion: Companion): Uint8Array => toBytes(companion);

/** Below this count a device is asked for more. */
const FEW_PRE_KEYS = 5;

export function createCompanions({
  world,
  onFewPreKeys,
}: {
  world: Pick<World, 'devices' | 'vault' | 'transaction'>;
  onFewPreKeys: (sessionId: SessionId, left: number) => void;
}): Companions {
  const { devices, vault } = world;
  const read = (device: LinkedDevice): Companion => fromBytes<Companion>(device.identity);

  return {
    read,
    update(sessionId, changes) {
      const device = devices.get(sessionId);
      if (device) devices.keep(sessionId, encodeCompanion({ ...read(device), ...changes }));
    },
    addPreKeys(sessionId, preKeys) {
      world.transaction(() => {
        for (const { keyId, publicKey } of preKeys) {
          vault.write(preKeyScope(sessionId), keyId.toString().padStart(8, '0'), publicKey);
        }
      });
    },
    preKeys: (sessionId) => vault.entries(preKeyScope(sessionId)).map(toPreKey),
    preKeyCount: (sessionId) => vault.entries(preKeyScope(sessionId)).length,
    takePreKey(sessionId) {
      const [entry, ...others] = vault.entries(preKeyScope(sessionId), 1 + FEW_PRE_KEYS);
      if (others.length < FEW_PRE_KEYS) onFewPreKeys(sessionId, others.length);
      if (!entry) return undefined;
      vault.erase(preKeyScope(sessionId), entry.key);
      return toPreKey(entry);
    },
    forget(sessionId) {
      vault.eraseScope(preKeyScope(sessionId));
    },
  };
}

function toPreKey({ key, value }: { key: string; value: Uint8Array }): OneTimePreKey {
  return { keyId: Number(key), publicKey: Buffer.from(value) };
}
