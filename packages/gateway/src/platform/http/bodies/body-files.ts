import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { MEDIA_UPLOADS_IN_PARALLEL } from '@parley/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiError, createPlaces } from '#kernel';

/** A file uploaded inside a request. It is on the disk without a name until it is disposed of. */
export class BodyFile {
  readonly size: number;
  /** Empty when not declared. */
  readonly mimetype: string;
  readonly fileName: string;
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, said: Pick<BodyFile, 'size' | 'mimetype' | 'fileName'>) {
    this.#handle = handle;
    this.size = said.size;
    this.mimetype = said.mimetype;
    this.fileName = said.fileName;
  }

  read(): Readable {
    return this.#handle.createReadStream({ start: 0, autoClose: false });
  }
}

/** A file that is being written. */
interface BodyFileWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Returns the file, once all of it is written. */
  end(said: Pick<BodyFile, 'mimetype' | 'fileName'>): BodyFile;
}

declare module 'fastify' {
  interface FastifyInstance {
    bodyFiles: BodyFiles;
  }
  interface FastifyRequest {
    /** Disposes of the files that came with this request. */
    disposals: (() => Promise<void>)[] | undefined;
  }
}

interface BodyFiles {
  open(request: FastifyRequest): Promise<BodyFileWriter>;
}

/** For all accounts together, per process. */
const FILES_MAX = 64;

/** Makes a server store uploaded files in a folder. */
export function keepBodyFiles(
  server: FastifyInstance,
  folder: string = join(tmpdir(), 'parley-bodies'),
): void {
  const places = createPlaces(MEDIA_UPLOADS_IN_PARALLEL);
  let all = 0;

  /** Returns a function that releases the place. */
  function takePlace(holder: string): () => void {
    const release = places.take(holder);
    if (!release) throw apiError('too_many_uploads');
    if (all >= FILES_MAX) {
      release();
      throw apiError('too_many_bodies');
    }
    all += 1;
    return () => {
      all -= 1;
      release();
    };
  }

  server.decorateRequest('disposals', undefined);
  server.decorate('bodyFiles', {
    async open(request) {
      const givePlaceBack = takePlace(request.caller?.accountId ?? '');
      let handle: FileHandle;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const path = join(folder, randomUUID());
        handle = await open(path, 'wx+', 0o600);
        // Unlinked, so that it disappears with the process.
        await unlink(path);
      } catch (error) {
        givePlaceBack();
        throw error;
      }
      request.disposals ??= [];
      request.disposals.push(async () => {
        givePlaceBack();
        await handle.close();
      });
      let size = 0;
      return {
        async write(bytes) {
          let from = 0;
          while (from < bytes.length) {
            const { bytesWritten } = await handle.write(bytes, from, bytes.length - from, size);
            from += bytesWritten;
            size += bytesWritten;
          }
        },
        end: (said) => new BodyFile(handle, { size, ...said }),
      };
    },
  } satisfies BodyFiles);
}

/** Disposes of the files of a request. Call it as soon as they were read or are not needed; repeated calls have no effect. */
export async function disposeOfFiles(request: FastifyRequest): Promise<void> {
  const disposals = request.disposals ?? [];
  request.disposals = undefined;
  await Promise.all(disposals.map((dispose) => dispose()));
}
