import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { INBOUND_MEDIA_MAX_BYTES, MEDIA_COPY_MINUTES, MEDIA_RETENTION_DAYS } from '@parley/contract';
import type { DataKeys } from '#accounts';
import {
  apiErrorFrom,
  type ByteRange,
  type Clock,
  DAY_MS,
  fileKey,
  type Ids,
  openFile,
  type Random,
  sealedRange,
  sealedSize,
  UNKNOWN_MEDIA_TYPE,
  warnOf,
} from '#kernel';
import type { InboundMedia } from '#network';
import type { MediaRow, Store } from '#platform/store';
import { BlobError, type MediaStore } from './blobs/port.ts';
import { extendCopy, insertArrival } from './inbound/arrival-queries.ts';
import {
  attachMedia,
  endMedia,
  type FoundMedia,
  findMedia,
  findObject,
  insertMedia,
} from './media-queries.ts';
import { type Budget, createReservations } from './quota/reservations.ts';
import {
  fingerprintOf,
  type MediaDetails,
  openDetails,
  type PendingFile,
  sealDetails,
  type Taken,
  writeDown,
} from './sealed-file.ts';

/** Whose file it is, and which keys may have it. */
export interface MediaOwner {
  readonly accountId: string;
  /** The one number whose keys may; null: any key of the account. */
  readonly phone: string | null;
}

export interface NewFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Type given by its sender; a generic one is replaced by the type detected from the bytes. */
  readonly mimetype: string;
  /** Empty when it has none. */
  readonly fileName: string;
  readonly maxBytes: number;
  /** No fewer than it has, where that is known before they come. */
  readonly size?: number;
  /** What it counts against; the files of the account when absent. */
  readonly budget?: Budget;
  /** How long it is wanted; as long as any that was uploaded when absent. */
  readonly keptMs?: number;
}

/** A file that is known here. */
export interface Media extends MediaDetails {
  readonly id: string;
  readonly accountId: string;
  readonly phone: string | null;
  /** Empty: its bytes are not here. */
  readonly objectId: string;
  /** While its bytes were never here, what its sender claims. */
  readonly size: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** Of a file that came with a message. */
  readonly arrival?: InboundFile;
}

interface InboundFile {
  readonly slotId: string;
  /** With the conversation that its message belongs to. */
  readonly isKept: boolean;
  /** When its bytes are dropped (epoch ms); null: with the file. */
  readonly copyUntil: number | null;
}

/** A file that came with a message, and is still on the network. */
export interface StoredInboundFile {
  readonly id: string;
  readonly slotId: string;
  readonly file: InboundMedia;
  /** The message that it is kept with; absent: not kept. */
  readonly keptWith?: { readonly historyId: string; readonly chat: string; readonly messageId: string };
}

