import { createCipheriv, createDecipheriv, hkdfSync, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { decoded } from '@parley/contract/plain';
import { Curve, type KeyPair } from 'baileys';
import type { Random } from '../ports.ts';

/** The phone's half of pairing by code. The code itself is never sent: both sides wrap their ephemeral keys with it. */

const SALT_BYTES = 32;
const CTR_IV_BYTES = 16;
const GCM_IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const ITERATIONS = 131_072;
const BUNDLE_KEY_INFO = 'link_code_pairing_key_bundle_encryption_key';
const ADV_SECRET_INFO = 'adv_secret';

const derive = promisify(pbkdf2);

/** A wrong code unwraps too, to a useless key: only the key bundle reveals it. */
export async function unwrapEphemeral(wrapped: Buffer, code: string): Promise<Buffer> {
  const { salt, iv, body } = parts(wrapped, CTR_IV_BYTES);
  const decipher = createDecipheriv('aes-256-ctr', await codeKey(code, salt), iv);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

export async function wrapEphemeral(publicKey: Uint8Array, code: string, random: Random): Promise<Buffer> {
  const salt = Buffer.from(random.bytes(SALT_BYTES));
  const iv = Buffer.from(random.bytes(CTR_IV_BYTES));
  const cipher = createCipheriv('aes-256-ctr', await codeKey(code, salt), iv);
  return Buffer.concat([salt, iv, cipher.update(publicKey), cipher.final()]);
}

export interface Agreement {
  readonly phoneIdentity: KeyPair;
  readonly phoneEphemeral: KeyPair;
  readonly companionEphemeral: Uint8Array;
  readonly companionIdentity: Uint8Array;
  readonly wrappedBundle: Buffer;
}

/** The shared secret; undefined when the companion showed another code. */
export function agreeAdvSecret(agreement: Agreement): Buffer | undefined {
  const { phoneIdentity, phoneEphemeral, companionEphemeral, companionIdentity } = agreement;
  const ephemeralSecret = Curve.sharedKey(phoneEphemeral.private, companionEphemeral);
  const bundle = openBundle(agreement.wrappedBundle, ephemeralSecret);
  if (!bundle) return undefined;
  const named = bundle.subarray(0, 2 * KEY_BYTES);
  if (!named.equals(Buffer.concat([companionIdentity, phoneIdentity.public]))) return undefined;
  const identitySecret = Curve.sharedKey(phoneIdentity.private, companionIdentity);
  const input = Buffer.concat([ephemeralSecret, identitySecret, bundle.subarray(2 * KEY_BYTES)]);
  return Buffer.from(hkdfSync('sha256', input, '', ADV_SECRET_INFO, KEY_BYTES));
}

function openBundle(wrapped: Buffer, ephemeralSecret: Buffer): Buffer | undefined {
  const { salt, iv, body } = parts(wrapped, GCM_IV_BYTES);
  if (body.length !== 3 * KEY_BYTES + TAG_BYTES) return undefined;
  const key = Buffer.from(hkdfSync('sha256', ephemeralSecret, salt, BUNDLE_KEY_INFO, KEY_BYTES));
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  return decoded(() => Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]));
}

function parts(wrapped: Buffer, ivBytes: number): { salt: Buffer; iv: Buffer; body: Buffer } {
  const bodyStart = SALT_BYTES + ivBytes;
  return {
    salt: wrapped.subarray(0, SALT_BYTES),
    iv: wrapped.subarray(SALT_BYTES, bodyStart),
    body: wrapped.subarray(bodyStart),
  };
}

function codeKey(code: string, salt: Buffer): Promise<Buffer> {
  return derive(code, salt, ITERATIONS, KEY_BYTES, 'sha256');
}
