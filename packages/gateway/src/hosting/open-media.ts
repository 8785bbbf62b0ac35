import path from 'node:path';
import type { DataKeys } from '#accounts';
import { createTempFiles, type TempFiles } from '#actions';
import type { Config } from '#config';
import type { Egress } from '#egress';
import type { Clock, Ids, Random } from '#kernel';
import { createFetchAction, createMediaLibrary, createMediaLinks, openMediaStore } from '#media';
import type { Store } from '#store';

interface Parts {
  readonly store: Store;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly egress: Egress;
  /** Where links to files lead. */
  readonly publicUrl: () => string | undefined;
  readonly passage: string;
}

interface OpenedMedia {
  readonly blobs: ReturnType<typeof openMediaStore>;
  readonly library: ReturnType<typeof createMediaLibrary>;
  readonly links: ReturnType<typeof createMediaLinks>;
  /** Run by the host of a number, which alone can ask the network for a file. */
  readonly fetchMedia: ReturnType<typeof createFetchAction>;
  readonly files: TempFiles;
}

/** The files of all accounts, where the configuration has them. */
export function openMedia(
  { mediaUrl }: Pick<Config, 'mediaUrl'>,
  parts: Parts,
  opened: AsyncDisposableStack,
): OpenedMedia {
  const { machineClock, egress } = parts;
  const blobs = openMediaStore(mediaUrl, machineClock);
  opened.defer(() => blobs.close());
  const library = createMediaLibrary({
    ...parts,
    blobs,
    incoming: path.join(parts.passage, 'media', 'incoming'),
  });
  return {
    blobs,
    library,
    links: createMediaLinks(parts),
    fetchMedia: createFetchAction({ library, machineClock }),
    files: createTempFiles({ egress, library, folder: path.join(parts.passage, 'lent') }),
  };
}
