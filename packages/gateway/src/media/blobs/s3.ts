import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { S3mini } from 's3mini';
import type { S3Place } from '#config';
import { createServiceFetch } from '#egress';
import type { Clock } from '#kernel';
import { BlobError, type MediaStore, type StoredBlob } from './port.ts';

/** A bucket of any store that speaks S3. Each file is one request, with its length known: nothing of it is there until all of it is. */
export function createS3Store(place: S3Place, machineClock: Pick<Clock, 'after'>): MediaStore {
  const { endpoint, region, accessKeyId, secretAccessKey, prefix } = place;
  const service = createServiceFetch({ clock: machineClock, limits: LIMITS });
  const s3 = new S3mini({ endpoint, region, accessKeyId, secretAccessKey, fetch: service.fetch });

  return {
    async put(name, { path, size }) {
      const file = await openAsBlob(path);
      const asked = s3.putObject(prefix + name, file, undefined, undefined, undefined, size);
      const answer = await reached(asked);
      // The connection is free again when the answer is read.
      await reached(answer.arrayBuffer());
      await rm(path, { force: true });
    },
    has: async (name) => (await reached(s3.objectExists(prefix + name))) === true,
    async read(name, { from, to }) {
      const answer = await reached(s3.getObjectRaw(prefix + name, false, from, to));
      if (!answer.body) throw new BlobError('unreachable');
      return answer.body;
    },
    async delete(name) {
      await reached(s3.deleteObject(prefix + name)).catch((error: unknown) => {
        if (!(error instanceof BlobError) || error.code !== 'missing') throw error;
      });
    },
    async *list(): AsyncGenerator<StoredBlob> {
      let token: string | undefined;
      do {
        const page = await reached(s3.listObjectsPaged('/', prefix, PAGE, token));
        for (const { Key, LastModified } of page?.objects ?? []) {
          yield { name: Key.slice(prefix.length), madeAt: new Date(LastModified).getTime() };
        }
        token = page?.nextContinuationToken;
      } while (token !== undefined);
    },
    close: service.close,
  };
}

const PAGE = 1_000;
const LIMITS = { answerMs: 10_000, bodyMs: 110_000, stallMs: 30_000 };
const NOT_FOUND = 404;

async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const isMissing = (cause as { status?: number }).status === NOT_FOUND;
    throw new BlobError(isMissing ? 'missing' : 'unreachable', { cause });
  }
}
