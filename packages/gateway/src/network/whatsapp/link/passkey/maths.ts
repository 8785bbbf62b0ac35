import {
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { bytesToCrockford, proto } from 'baileys';
import { decoded } from '#kernel';

/**
 * Computations of the companion while a number with a passkey is linked. Pure: random bytes are arguments, so
 * that each step can be checked against vectors of another implementation (`vectors.json`).
 */

const KEY_BYTES = 32;
const NONCE_BYTES = 32;
const CODE_BYTES = 5;
/** DER prefix (RFC 8410) of a raw 32-byte key for Node.js. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');

/** Proves to the phone that it scans this screen: the key is derived from the secret of the QR or the code. */
export function deriveHandoffKey(advSecret: Uint8Array): Buffer {
  return deriveKey(advSecret, '', 'shortcake-passkey-handoff-v1');
}

export function proveHandoff(handoffKey: Uint8Array, payload: Uint8Array): Buffer {
  return createHmac('sha256', handoffKey).update(payload).digest();
}

export interface Prologue {
  /** Opens with the phone's key. */
  readonly privateKey: KeyObject;
  /** Committed to now, revealed after the phone has sent its own. */
  readonly nonce: Uint8Array;
  readonly deviceType: number;
  readonly ref: string;
  readonly payload: Uint8Array;
}

export function composePrologue({
  seed,
  nonce,
  deviceType,
  ref,
}: {
  /** 32 bytes: the ephemeral private key. */
  readonly seed: Uint8Array;
  readonly nonce: Uint8Array;
  readonly deviceType: number;
  readonly ref: string;
}): Prologue {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const identity = proto.CompanionEphemeralIdentity.encode({
    publicKey: publicBytesOf(privateKey),
    deviceType,
    ref,
  }).finish();
  const hash = createHash('sha256').update(identity).update(nonce).digest();
  const payload = proto.ProloguePayload.encode({
    companionEphemeralIdentity: identity,
    commitment: { hash },
  }).finish();
  return { privateKey, nonce, deviceType, ref, payload };
}

/** The phone's answer. */
export interface Primary {
  readonly publicKey: Uint8Array;
  readonly nonce: Uint8Array;
}

/** Undefined when the bytes are invalid. */
export function readPrimary(bytes: Uint8Array): Primary | undefined {
  const { publicKey, nonce } = decoded(() => proto.PrimaryEphemeralIdentity.decode(bytes)) ?? {};
  return publicKey?.length === KEY_BYTES && nonce?.length === NONCE_BYTES ? { publicKey, nonce } : undefined;
}

/** Eight characters, equal on both sides unless there is a man in the middle. */
export function codeToCompare({ nonce }: Pick<Prologue, 'nonce'>, primary: Primary): string {
  const digest = createHash('sha256').update(nonce).update(primary.publicKey).digest();
  const mixed = Buffer.from(primary.nonce.slice(0, CODE_BYTES));
  for (const [place, byte] of mixed.entries()) mixed[place] = byte ^ (digest[place] ?? 0);
  return bytesToCrockford(mixed);
}

/** Throws for a phone key of low order, with which the shared secret is public. */
export function derivePairingKey(
  { privateKey, deviceType, ref }: Pick<Prologue, 'privateKey' | 'deviceType' | 'ref'>,
  primary: Primary,
): Buffer {
  const publicKey = createPublicKey({
    key: Buffer.concat([PUBLIC_PREFIX, primary.publicKey]),
    format: 'der',
    type: 'spki',
  });
  const shared = diffieHellman({ privateKey, publicKey });
  return deriveKey(
    shared,
    `Companion Pairing ${deviceType} with ref ${ref}`,
    'Pairing Information Encryption Key',
  );
}

/** Device data that the phone vouches for. */
export interface PairingRequest {
  readonly noiseKey: Uint8Array;
  readonly identityKey: Uint8Array;
  readonly advSecret: Uint8Array;
}

export function sealPairingRequest(
  key: Uint8Array,
  iv: Uint8Array,
  { noiseKey, identityKey, advSecret }: PairingRequest,
): Uint8Array {
  const request = proto.PairingRequest.encode({
    companionPublicKey: noiseKey,
    companionIdentityKey: identityKey,
    advSecret,
  }).finish();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const encryptedPayload = Buffer.concat([cipher.update(request), cipher.final(), cipher.getAuthTag()]);
  return proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish();
}

function deriveKey(input: Uint8Array, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, KEY_BYTES));
}

function publicBytesOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
}
