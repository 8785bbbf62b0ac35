import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MEDIA_ACCOUNT_MAX_BYTES, MEDIA_RETENTION_DAYS } from '@parley/contract';
import type { DataKeys } from '#accounts';
import { SNIFFED_BYTES, sniff } from '#egress';
import { type Clock, fault, faultBecause, type Ids, type Random } from '#kernel';
import type { MediaRow, Store } from '#store';
import { BlobError, type MediaStore } from './blobs/port.ts';
import { fingerprintOf, type MediaDetails, openDetails, sealDetails } from './details.ts';
import { type ByteRange, fileKey, openFile, sealedRange, sealedSize, sealFile } from './sealed-file.ts';
import { attachMedia, bytesOf, findMedia, findObject, insertMedia } from './store.ts';

/** Whose file it is, and which keys may have it. */
export interface MediaOwner {
  readonly accountId: string;
  /** The one number whose keys may; null: any key of the account. */
  readonly phone: string | null;
}

export interface NewFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What its sender calls it; where that says nothing, its bytes tell. */
  readonly mimetype: string;
  /** Empty when it has none. */
  readonly fileName: string;
  readonly maxBytes: number;
}

/** A file that is known here. */
export interface Media extends MediaDetails {
  readonly id: string;
  readonly accountId: string;
  readonly phone: string | null;
  readonly objectId: string;
  readonly size: number;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** The files of all accounts. Rejects with faults that a caller may see. */
export interface MediaLibrary {
  /** Resolves when the file is there for good; leaves nothing behind when it cannot be had whole. */
  keep(owner: MediaOwner, file: NewFile): Promise<Media>;
  /** Undefined when the account has none of that id, or its time is over. */
  find(accountId: string, id: string): Promise<Media | undefined>;
  /** For a message that waits: also when its time is over. */
  findNeeded(accountId: string, id: string): Promise<Media | undefined>;
  /** Bytes as they are read; what was damaged at rest breaks off. */
  read(media: Media, range: ByteRange, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

export interface LibraryParts {
  readonly store: Store;
  readonly blobs: MediaStore;
  readonly dataKeys: DataKeys;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly ids: Pick<Ids, 'media'>;
  /** For files that are not there whole yet; of this process alone, made when it is missing. */
  readonly incoming: string;
}

const KEPT_MS = MEDIA_RETENTION_DAYS * 86_400_000;
const OBJECT_ID_BYTES = 16;
const VAGUE_TYPE = 'application/octet-stream';

export function createMediaLibrary(parts: LibraryParts): MediaLibrary {
  const { store, blobs, dataKeys, clock, random, ids, incoming } = parts;
  mkdirSync(incoming, { recursive: true, mode: 0o700 });
  // Whatever is there was left by a process that died while it came in.
  for (const left of readdirSync(incoming)) rmSync(path.join(incoming, left), { force: true });

  /** Takes a file in and keeps it under a new id, or under that of the same file. */
  async function takeIn(
    accountKey: Uint8Array,
    { bytes, maxBytes }: Pick<NewFile, 'bytes' | 'maxBytes'>,
    rowOf: (arrived: Arrived) => MediaRow,
  ): Promise<MediaRow> {
    const objectId = Buffer.from(random.bytes(OBJECT_ID_BYTES)).toString('hex');
    const file = path.join(incoming, objectId);
    try {
      const arrived = await arrive(bytes, { file, key: fileKey(accountKey, objectId), maxBytes });
      const row = rowOf(arrived);
      const { account_id: accountId } = row;
      const fingerprint = fingerprintOf(accountKey, arrived.sha256);
      const known = await findObject(store.read, accountId, fingerprint);
      const isThere = known !== undefined && (await blobs.has(nameOf(accountId, known)));
      if (isThere && (await attachMedia(store, known, row))) return { ...row, object_id: known };
      if ((await bytesOf(store.read, accountId)) + arrived.size > MEDIA_ACCOUNT_MAX_BYTES)
        throw fault('media_storage_exhausted');
      const { size } = arrived;
      await blobs.put(nameOf(accountId, objectId), { path: file, size: sealedSize(size) });
      const object = { id: objectId, fingerprint, size, at: clock.now() };
      const kept = await insertMedia(store, object, row, isThere ? undefined : known);
      // Somebody was first with the same file. Should this fail, it is swept.
      if (kept !== objectId) await blobs.delete(nameOf(accountId, objectId)).catch(() => {});
      return { ...row, object_id: kept };
    } catch (error) {
      throw error instanceof BlobError ? faultBecause(error, 'media_store_unreachable') : error;
    } finally {
      await rm(file, { force: true });
    }
  }

  const mediaOf = (row: MediaRow, details: MediaDetails): Media => ({
    ...details,
    id: row.id,
    accountId: row.account_id,
    phone: row.phone,
    objectId: row.object_id,
    size: row.size,
    expiresAt: row.expires_at,
  });

  async function lookUp(accountId: string, id: string): Promise<Media | undefined> {
    const row = await findMedia(store.read, id);
    if (row?.account_id !== accountId) return undefined;
    return mediaOf(row, openDetails(await dataKeys.of(accountId), random, row));
  }

  return {
    async keep({ accountId, phone }, { bytes, mimetype, fileName, maxBytes }) {
      const accountKey = await dataKeys.of(accountId);
      const id = ids.media();
      const now = clock.now();
      let details: MediaDetails = { mimetype, fileName, sha256: '' };
      const row = await takeIn(accountKey, { bytes, maxBytes }, ({ size, sha256, sniffed }) => {
        details = { mimetype: mimetype === VAGUE_TYPE ? sniffed : mimetype, fileName, sha256 };
        return {
          id,
          account_id: accountId,
          phone,
          object_id: '',
          size,
          details: sealDetails(accountKey, random, id, details),
          made_at: now,
          expires_at: now + KEPT_MS,
        };
      });
      return mediaOf(row, details);
    },
    async find(accountId, id) {
      const media = await lookUp(accountId, id);
      return media && media.expiresAt > clock.now() ? media : undefined;
    },
    findNeeded: lookUp,
    async read({ accountId, objectId, size }, range, signal) {
      const key = fileKey(await dataKeys.of(accountId), objectId);
      try {
        const sealed = await blobs.read(nameOf(accountId, objectId), sealedRange(range, size), signal);
        return openFile(sealed, { key, size, range });
      } catch (error) {
        if (!(error instanceof BlobError)) throw error;
        throw faultBecause(error, error.code === 'missing' ? 'media_not_found' : 'media_store_unreachable');
      }
    },
  };
}

export function nameOf(accountId: string, objectId: string): string {
  return `${accountId}/${objectId}`;
}

interface Arrived {
  readonly size: number;
  readonly sha256: string;
  /** What its first bytes say that it is. */
  readonly sniffed: string;
}

/** Writes a file down sealed, as it comes; when this resolves, it is on the disk. */
async function arrive(
  bytes: AsyncIterable<Uint8Array>,
  { file, key, maxBytes }: { file: string; key: Uint8Array; maxBytes: number },
): Promise<Arrived> {
  const hash = createHash('sha256');
  let size = 0;
  let beginning = Buffer.alloc(0);

  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw fault('upload_too_large');
      if (beginning.length < SNIFFED_BYTES)
        beginning = Buffer.concat([beginning, chunk]).subarray(0, SNIFFED_BYTES);
      hash.update(chunk);
      yield chunk;
    }
    if (size === 0) throw fault('media_empty');
  }

  await pipeline(
    sealFile(measured(), key),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { size, sha256: hash.digest('hex'), sniffed: sniff(beginning).mimetype };
}