/** The files of all accounts. Rejects with faults that a caller may see. */
export interface MediaLibrary {
  /** Resolves when the file is there for good; leaves nothing behind when it cannot be had whole. */
  keep(owner: MediaOwner, file: NewFile): Promise<Media>;
  /** Notes a file that came with a message: from now on it can be found. The same one again changes nothing. */
  note(owner: MediaOwner, arrived: StoredInboundFile): Promise<void>;
  /** Gives a file that came with a message its bytes. */
  fill(media: Media, bytes: AsyncIterable<Uint8Array>): Promise<Media>;
  /** Whether the bytes are stored; if so, keeps them until a reader has had time to read them. */
  hold(media: Media): Promise<boolean>;
  /** Its time is over from now on. */
  forget(media: Media): Promise<void>;
  /** Undefined when the account has none of that id, or its time is over. */
  find(accountId: string, id: string): Promise<Media | undefined>;
  /** A file of any account, for a caller with another right to it, such as a signed link. */
  findInAnyAccount(id: string): Promise<Media | undefined>;
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

const KEPT_MS = MEDIA_RETENTION_DAYS * DAY_MS;
const COPY_MS = MEDIA_COPY_MINUTES * 60_000;
const OBJECT_ID_BYTES = 16;

interface Incoming extends Omit<PendingFile, 'cover'>, Pick<NewFile, 'size' | 'budget'> {
  readonly accountId: string;
}

export function createMediaLibrary(parts: LibraryParts): MediaLibrary {
  const { store, blobs, dataKeys, clock, random, ids, incoming } = parts;
  mkdirSync(incoming, { recursive: true, mode: 0o700 });
  const reservations = createReservations({ store, clock, random, holderFile: `${incoming}.holder` });
  // Whatever is there was left by a process that died while it came in.
  for (const left of readdirSync(incoming)) rmSync(path.join(incoming, left), { force: true });

  /** Takes a file in and keeps it under a new id, or under that of the same file. `copyUntil` is given for a row that is there already. */
  async function takeIn(
    accountKey: Uint8Array,
    { accountId, size: claimed, budget = 'media', ...coming }: Incoming,
    rowFor: (taken: Taken) => MediaRow,
    copyUntil?: number | null,
  ): Promise<MediaRow> {
    const objectId = Buffer.from(random.bytes(OBJECT_ID_BYTES)).toString('hex');
    const file = path.join(incoming, objectId);
    const bytes = claimed === undefined ? undefined : Math.min(claimed, coming.maxBytes);
    const order = { id: objectId, accountId, budget, ...(bytes !== undefined && { bytes }) };
    const reservation = await reservations.reserve(order);
    let isSettled = false;
    try {
      const whole = { ...coming, cover: reservation.cover };
      const { size, ...taken } = await writeDown(whole, file, fileKey(accountKey, objectId));
      const row = rowFor({ size, ...taken });
      const isFile = budget === 'media';
      const write = { media: row, isFile, ...(copyUntil !== undefined && { copyUntil }) };
      const fingerprint = fingerprintOf(accountKey, taken.sha256);
      const known = await findObject(store.read, accountId, fingerprint);
      const isThere = known !== undefined && (await blobs.has(nameOf(accountId, known)));
      if (isThere && (await attachMedia(store, known, write))) return { ...row, object_id: known };
      await blobs.put(nameOf(accountId, objectId), { path: file, size: sealedSize(size) });
      const { settle } = reservation;
      const object = {
        id: objectId,
        fingerprint,
        size,
        at: clock.now(),
        budget: isFile ? null : 'export',
        settle,
      } as const;
      const kept = await insertMedia(store, object, write, isThere ? undefined : known);
      isSettled = true;
      // The same file was stored concurrently. The orphan sweep deletes this copy if its deletion fails.
      if (kept !== objectId)
        await blobs
          .delete(nameOf(accountId, objectId))
          .catch(warnOf('could not drop a file that is kept twice'));
      return { ...row, object_id: kept };
    } catch (error) {
      throw error instanceof BlobError ? apiErrorFrom(error, 'media_store_unreachable') : error;
    } finally {
      await rm(file, { force: true });
      // With the database out of reach; the room is free again within the hour.
      if (!isSettled)
        await reservation.release().catch(warnOf('room that was reserved for a file was not given back'));
    }
  }

  /** Its bytes are given to it when they are here. */
  const rowOf = (
    accountKey: Uint8Array,
    { id, accountId, phone }: Pick<Media, 'id' | 'accountId' | 'phone'>,
    details: MediaDetails,
    { size, expiresAt }: Pick<Media, 'size' | 'expiresAt'>,
  ): MediaRow => ({
    id,
    account_id: accountId,
    phone,
    object_id: '',
    size,
    details: sealDetails(accountKey, random, id, details),
    made_at: clock.now(),
    expires_at: expiresAt,
  });

  const mediaOf = (row: MediaRow, details: MediaDetails, arrival?: InboundFile): Media => ({
    ...details,
    id: row.id,
    accountId: row.account_id,
    phone: row.phone,
    objectId: row.object_id,
    size: row.size,
    expiresAt: row.expires_at,
    ...(arrival && { arrival }),
  });

  async function opened(row: FoundMedia): Promise<Media> {
    const details = openDetails(await dataKeys.of(row.account_id), random, row);
    return mediaOf(row, details, arrivalIn(row));
  }

  async function lookUp(accountId: string, id: string): Promise<Media | undefined> {
    const row = await findMedia(store.read, id);
    return row?.account_id === accountId ? opened(row) : undefined;
  }

  const unlessOver = (media: Media | undefined): Media | undefined =>
    media && media.expiresAt > clock.now() ? media : undefined;

  return {
    async keep({ accountId, phone }, { mimetype, fileName, keptMs = KEPT_MS, ...coming }) {
      const accountKey = await dataKeys.of(accountId);
      const id = ids.media();
      let details: MediaDetails = { mimetype, fileName, sha256: '' };
      const row = await takeIn(
        accountKey,
        { ...coming, accountId, beyond: 'upload_too_large' },
        ({ size, sha256, sniffed }) => {
          details = { mimetype: mimetype === UNKNOWN_MEDIA_TYPE ? sniffed : mimetype, fileName, sha256 };
          return rowOf(accountKey, { id, accountId, phone }, details, {
            size,
            expiresAt: clock.now() + keptMs,
          });
        },
      );
      return mediaOf(row, details);
    },
    async note({ accountId, phone }, { id, slotId, file, keptWith }) {
      const { ref, mimetype, fileName = '', size } = file;
      const accountKey = await dataKeys.of(accountId);
      const details = { mimetype, fileName, sha256: '', ref };
      const row = rowOf(accountKey, { id, accountId, phone }, details, {
        size: Math.min(Math.max(Math.trunc(size), 0), Number.MAX_SAFE_INTEGER),
        expiresAt: clock.now() + KEPT_MS,
      });
      await insertArrival(store, row, {
        media_id: id,
        slot_id: slotId,
        history_id: keptWith?.historyId ?? null,
        chat: keptWith?.chat ?? null,
        message_id: keptWith?.messageId ?? null,
        copy_until: null,
      });
    },
    async fill(media, bytes) {
      const { id, accountId, phone, expiresAt, mimetype, fileName, ref, arrival } = media;
      if (!arrival) throw new TypeError('only a file that came with a message gets its bytes later');
      const accountKey = await dataKeys.of(accountId);
      const copyUntil = arrival.isKept ? null : clock.now() + COPY_MS;
      let details: MediaDetails = media;
      const row = await takeIn(
        accountKey,
        {
          accountId,
          bytes,
          size: media.size,
          maxBytes: INBOUND_MEDIA_MAX_BYTES,
          beyond: 'media_beyond_limit',
        },
        ({ size, sha256, sniffed }) => {
          const type = mimetype === UNKNOWN_MEDIA_TYPE ? sniffed : mimetype;
          details = { mimetype: type, fileName, sha256, ...(ref && { ref }) };
          return rowOf(accountKey, { id, accountId, phone }, details, { size, expiresAt });
        },
        copyUntil,
      );
      return mediaOf(row, details, { ...arrival, copyUntil });
    },
    async hold({ id, accountId, objectId, arrival }) {
      if (objectId === '') return false;
      const now = clock.now();
      const copyUntil = arrival?.copyUntil ?? null;
      const isSoonOver = copyUntil !== null && copyUntil < now + COPY_MS / 2;
      if (isSoonOver && !(await extendCopy(store, id, now + COPY_MS))) return false;
      try {
        return await blobs.has(nameOf(accountId, objectId));
      } catch (error) {
        throw error instanceof BlobError ? apiErrorFrom(error, 'media_store_unreachable') : error;
      }
    },
    forget: ({ id }) => endMedia(store, id, clock.now()),
    find: async (accountId, id) => unlessOver(await lookUp(accountId, id)),
    async findInAnyAccount(id) {
      const row = await findMedia(store.read, id);
      return row && unlessOver(await opened(row));
    },
    findNeeded: lookUp,
    async read({ accountId, objectId, size }, range, signal) {
      const key = fileKey(await dataKeys.of(accountId), objectId);
      try {
        const sealed = await blobs.read(nameOf(accountId, objectId), sealedRange(range, size), signal);
        return openFile(sealed, { key, size, range });
      } catch (error) {
        if (!(error instanceof BlobError)) throw error;
        throw apiErrorFrom(error, error.code === 'missing' ? 'media_not_found' : 'media_store_unreachable');
      }
    },
  };
}

export function nameOf(accountId: string, objectId: string): string {
  return `${accountId}/${objectId}`;
}

function arrivalIn({ slot_id, history_id, copy_until }: FoundMedia): InboundFile | undefined {
  if (slot_id === null) return undefined;
  return { slotId: slot_id, isKept: history_id !== null, copyUntil: copy_until };
}
