import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { proto } from 'baileys';

/** Cryptography of app state: mutations under their keys, and the hashes by which both sides compare their records. */

const HASH_BYTES = 128;
const MAC_BYTES = 32;
const IV_BYTES = 16;

export interface SyncdKeys {
  readonly id: Uint8Array;
  readonly index: Buffer;
  readonly value: Buffer;
  readonly valueMac: Buffer;
  readonly snapshotMac: Buffer;
  readonly patchMac: Buffer;
}

/** One entry in plaintext. */
export interface Entry {
  readonly index: readonly string[];
  /** An encoded `SyncActionValue`. */
  readonly value: Uint8Array;
  readonly version: number;
  readonly removed?: boolean;
}

const { SET, REMOVE } = proto.SyncdMutation.SyncdOperation;

export function expandKeys(id: Uint8Array, keyData: Uint8Array): SyncdKeys {
  const bytes = Buffer.from(hkdfSync('sha256', keyData, '', 'WhatsApp Mutation Keys', 5 * MAC_BYTES));
  const part = (place: number): Buffer => bytes.subarray(place * MAC_BYTES, (place + 1) * MAC_BYTES);
  return { id, index: part(0), value: part(1), valueMac: part(2), snapshotMac: part(3), patchMac: part(4) };
}

export function sealEntry(keys: SyncdKeys, { index, value, version, removed }: Entry): proto.ISyncdMutation {
  const indexBytes = Buffer.from(JSON.stringify(index));
  const data = encodeActionData(indexBytes, value, version);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-cbc', keys.value, iv);
  const sealed = Buffer.concat([iv, cipher.update(data), cipher.final()]);
  const operation = removed ? REMOVE : SET;
  return {
    operation,
    record: {
      index: { blob: hmac(keys.index, indexBytes) },
      value: { blob: Buffer.concat([sealed, valueMac(keys, operation, sealed)]) },
      keyId: { id: keys.id },
    },
  };
}

/** The content of a mutation; undefined when it was not made with these keys. */
export function openMutation(
  keys: SyncdKeys,
  { operation, record }: proto.ISyncdMutation,
): { index: string[]; action: proto.SyncActionData; removed: boolean } | undefined {
  const blob = Buffer.from(record?.value?.blob ?? []);
  if (blob.length < IV_BYTES + MAC_BYTES) return undefined;
  const sealed = blob.subarray(0, -MAC_BYTES);
  if (!same(blob.subarray(-MAC_BYTES), valueMac(keys, operation ?? SET, sealed))) return undefined;
  const decipher = createDecipheriv('aes-256-cbc', keys.value, sealed.subarray(0, IV_BYTES));
  const data = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()]);
  const action = proto.SyncActionData.decode(data);
  const indexBytes = Buffer.from(action.index ?? []);
  if (!same(Buffer.from(record?.index?.blob ?? []), hmac(keys.index, indexBytes))) return undefined;
  const index: string[] = JSON.parse(indexBytes.toString());
  return { index, action, removed: operation === REMOVE };
}

/** Identifies an entry on both sides without revealing its index. */
export const entryName = ({ record }: proto.ISyncdMutation): string =>
  Buffer.from(record?.index?.blob ?? []).toString('base64');

export const valueMacOf = (record: proto.ISyncdRecord | null | undefined): Buffer =>
  Buffer.from(record?.value?.blob ?? []).subarray(-MAC_BYTES);

/** The hash over all records: removed and replaced ones are subtracted, new ones added. */
export function mixHash(hash: Uint8Array, out: readonly Uint8Array[], into: readonly Uint8Array[]): Buffer {
  const sum = Buffer.from(hash);
  const mix = (mac: Uint8Array, sign: 1 | -1): void => {
    const addend = Buffer.from(hkdfSync('sha256', mac, '', 'WhatsApp Patch Integrity', HASH_BYTES));
    for (let at = 0; at < HASH_BYTES; at += 2) {
      sum.writeUInt16LE((sum.readUInt16LE(at) + sign * addend.readUInt16LE(at)) & 0xffff, at);
    }
  };
  for (const mac of out) mix(mac, -1);
  for (const mac of into) mix(mac, 1);
  return sum;
}

export const emptyHash = (): Buffer => Buffer.alloc(HASH_BYTES);

export function snapshotMac(keys: SyncdKeys, name: string, version: number, hash: Uint8Array): Buffer {
  return hmac(keys.snapshotMac, hash, bigEndian(version), Buffer.from(name));
}

export function patchMac(
  keys: SyncdKeys,
  name: string,
  version: number,
  patch: Pick<proto.ISyncdPatch, 'snapshotMac' | 'mutations'>,
): Buffer {
  const macs = (patch.mutations ?? []).map(({ record }) => valueMacOf(record));
  return hmac(
    keys.patchMac,
    patch.snapshotMac ?? new Uint8Array(),
    ...macs,
    bigEndian(version),
    Buffer.from(name),
  );
}

function valueMac(keys: SyncdKeys, operation: number, sealed: Uint8Array): Buffer {
  const associated = Buffer.concat([Buffer.of(operation === REMOVE ? 2 : 1), keys.id]);
  const length = Buffer.alloc(8);
  length.writeUInt8(associated.length, 7);
  return createHmac('sha512', keys.valueMac)
    .update(associated)
    .update(sealed)
    .update(length)
    .digest()
    .subarray(0, MAC_BYTES);
}

/** Encoded by hand, because the value may have fields that the library does not have yet. */
function encodeActionData(index: Uint8Array, value: Uint8Array, version: number): Buffer {
  return Buffer.concat([
    field(1, index),
    field(2, value),
    field(3, new Uint8Array()),
    Buffer.of(4 << 3),
    varint(version),
  ]);
}

/** A bytes field in protocol-buffer encoding. */
export function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.of(...bytes, rest);
    bytes.push((rest % 128) | 128);
  }
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function hmac(key: Uint8Array, ...parts: Uint8Array[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
