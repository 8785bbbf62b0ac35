import { Curve, type KeyPair, signedKeyPair } from 'baileys';
import type { PhoneNumber, World } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';

/** The long-lived Signal keys of a virtual phone. The identity key also signs linked devices. */
interface PhoneKeys {
  readonly identity: KeyPair;
  readonly registrationId: number;
  readonly signedPreKey: SignedKey;
}

interface SignedKey {
  readonly keyId: number;
  readonly keyPair: KeyPair;
  readonly signature: Uint8Array;
}

interface PreKey {
  readonly keyId: number;
  readonly keyPair: KeyPair;
}

/** Created on first use, then constant until the app is installed anew. One-time pre-keys are created on request, so they never run out. */
export interface PhoneKeyring {
  of(phone: PhoneNumber): PhoneKeys;
  /** A signed pre-key, also one that is no longer given out. */
  signedPreKey(phone: PhoneNumber, keyId: number): KeyPair | undefined;
  /** A pre-key that was never given out before. */
  issuePreKey(phone: PhoneNumber): PreKey;
  preKey(phone: PhoneNumber, keyId: number): KeyPair | undefined;
  /** A pre-key opens one session only. */
  consumePreKey(phone: PhoneNumber, keyId: number): void;
}

const KEYS_SCOPE = 'signal.phone-keys';
const preKeyScope = (handset: string): string => `signal.pre-keys.${handset}`;
const signedPreKeyScope = (handset: string): string => `signal.signed-pre-keys.${handset}`;
const FIRST_SIGNED_KEY = 1;
const counterScope = 'signal.pre-key-counters';
const MAX_PRE_KEY_ID = 0xff_ffff;

export function createPhoneKeyring({
  world: { vault, handsets },
  random,
}: {
  world: Pick<World, 'vault' | 'handsets'>;
  random: Random;
}): PhoneKeyring {
  const nextPreKeyId = (handset: string): number => {
    const last = vault.read(counterScope, handset);
    const next = last ? (fromBytes<number>(last) % MAX_PRE_KEY_ID) + 1 : 1;
    vault.write(counterScope, handset, toBytes(next));
    return next;
  };

  const firstKeys = (handset: string): PhoneKeys => {
    const kept = vault.read(KEYS_SCOPE, handset);
    if (kept) return fromBytes<PhoneKeys>(kept);
    const identity = Curve.generateKeyPair();
    const keys: PhoneKeys = {
      identity,
      registrationId: Buffer.from(random.bytes(2)).readUInt16BE() & 0x3fff,
      signedPreKey: signedKeyPair(identity, FIRST_SIGNED_KEY),
    };
    vault.write(KEYS_SCOPE, handset, toBytes(keys));
    return keys;
  };

  const signedKey = (handset: string, keyId: number): SignedKey | undefined => {
    const kept = vault.read(signedPreKeyScope(handset), String(keyId));
    return kept && fromBytes<SignedKey>(kept);
  };

  return {
    of(phone) {
      const handset = handsets.keyOf(phone);
      const keys = firstKeys(handset);
      const keyId = handsets.signedPreKeyId(phone);
      if (keyId === FIRST_SIGNED_KEY) return keys;
      const known = signedKey(handset, keyId);
      if (known) return { ...keys, signedPreKey: known };
      const signedPreKey = signedKeyPair(keys.identity, keyId);
      vault.write(signedPreKeyScope(handset), String(keyId), toBytes(signedPreKey));
      return { ...keys, signedPreKey };
    },

    signedPreKey(phone, keyId) {
      const handset = handsets.keyOf(phone);
      return keyId === FIRST_SIGNED_KEY
        ? firstKeys(handset).signedPreKey.keyPair
        : signedKey(handset, keyId)?.keyPair;
    },

    issuePreKey(phone) {
      const handset = handsets.keyOf(phone);
      const preKey: PreKey = { keyId: nextPreKeyId(handset), keyPair: Curve.generateKeyPair() };
      vault.write(preKeyScope(handset), String(preKey.keyId), toBytes(preKey.keyPair));
      return preKey;
    },

    preKey(phone, keyId) {
      const kept = vault.read(preKeyScope(handsets.keyOf(phone)), String(keyId));
      return kept && fromBytes<KeyPair>(kept);
    },

    consumePreKey(phone, keyId) {
      vault.erase(preKeyScope(handsets.keyOf(phone)), String(keyId));
    },
  };
}
