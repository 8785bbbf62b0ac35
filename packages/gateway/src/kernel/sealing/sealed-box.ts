import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey } from 'node:crypto';
import type { Random } from '../random.ts';
import { createKeyedHash } from './keyed-hash.ts';

/**
 * Encrypts what lies on disk (AES-256-GCM). A box is `version ‖ key id ‖ nonce ‖ ciphertext ‖ tag`; the key id lets old boxes be opened
 * while new ones are sealed under a new master key. `context` names the row that the box belongs to and is authenticated with it: a box
 * copied to another row does not open.
 */
export interface SealedBox extends BoxOpener {
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** Tells equal texts from different ones, and without the master key nothing else: a plain hash of a short text is soon guessed. */
  fingerprint(text: string): Uint8Array;
  /** True when the box was sealed under an older key and should be sealed again. */
  isStale(box: Uint8Array): boolean;
  /** Of all keys that it opens with: four bytes each, which tell nothing else about them. */
  readonly keyIds: readonly string[];
  /** Whether the key that the box was sealed under is one of ours. Its beginning is enough to tell. */
  knows(box: Uint8Array): boolean;
}

/** For whoever has nothing to seal. */
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
  /** One that outlives a change of the master key, where fingerprints are kept for longer. */
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
  // As key objects: from plain bytes one is made anew for every box, which takes longer than the opening itself.
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
        // Nothing is left for the end but the check.
        decipher.final();
        return plain;
      } catch (cause) {
        throw new UnopenableBox('altered, or sealed for another place', { cause });
      }
    },
  };
}

/** How every box begins that was sealed under the key of this id. */
export function headerOf(keyId: string): Uint8Array {
  return Buffer.concat([Buffer.from([VERSION]), Buffer.from(keyId, 'hex')]);
}

/** What fingerprints are made with unless another key is given. */
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

/** The header is authenticated too, so that its key id cannot be swapped. */
function associatedData(header: Uint8Array, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, 'utf8')]);
}
