import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { MediaRef as StoredMedia, World } from '@parley/sandbox/world';
import type { MediaFile, MediaRef } from '../../content.ts';
import { NetworkError } from '../../errors.ts';

const mediaError = (text: string, cause?: unknown): NetworkError =>
  new NetworkError('permanent', text, { failure: 'media', cause });

export async function readMediaFile(file: MediaFile): Promise<Uint8Array> {
  try {
    return await readFile(file.path);
  } catch (error) {
    throw mediaError('The media file cannot be read.', error);
  }
}

export async function upload(world: Pick<World, 'media'>, file: MediaFile): Promise<StoredMedia> {
  return world.media.put(await readMediaFile(file), file.mimetype);
}

export function download(
  world: Pick<World, 'media'>,
  media: MediaRef,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
): Uint8Array {
  if (signal?.aborted) throw new NetworkError('transient', 'The download was stopped.');
  const bytes = world.media.read(media.token);
  if (!bytes) throw mediaError('The network does not have this file any more.');
  if (bytes.byteLength > maxBytes) throw mediaError('The file is larger than allowed.');
  return bytes;
}

/** In more than one piece, as from a network. */
export function stream(...args: Parameters<typeof download>): AsyncIterable<Uint8Array> {
  const bytes = download(...args);
  const half = Math.ceil(bytes.length / 2);
  return Readable.from([bytes.subarray(0, half), bytes.subarray(half)], { objectMode: true });
}
