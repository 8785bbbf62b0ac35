import type { Media, MediaLibrary } from '#media';
import type { Store } from '#platform/store';
import { pagesOf } from '../data-categories/category-queries.ts';
import { exportsOf } from '../offboarding-queries.ts';
import { pieceFiles } from './pieces.ts';
import type { ZipEntry } from './zip.ts';

export interface MediaContext {
  readonly store: Pick<Store, 'read'>;
  readonly library: Pick<MediaLibrary, 'find' | 'read' | 'hold'>;
  /** Limit of all files together; by default as much as leaves room for the rest of the archive. */
  readonly mediaLimit?: { readonly bytes: number; readonly files: number };
}

/** Files in the manifest. */
export interface MediaManifest {
  files: number;
  bytes: number;
  readonly limit: { readonly bytes: number; readonly files: number };
  /** Stored, but beyond the limit: each is available at `GET /v1/media/{media_id}` while it is kept. */
  readonly beyond_limit: { files: number; bytes: number };
  /** Listed, but without bytes here: never fetched from the network, or dropped since. */
  not_stored: number;
}

const LIMIT = { bytes: 2 * 1024 * 1024 * 1024, files: 50_000 };
const MEDIA = { table: 'media', column: 'account_id', key: ['id'], walked: true } as const;

/**
 * Stored files of an account, one after the other, each read while it is packed, without earlier archives and their
 * pieces. Returns their part of the manifest. Calls `onFile` before each.
 */
export async function* mediaFiles(
  { store, library, mediaLimit: limit = LIMIT }: MediaContext,
  accountId: string,
  onFile: () => void,
): AsyncGenerator<ZipEntry, MediaManifest> {
  const archives = new Set((await exportsOf(store.read, accountId)).map(({ media_id }) => media_id));
  const pieces = await pieceFiles(store.read, accountId);
  const manifest: MediaManifest = {
    ...{ files: 0, bytes: 0, limit },
    ...{ beyond_limit: { files: 0, bytes: 0 }, not_stored: 0 },
  };
  for await (const { rows } of pagesOf(store.read, MEDIA, accountId, ['id'])) {
    for (const id of rows.map((row) => String(row.id))) {
      if (archives.has(id) || pieces.has(id)) continue;
      onFile();
      const file = await library.find(accountId, id);
      if (!file || !(await library.hold(file))) manifest.not_stored++;
      else if (manifest.files === limit.files || manifest.bytes + file.size > limit.bytes) {
        manifest.beyond_limit.files++;
        manifest.beyond_limit.bytes += file.size;
      } else {
        manifest.files++;
        manifest.bytes += file.size;
        yield { name: nameOf(file), bytes: bytesOf(library, file), asItIs: true };
      }
    }
  }
  return manifest;
}

async function* bytesOf(library: MediaContext['library'], file: Media): AsyncGenerator<Uint8Array> {
  if (file.size > 0) yield* await library.read(file, { from: 0, to: file.size });
}

const PLAIN_ENDING = /\.[A-Za-z0-9]{1,8}$/;

/** Named by its id, as in the rest of the archive, with the extension of its original name. */
function nameOf({ id, fileName }: Media): string {
  return `media/${id}${PLAIN_ENDING.exec(fileName)?.[0].toLowerCase() ?? ''}`;
}
