import { createHash } from 'node:crypto';
import type { World } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';
import { type BlobKind, encryptMedia } from './keys.ts';
import type { MediaShelf } from './shelf.ts';

/** Where a client finds an encrypted blob on the media server, and the key to it. */
interface BlobReference {
  readonly mediaKey: Buffer;
  readonly directPath: string;
  readonly handle: string;
  readonly fileSizeBytes: number;
  readonly fileSha256: Buffer;
  readonly fileEncSha256: Buffer;
}

/** What is too large for a stanza lies on the media server: app state and history, as a phone uploads them for its linked devices. */
export interface Blobs {
  /** Uploads under a name; the same name again, for the same edition, answers where it lies already, and another edition takes its place. */
  upload(kind: BlobKind, name: string, edition: string, make: () => Uint8Array): BlobReference;
}

const SCOPE = 'media.blobs';
const MEDIA_KEY_BYTES = 32;

interface Kept extends BlobReference {
  readonly edition: string;
}

export function createBlobs({
  world: { vault },
  shelf,
  random,
}: {
  world: Pick<World, 'vault'>;
  shelf: Pick<MediaShelf, 'put' | 'drop'>;
  random: Random;
}): Blobs {
  return {
    upload(kind, name, edition, make) {
      const bytes = vault.read(SCOPE, `${kind}/${name}`);
      const kept = bytes && fromBytes<Kept>(bytes);
      if (kept?.edition === edition) return kept;
      if (kept) shelf.drop(pathOf(kept.directPath));
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
      shelf.put(path, encrypted);
      vault.write(SCOPE, `${kind}/${name}`, toBytes(made));
      return made;
    },
  };
}

const pathOf = (directPath: string): string => directPath.split('?')[0] ?? '';
