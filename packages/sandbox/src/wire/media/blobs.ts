import { createHash } from 'node:crypto';
import type { World } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';
import { type BlobKind, encryptMedia } from './keys.ts';
import type { MediaStore } from './media-store.ts';

/** Location of an encrypted blob on the media server, with its key. */
interface BlobReference {
  readonly mediaKey: Buffer;
  readonly directPath: string;
  readonly handle: string;
  readonly fileSizeBytes: number;
  readonly fileSha256: Buffer;
  readonly fileEncSha256: Buffer;
}

/** Data too large for a stanza, on the media server: app state and history, as a phone uploads them for its linked devices. */
export interface Blobs {
  /** Uploads under a name; the same name and edition returns the existing blob, and another edition replaces it. */
  upload(kind: BlobKind, name: string, edition: string, make: () => Uint8Array): BlobReference;
}

const SCOPE = 'media.blobs';
const MEDIA_KEY_BYTES = 32;

interface Kept extends BlobReference {
  readonly edition: string;
}

export function createBlobs({
  world: { vault },
  mediaStore,
  random,
}: {
  world: Pick<World, 'vault'>;
  mediaStore: Pick<MediaStore, 'put' | 'drop'>;
  random: Random;
}): Blobs {
  return {
    upload(kind, name, edition, make) {
      const bytes = vault.read(SCOPE, `${kind}/${name}`);
      const kept = bytes && fromBytes<Kept>(bytes);
      if (kept?.edition === edition) return kept;
      if (kept) mediaStore.drop(pathOf(kept.directPath));
      const blob = make();
      const mediaKey = Buffer.from(random.bytes(MEDIA_KEY_BYTES));
      const encrypted = encryptMedia(blob, mediaKey, kind);
      const fileEncSha256 = createHash('sha256').update(encrypted).digest();
      const path = `/mms/${kind}/${fileEncSha256.toString('base64url')}`;
      const made: Kept = {
        edition,
        mediaKey,
        directPath: `${path}?ccb=11-4`,
        handle: fileEncSha256.toString('hex').slice(0, 32),
        fileSizeBytes: blob.length,
        fileSha256: createHash('sha256').update(blob).digest(),
        fileEncSha256,
      };
      mediaStore.put(path, encrypted);
      vault.write(SCOPE, `${kind}/${name}`, toBytes(made));
      return made;
    },
  };
}

const pathOf = (directPath: string): string => directPath.split('?')[0] ?? '';
