import { createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import { Curve, type KeyPair } from 'baileys';

/** The phone's half of linking with a passkey: what it checks, and what it computes by itself. */

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const IV_BYTES = 12;
const CODE_BYTES = 5;
const CODE_BITS = 5n;
/** No I, O, U, and no zero. */
const CODE_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTVWXYZ';

/** Whether who wants to be linked knows what this phone has scanned, or agreed upon by code: both stand before each other. */
export function provesHandoff(secret: Buffer, payload: Buffer, proof: Buffer): boolean {
  const key = hkdfSync('sha256', secret, '', 'shortcake-passkey-handoff-v1', KEY_BYTES);
  const expected = createHmac('sha256', Buffer.from(key)).update(payload).digest();
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}

/** Whether this is the nonce that was chosen before the phone's own was known. */
export function opensCommitment(hash: Uint8Array, identity: Uint8Array, nonce: Buffer): boolean {
  return createHash('sha256').update(identity).update(nonce).digest().equals(hash);
}

export function codeToCompare(companionNonce: Buffer, publicKey: Uint8Array, nonce: Uint8Array): string {
  const digest = createHash('sha256').update(companionNonce).update(publicKey).digest();
  let bits = 0n;
  for (let at = 0; at < CODE_BYTES; at += 1) {
    bits = (bits << 8n) | BigInt((nonce[at] ?? 0) ^ (digest[at] ?? 0));
  }
  const mask = (1n << CODE_BITS) - 1n;
  const letters = Array.from({ length: (CODE_BYTES * 8) / Number(CODE_BITS) }, (_, place) =>
    CODE_ALPHABET.charAt(Number((bits >> (CODE_BITS * BigInt(place))) & mask)),
  );
  return letters.reverse().join('');
}

export interface Channel {
  readonly ephemeral: KeyPair;
  readonly companionEphemeral: Uint8Array;
  readonly deviceType: number;
  readonly ref: string;
}

/** What is inside, or undefined when it was sealed for somebody else. */
export function openPairingRequest(
  { ephemeral, companionEphemeral, deviceType, ref }: Channel,
  { sealed, iv }: { sealed: Uint8Array; iv: Uint8Array },
): Buffer | undefined {
  if (iv.length !== IV_BYTES || sealed.length < TAG_BYTES) return undefined;
  const shared = Curve.sharedKey(ephemeral.private, companionEphemeral);
  const salt = `Companion Pairing ${deviceType} with ref ${ref}`;
  const key = hkdfSync('sha256', shared, salt, 'Pairing Information Encryption Key', KEY_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), iv);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return decoded(() => Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]));
}
