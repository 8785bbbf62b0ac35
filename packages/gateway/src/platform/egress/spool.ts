import { createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Downloaded } from './download.ts';
import type { Egress } from './egress.ts';
import { SNIFFED_BYTES, sniff } from './sniff.ts';

/** A temporary file; the caller that fetched it disposes of it. */
interface SpooledFile extends Downloaded, AsyncDisposable {
  readonly path: string;
}

/** A folder of temporary files. */
export interface Spool {
  /** Rejects with an `EgressError` when the download fails, and then leaves no file behind. */
  fetch(url: string, signal?: AbortSignal): Promise<SpooledFile>;
  /** The same for a stored file. Rejects with the error of its byte stream. */
  hold(file: HeldFile, signal?: AbortSignal): Promise<SpooledFile>;
}

interface HeldFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly size: number;
  /** Empty when it has none. */
  readonly fileName: string;
  readonly mimetype: string;
}

export interface SpoolOptions {
  readonly egress: Pick<Egress, 'download'>;
  /** Used by this process alone; created when missing. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export function createSpool({ egress, folder, ...limits }: SpoolOptions): Spool {
  mkdirSync(folder, { recursive: true });
  // Leftovers of a process that died.
  for (const left of readdirSync(folder)) rmSync(join(folder, left), { recursive: true, force: true });

  async function onShelf(fill: (path: string) => Promise<Downloaded>): Promise<SpooledFile> {
    const shelf = await mkdtemp(join(folder, 'file-'));
    const clear = (): Promise<void> => rm(shelf, { recursive: true, force: true });
    const path = join(shelf, 'file');
    try {
      return { ...(await fill(path)), path, [Symbol.asyncDispose]: clear };
    } catch (error) {
      await clear();
      throw error;
    }
  }

  return {
    fetch: (url, signal) => onShelf((path) => egress.download(url, { toFile: path, ...limits, signal })),
    hold: ({ bytes, size, fileName, mimetype }, signal) =>
      onShelf(async (path) => {
        const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
        await pipeline(bytes, file, signal ? { signal } : {});
        const kind = sniff(await beginningOf(path));
        return { ...kind, size, fileName, declaredType: mimetype };
      }),
  };
}

async function beginningOf(path: string): Promise<Uint8Array> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SNIFFED_BYTES) });
  return buffer.subarray(0, bytesRead);
}
