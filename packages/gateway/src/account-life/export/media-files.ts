import type { Media, MediaLibrary } from '#media';
import type { Store } from '#store';
import { pagesOf } from '../holdings/store.ts';
import { pieceFiles } from './pieces.ts';
import { exportsOf } from './store.ts';
import type { ZipEntry } from './zip.ts';

export interface MediaContext {
  readonly store: Pick<Store, 'read'>;
  readonly library: Pick<MediaLibrary, 'find' | 'read' | 'hold'>;
  /** Of all files together; as much as leaves room for the rest of the archive when absent. */
  readonly mediaLimit?: { readonly bytes: number; readonly files: number };
}

/** What the manifest tells of the files. */
export interface MediaManifest {
  files: number;
  bytes: number;
  readonly limit: { readonly bytes: number; readonly files: number };
  /** There, but beyond the limit: each is still to be had by `GET /v1/media/{media_id}` while it is kept. */
  readonly beyond_limit: { files: number; bytes: number };
  /** Listed, but without bytes here: never fetched from the network, or dropped since. */
  not_stored: number;
}

const LIMIT = { bytes: 2 * 1024 * 1024 * 1024, files: 50_000 };
const MEDIA = { table: 'media', column: 'account_id', key: ['id'], walked: true } as const;

/**
 * The files that an account has here, one after the other, each read while it is packed. Archives that were made before, and their pieces, are not among them.
 * Answers what the manifest says of them. `onFile` is called before each.
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

/** By its id, which is what the rest of the archive calls it; with the ending of the name that it came with. */
function nameOf({ id, fileName }: Media): string {
  return `media/${id}${PLAIN_ENDING.exec(fileName)?.[0].toLowerCase() ?? ''}`;
}
