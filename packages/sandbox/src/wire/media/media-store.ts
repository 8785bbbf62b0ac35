import { createHash } from 'node:crypto';
import type { Codecs } from '@parley/codecs';
import type { MediaRef, MediaTraits, World } from '../../world/index.ts';
import type { MediaFields, MediaKind } from '../content/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import { type Clock, type Random, unixSeconds } from '../ports.ts';
import type { BrokenDownloads, FileReader } from './broken-downloads.ts';
import { decryptMedia, encryptMedia, matchesSidecar, sidecarOf } from './keys.ts';

/** Transfers files between clients and the world: encrypted outside, plain inside. */
export interface MediaStore {
  /** Finds out size and thumbnail of a phone's picture, which `share` adds from then on. */
  describe(ref: MediaRef): Promise<void>;
  /** Location and key of a file of the world, for a client. */
  share(ref: MediaRef, kind: MediaKind, reader: FileReader): MediaFields;
  /** The phone of a message uploads its file again; false when it does not have it any more. */
  renew(reader: FileReader): boolean;
  /** The same for a public file, unencrypted. */
  publish(ref: MediaRef, reader: FileReader): MediaFields;
  /** Imports an uploaded file. Undefined when it was never uploaded or does not match its key. */
  take(fields: MediaFields, kind: MediaKind): MediaRef | undefined;
  /** Stores an upload of a client. */
  put(path: string, bytes: Uint8Array): void;
  drop(path: string): void;
  /** The bytes at a path, as a client downloads them. */
  read(path: string): Uint8Array | undefined;
}

const UPLOADS = 'media.uploads';
const LOCKS = 'media.locks';
const TRAITS = 'media.traits';
const PUBLIC = /^\/public\/(?<id>[0-9a-f]{64})$/;
const SHARED = /^\/shared\/(?<kind>image|video|audio|document|sticker)\/(?<id>[0-9a-f]{64})$/;
const MEDIA_KEY_BYTES = 32;

/** Key of an encrypted file, with its hashes. */
interface Lock {
  readonly mediaKey: Buffer;
  readonly fileEncSha256: Buffer;
  /** Of kinds that are played while they are downloaded. */
  readonly streamingSidecar?: Buffer;
  /** Seconds. */
  readonly mediaKeyTimestamp: number;
}

