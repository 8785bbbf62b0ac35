import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import type { MediaKind } from '../content/index.ts';

/** Encryption of files: AES-256-CBC, then the first ten bytes of an HMAC over IV and ciphertext. */

const MAC_BYTES = 10;

/** Kinds of blobs that the protocol itself transfers through the media server. */
export type BlobKind = 'md-app-state' | 'md-msg-hist';

const INFO: Readonly<Record<MediaKind | BlobKind, string>> = {
  image: 'WhatsApp Image Keys',
  sticker: 'WhatsApp Image Keys',
  video: 'WhatsApp Video Keys',
  audio: 'WhatsApp Audio Keys',
  document: 'WhatsApp Document Keys',
  'md-app-state': 'WhatsApp App State Keys',
  'md-msg-hist': 'WhatsApp History Keys',
};

export function encryptMedia(
  plaintext: Uint8Array,
  mediaKey: Uint8Array,
  kind: MediaKind | BlobKind,
): Buffer {
  const { iv, cipherKey, macKey } = expand(mediaKey, kind);
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([ciphertext, mac(macKey, iv, ciphertext)]);
}

/** Undefined when the file was not encrypted with this key, or was changed since. */
export function decryptMedia(file: Uint8Array, mediaKey: Uint8Array, kind: MediaKind): Buffer | undefined {
  if (file.length < MAC_BYTES) return undefined;
  const { iv, cipherKey, macKey } = expand(mediaKey, kind);
  const ciphertext = file.subarray(0, file.length - MAC_BYTES);
  if (!timingSafeEqual(mac(macKey, iv, ciphertext), file.subarray(-MAC_BYTES))) return undefined;
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  return decoded(() => Buffer.concat([decipher.update(ciphertext), decipher.final()]));
}

const SIDECAR_CHUNK_BYTES = 64 * 1024;
const BLOCK_BYTES = 16;

/** MACs of the parts of a file: each 64 KB of IV and file, with the block behind it that decrypts the next. */
export function sidecarOf(file: Uint8Array, mediaKey: Uint8Array, kind: MediaKind): Buffer {
  const { iv, macKey } = expand(mediaKey, kind);
  const count = Math.ceil(file.length / SIDECAR_CHUNK_BYTES);
  const parts = Array.from({ length: count }, (_, part) => {
    const [start, end] = [part * SIDECAR_CHUNK_BYTES - BLOCK_BYTES, (part + 1) * SIDECAR_CHUNK_BYTES];
    const signed = createHmac('sha256', macKey).update(
      start < 0 ? iv : file.subarray(start, part * SIDECAR_CHUNK_BYTES),
    );
    return signed
      .update(file.subarray(start + BLOCK_BYTES, end))
      .digest()
      .subarray(0, MAC_BYTES);
  });
  return Buffer.concat(parts);
}

export function matchesSidecar(
  file: Uint8Array,
  mediaKey: Uint8Array,
  kind: MediaKind,
  sidecar: Uint8Array,
): boolean {
  return sidecarOf(file, mediaKey, kind).equals(sidecar);
}

function expand(mediaKey: Uint8Array, kind: MediaKind | BlobKind) {
  const bytes = Buffer.from(hkdfSync('sha256', mediaKey, '', INFO[kind], 112));
  return { iv: bytes.subarray(0, 16), cipherKey: bytes.subarray(16, 48), macKey: bytes.subarray(48, 80) };
}

function mac(key: Buffer, iv: Buffer, ciphertext: Uint8Array): Buffer {
  return createHmac('sha256', key).update(iv).update(ciphertext).digest().subarray(0, MAC_BYTES);
}
