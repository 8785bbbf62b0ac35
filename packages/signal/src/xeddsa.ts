import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import curve25519 from 'curve25519-js';

const { BASE, Fn: scalars, Fp: field } = ed25519.Point;
const BYTES = 32;
const SIGN_BIT = 0x80;
/** The highest bit of a public key means nothing. */
const COORDINATE = (1n << 255n) - 1n;
/** An Ed25519 public key as `node:crypto` reads it, up to the 32 bytes of the key itself. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');
/** Keeps the hash that makes the nonce apart from all other uses of the hash: 2^256 - 2, in the order of bytes that the curve uses. */
const NONCE_DOMAIN = Buffer.alloc(BYTES, 0xff).fill(0xfe, 0, 1);

/** What is replaced, as it comes with the library: the judge of ours. */
export const slowCurve = { sign: curve25519.sign, verify: curve25519.verify };

/**
 * libsignal signs and verifies with a curve in plain JavaScript, which costs more than all else that a message to a group does. Each goes
 * through an exported object, so both are replaced: signatures stay what they were (XEdDSA), made with tables of multiples of the base
 * point, and verified by OpenSSL.
 */
export function speedUpSignatures(): void {
  curve25519.sign = signXeddsa;
  curve25519.verify = verifyXeddsa;
}

export function signXeddsa(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  const secret = numberFrom(clamped(privateKey)) % scalars.ORDER;
  const publicKey = BASE.multiply(secret).toBytes();
  const nonce = hashToScalar(NONCE_DOMAIN, privateKey, message, randomBytes(2 * BYTES));
  const commitment = BASE.multiply(nonce).toBytes();
  const challenge = hashToScalar(commitment, publicKey, message);
  const proof = bytesFrom((nonce + challenge * secret) % scalars.ORDER);
  // The other side knows one coordinate of the key; this tells which of its two points is meant.
  proof[BYTES - 1] = (proof[BYTES - 1] ?? 0) | ((publicKey[BYTES - 1] ?? 0) & SIGN_BIT);
  return Buffer.concat([commitment, proof]);
}

export function verifyXeddsa(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const last = signature.at(-1) ?? 0;
  const point = edwardsPoint(publicKey, last & SIGN_BIT);
  if (!point) return false;
  const plain = Buffer.from(signature);
  plain[plain.length - 1] = last & ~SIGN_BIT;
  const key = createPublicKey({ key: Buffer.concat([ED25519_SPKI, point]), format: 'der', type: 'spki' });
  return verify(null, message, key, plain);
}

/** The Ed25519 key of an X25519 key: `y = (u - 1) / (u + 1)`. */
function edwardsPoint(publicKey: Uint8Array, sign: number): Uint8Array | undefined {
  const u = field.create(numberFrom(publicKey) & COORDINATE);
  const divisor = field.add(u, field.ONE);
  if (field.is0(divisor)) return undefined;
  const point = bytesFrom(field.mul(field.sub(u, field.ONE), field.inv(divisor)));
  point[BYTES - 1] = (point[BYTES - 1] ?? 0) | sign;
  return point;
}

function clamped(privateKey: Uint8Array): Uint8Array {
  const key = Uint8Array.from(privateKey);
  key[0] = (key[0] ?? 0) & 0xf8;
  key[BYTES - 1] = ((key[BYTES - 1] ?? 0) & 0x7f) | 0x40;
  return key;
}

function hashToScalar(...parts: Uint8Array[]): bigint {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return numberFrom(hash.digest()) % scalars.ORDER;
}

/** Least significant byte first, as everywhere on this curve. */
function numberFrom(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function bytesFrom(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * BYTES, '0'), 'hex').reverse();
}
