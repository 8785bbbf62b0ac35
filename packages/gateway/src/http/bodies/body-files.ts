import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { MEDIA_UPLOADS_IN_PARALLEL } from '@parley/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fault } from '#kernel';

/** A file that came inside a request. It lies on the disk, under no name, until it is disposed of. */
export class BodyFile {
  readonly size: number;
  /** Empty when nothing was said of it. */
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
  /** The file, once all of it is written. */
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

/** Of all accounts together, in one process. */
const FILES_MAX = 64;

/** Makes a server put the files of its requests into a folder. */
export function keepBodyFiles(
  server: FastifyInstance,
  folder: string = join(tmpdir(), 'parley-bodies'),
): void {
  const underWay = new Map<string, number>();
  let all = 0;

  /** Answers what gives the place back. */
  function takePlace(holder: string): () => void {
    const own = underWay.get(holder) ?? 0;
    if (own >= MEDIA_UPLOADS_IN_PARALLEL) throw fault('too_many_uploads');
    if (all >= FILES_MAX) throw fault('too_many_bodies');
    underWay.set(holder, own + 1);
    all += 1;
    return () => {
      all -= 1;
      const left = (underWay.get(holder) ?? 1) - 1;
      if (left > 0) underWay.set(holder, left);
      else underWay.delete(holder);
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
        // Without a name it is gone with the process, however that ends.
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

/** To be called as soon as the files of a request were read, or are not wanted; more than once does no harm. */
export async function disposeOfFiles(request: FastifyRequest): Promise<void> {
  const disposals = request.disposals ?? [];
  request.disposals = undefined;
  await Promise.all(disposals.map((dispose) => dispose()));
}
