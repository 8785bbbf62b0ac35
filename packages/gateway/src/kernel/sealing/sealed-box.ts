import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, hash } from 'node:crypto';
import type { Random } from '../random.ts';

/**
 * Encrypts stored data (AES-256-GCM). A box is `version ‖ key id ‖ nonce ‖ ciphertext ‖ tag`; the key id allows old boxes to be opened
 * while new ones are sealed under a new master key. `context` names the row of the box and is authenticated with it: a box copied to
 * another row does not open.
 */
export interface SealedBox extends BoxOpener {
  seal(plain: Uint8Array, context: string): Uint8Array;
  /**
   * Keyed fingerprint of a text: equal for equal texts, and without the master key it reveals nothing. A plain hash of a short text
   * could be guessed.
   */
  fingerprint(text: string): Uint8Array;
  /** True when the box was sealed under an older key and should be sealed again. */
  isStale(box: Uint8Array): boolean;
  /** Ids of all keys that can open boxes: four bytes each, which reveal nothing else about them. */
  readonly keyIds: readonly string[];
  /** True when the box was sealed under a known key. Its header is sufficient. */
  knows(box: Uint8Array): boolean;
}

/** For code that seals nothing. */
export interface BoxOpener {
  /** Throws `UnopenableBox` when the key is unknown or anything was changed. */
  open(box: Uint8Array, context: string): Uint8Array;
}

export class UnopenableBox extends Error {
  override readonly name = 'UnopenableBox';
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1 + KEY_ID_BYTES;
const HEADER_BYTES = NONCE_AT + NONCE_BYTES;

export type MasterKeys = readonly [Uint8Array, ...Uint8Array[]];

/** The first key seals; all of them open. */
export function createSealedBox({
  masterKeys,
  random,
  fingerprintKey = fingerprintKeyOf(masterKeys[0]),
}: {
  masterKeys: MasterKeys;
  random: Pick<Random, 'bytes'>;
  /** Set when fingerprints outlive a change of the master key. */
  fingerprintKey?: Uint8Array;
}): SealedBox {
  const sealingKeyId = keyIdOf(masterKeys[0]);
  const sealingKey = createSecretKey(masterKeys[0]);
  const keyIds = new Set(masterKeys.map(keyIdOf));

  return {
    seal(plain, context) {
      const header = Buffer.concat([
        Buffer.from([VERSION]),
        Buffer.from(sealingKeyId, 'hex'),
        random.bytes(NONCE_BYTES),
      ]);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, header.subarray(NONCE_AT));
      cipher.setAAD(associatedData(header, context));
      return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },

    fingerprint: createKeyedHash(fingerprintKey),

    open: createBoxOpener(masterKeys).open,

    isStale: (box) => keyIdIn(asBuffer(box)) !== sealingKeyId,
    keyIds: [...keyIds],
    knows: (box) => keyIds.has(keyIdIn(asBuffer(box))),
  };
}

export function createBoxOpener(masterKeys: readonly Uint8Array[]): BoxOpener {
  // Key objects: from raw bytes Node.js creates one for every box, which takes longer than opening it.
  const keys = new Map(masterKeys.map((key) => [keyIdOf(key), createSecretKey(key)]));
  return {
    open(box, context) {
      const bytes = asBuffer(box);
      if (bytes.length < HEADER_BYTES + TAG_BYTES || bytes[0] !== VERSION) {
        throw new UnopenableBox('not a sealed box');
      }
      const key = keys.get(keyIdIn(bytes));
      if (!key) throw new UnopenableBox('sealed under a master key that is not configured');
      const header = bytes.subarray(0, HEADER_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, header.subarray(NONCE_AT));
      decipher.setAAD(associatedData(header, context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES));
        // `final` only verifies the tag.
        decipher.final();
        return plain;
      } catch (cause) {
        throw new UnopenableBox('altered, or sealed for another place', { cause });
      }
    },
  };
}

/** Header of every box sealed under the key of this id. */
export function headerOf(keyId: string): Uint8Array {
  return Buffer.concat([Buffer.from([VERSION]), Buffer.from(keyId, 'hex')]);
}

/** Default key for fingerprints. */
export function fingerprintKeyOf(masterKey: Uint8Array): Uint8Array {
  return createHmac('sha256', masterKey).update('fingerprint').digest();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function keyIdOf(key: Uint8Array): string {
  return createHash('sha256')
    .update('parley key id')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2);
}

function keyIdIn(bytes: Buffer): string {
  return bytes.toString('hex', 1, NONCE_AT);
}

/** The header is authenticated, too, so that its key id cannot be swapped. */
function associatedData(header: Uint8Array, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, 'utf8')]);
}

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Longer texts get their own buffer. */
const USUAL_TEXT_BYTES = 4_096;

/**
 * HMAC-SHA-256 of texts under one key, by two hashes: the object that Node.js creates for each HMAC takes three times as long as
 * hashing a short text.
 */
export function createKeyedHash(key: Uint8Array): (text: string) => Uint8Array {
  if (key.length > BLOCK_BYTES) throw new RangeError('The key is longer than a block of the hash.');
  const inner = padded(key, 0x36, USUAL_TEXT_BYTES);
  const outer = padded(key, 0x5c, HASH_BYTES);
  return (text) => {
    const length = Buffer.byteLength(text);
    const input = length <= USUAL_TEXT_BYTES ? inner : padded(key, 0x36, length);
    input.write(text, BLOCK_BYTES, 'utf8');
    outer.write(hash('sha256', input.subarray(0, BLOCK_BYTES + length), 'binary'), BLOCK_BYTES, 'latin1');
    return Buffer.from(hash('sha256', outer, 'binary'), 'latin1');
  };
}

/** The key, padded to a block, followed by space for the input. */
function padded(key: Uint8Array, pad: number, room: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES + room, pad);
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad;
  return block;
}
