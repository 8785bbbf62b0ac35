import { Curve, type KeyPair, signedKeyPair } from 'baileys';
import type { PhoneNumber, Vault } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';

/** The long-lived Signal keys of a virtual phone. The identity key also signs linked devices. */
interface PhoneKeys {
  readonly identity: KeyPair;
  readonly registrationId: number;
  readonly signedPreKey: {
    readonly keyId: number;
    readonly keyPair: KeyPair;
    readonly signature: Uint8Array;
  };
}

interface PreKey {
  readonly keyId: number;
  readonly keyPair: KeyPair;
}

/** Created on first use, then constant. One-time pre-keys are created on request, so they never run out. */
export interface PhoneKeyring {
  of(phone: PhoneNumber): PhoneKeys;
  /** A pre-key that was never given out before. */
  issuePreKey(phone: PhoneNumber): PreKey;
  preKey(phone: PhoneNumber, keyId: number): KeyPair | undefined;
  /** A pre-key opens one session only. */
  consumePreKey(phone: PhoneNumber, keyId: number): void;
}

const KEYS_SCOPE = 'signal.phone-keys';
const preKeyScope = (phone: PhoneNumber): string => `signal.pre-keys.${phone}`;
const counterScope = 'signal.pre-key-counters';
const MAX_PRE_KEY_ID = 0xff_ffff;

export function createPhoneKeyring({ vault, random }: { vault: Vault; random: Random }): PhoneKeyring {
  const nextPreKeyId = (phone: PhoneNumber): number => {
    const last = vault.read(counterScope, phone);
    const next = last ? (fromBytes<number>(last) % MAX_PRE_KEY_ID) + 1 : 1;
    vault.write(counterScope, phone, toBytes(next));
    return next;
  };

  return {
    of(phone) {
      const kept = vault.read(KEYS_SCOPE, phone);
      if (kept) return fromBytes<PhoneKeys>(kept);
      const identity = Curve.generateKeyPair();
      const keys: PhoneKeys = {
        identity,
        registrationId: Buffer.from(random.bytes(2)).readUInt16BE() & 0x3fff,
        signedPreKey: signedKeyPair(identity, 1),
      };
      vault.write(KEYS_SCOPE, phone, toBytes(keys));
      return keys;
    },

    issuePreKey(phone) {
      const preKey: PreKey = { keyId: nextPreKeyId(phone), keyPair: Curve.generateKeyPair() };
      vault.write(preKeyScope(phone), String(preKey.keyId), toBytes(preKey.keyPair));
      return preKey;
    },

    preKey(phone, keyId) {
      const kept = vault.read(preKeyScope(phone), String(keyId));
      return kept && fromBytes<KeyPair>(kept);
    },

    consumePreKey(phone, keyId) {
      vault.erase(preKeyScope(phone), String(keyId));
    },
  };
}
