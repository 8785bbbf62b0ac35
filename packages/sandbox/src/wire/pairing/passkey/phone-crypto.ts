import { createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import { Curve, type KeyPair } from 'baileys';

/** The phone's half of linking with a passkey: its checks and its computations. */

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const IV_BYTES = 12;
const CODE_BYTES = 5;
const CODE_BITS = 5n;
/** No I, O, U, and no zero. */
const CODE_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTVWXYZ';

/** Whether the client knows the secret that this phone scanned or agreed by code: proof that both are in one place. */
export function isHandoffProof(secret: Buffer, payload: Buffer, proof: Buffer): boolean {
  const key = hkdfSync('sha256', secret, '', 'shortcake-passkey-handoff-v1', KEY_BYTES);
  const expected = createHmac('sha256', Buffer.from(key)).update(payload).digest();
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}

/** Whether the client chose this nonce before the phone's own was known. */
export function matchesCommitment(hash: Uint8Array, identity: Uint8Array, nonce: Buffer): boolean {
  return createHash('sha256').update(identity).update(nonce).digest().equals(hash);
}

export function codeToCompare(companionNonce: Buffer, publicKey: Uint8Array, nonce: Uint8Array): string {
  const digest = createHash('sha256').update(companionNonce).update(publicKey).digest();
  let bits = 0n;
  for (let at = 0; at < CODE_BYTES; at += 1) {
    bits = (bits << 8n) | BigInt((nonce[at] ?? 0) ^ (digest[at] ?? 0));
  }
  const mask = (1n << CODE_BITS) - 1n;
  const characters = Array.from({ length: (CODE_BYTES * 8) / Number(CODE_BITS) }, (_, place) =>
    CODE_ALPHABET.charAt(Number((bits >> (CODE_BITS * BigInt(place))) & mask)),
  );
  return characters.reverse().join('');
}

export interface Channel {
  readonly ephemeral: KeyPair;
  readonly companionEphemeral: Uint8Array;
  readonly deviceType: number;
  readonly ref: string;
}

/** The content; undefined when it was sealed for another recipient. */
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