export function createMediaStore({
  world,
  clock,
  random,
  codecs,
  broken,
  baseUrl,
}: {
  world: Pick<World, 'media' | 'vault'>;
  clock: Clock;
  random: Random;
  codecs: Pick<Codecs, 'describe'>;
  broken: Pick<BrokenDownloads, 'addressFor' | 'renew'>;
  /** Known once the server listens. */
  baseUrl: () => string;
}): MediaStore {
  const { media, vault } = world;

  /** One key per file and kind, so that every share of a file has the same bytes. */
  const lockOf = (id: string, kind: MediaKind): Lock => {
    const kept = vault.read(LOCKS, `${kind}/${id}`);
    if (kept) return fromBytes<Lock>(kept);
    const plaintext = media.read(id);
    if (!plaintext) throw new Error('no such file in the world');
    const mediaKey = Buffer.from(random.bytes(MEDIA_KEY_BYTES));
    const encrypted = encryptMedia(plaintext, mediaKey, kind);
    const fileEncSha256 = createHash('sha256').update(encrypted).digest();
    const isStreamed = kind === 'video' || kind === 'audio';
    const streamingSidecar = isStreamed ? sidecarOf(encrypted, mediaKey, kind) : undefined;
    const made: Lock = {
      mediaKey,
      fileEncSha256,
      mediaKeyTimestamp: unixSeconds(clock),
      ...(streamingSidecar && { streamingSidecar }),
    };
    vault.write(LOCKS, `${kind}/${id}`, toBytes(made));
    return made;
  };

  const describedTraits = (id: string): MediaTraits => {
    const kept = vault.read(TRAITS, id);
    return kept ? fromBytes<MediaTraits>(kept) : {};
  };

  const readShared = (id: string, kind: MediaKind): Buffer | undefined => {
    const plaintext = media.read(id);
    return plaintext && encryptMedia(plaintext, lockOf(id, kind).mediaKey, kind);
  };

  const read = (path: string): Uint8Array | undefined => {
    const open = PUBLIC.exec(path)?.groups;
    if (open?.id) return media.read(open.id);
    const shared = SHARED.exec(path)?.groups;
    if (!shared) return vault.read(UPLOADS, path);
    const kind = mediaKind(shared.kind);
    return kind && shared.id ? readShared(shared.id, kind) : undefined;
  };

  return {
    async describe(ref) {
      const bytes = vault.read(TRAITS, ref.id) ? undefined : media.read(ref.id);
      if (!bytes) return;
      const { thumbnail, ...size } = await codecs.describe(bytes, 'image');
      const traits = { ...size, ...(thumbnail && { thumbnail: Buffer.from(thumbnail).toString('base64') }) };
      vault.write(TRAITS, ref.id, toBytes(traits));
    },

    share(ref, kind, reader) {
      const directPath = broken.addressFor(`/shared/${kind}/${ref.id}`, reader);
      return {
        url: `${baseUrl()}${directPath}`,
        directPath,
        mimetype: ref.mimetype,
        fileSha256: Buffer.from(ref.id, 'hex'),
        fileLength: ref.size,
        ...lockOf(ref.id, kind),
        ...writeTraits({ ...describedTraits(ref.id), ...ref.traits }),
      };
    },

    renew: broken.renew,

    publish(ref, reader) {
      const directPath = broken.addressFor(`/public/${ref.id}`, reader);
      return {
        url: `${baseUrl()}${directPath}`,
        directPath,
        mimetype: ref.mimetype,
        fileSha256: Buffer.from(ref.id, 'hex'),
        fileLength: ref.size,
        ...writeTraits(ref.traits),
      };
    },

    take({ directPath, url, mediaKey, mimetype, ...fields }, kind) {
      const file = read(pathOf(directPath ?? url));
      if (!file) return undefined;
      // posts of channels are public and unencrypted
      const plaintext = mediaKey?.length ? decryptMedia(file, mediaKey, kind) : file;
      if (!plaintext) return undefined;
      // A phone plays while it downloads, and stops at a part that is not what its MAC says.
      const { streamingSidecar: sidecar } = fields;
      if (mediaKey?.length && sidecar?.length && !matchesSidecar(file, mediaKey, kind, sidecar))
        return undefined;
      const traits = readTraits(fields);
      return {
        ...media.put(plaintext, mimetype ?? 'application/octet-stream'),
        ...(Object.keys(traits).length > 0 && { traits }),
      };
    },

    put(path, bytes) {
      vault.write(UPLOADS, path, bytes);
    },
    drop(path) {
      vault.erase(UPLOADS, path);
    },

    read,
  };
}

function readTraits(fields: Partial<MediaFields>): MediaTraits {
  const { jpegThumbnail, width, height, seconds, waveform, streamingSidecar } = fields;
  return {
    ...(jpegThumbnail?.length && { thumbnail: Buffer.from(jpegThumbnail).toString('base64') }),
    ...(width && { width }),
    ...(height && { height }),
    ...(seconds && { seconds }),
    ...(streamingSidecar?.length && { streamed: true }),
    ...(waveform?.length && { waveform: Buffer.from(waveform).toString('base64') }),
  };
}

function writeTraits({
  thumbnail,
  waveform,
  streamed: _,
  ...traits
}: MediaTraits = {}): Partial<MediaFields> {
  return {
    ...traits,
    ...(thumbnail && { jpegThumbnail: Buffer.from(thumbnail, 'base64') }),
    ...(waveform && { waveform: Buffer.from(waveform, 'base64') }),
  };
}

/** The path of a URL, or of text that begins with the path. */
function pathOf(address: string | null | undefined): string {
  return URL.parse(address ?? '', 'https://media.invalid')?.pathname ?? '';
}

function mediaKind(text: string | undefined): MediaKind | undefined {
  switch (text) {
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return text;
    default:
      return undefined;
  }
}
