import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Downloaded } from './download.ts';
import type { Egress } from './egress.ts';

/** A file of somebody else, for as long as it is in use here: whoever fetched it disposes of it. */
interface SpooledFile extends Downloaded, AsyncDisposable {
  readonly path: string;
}

/** A folder that files pass through: nothing stays. */
export interface Spool {
  /** Rejects with an `EgressError` when the file cannot be had, and leaves nothing behind then. */
  fetch(url: string, signal?: AbortSignal): Promise<SpooledFile>;
}

export interface SpoolOptions {
  readonly egress: Pick<Egress, 'download'>;
  /** Of this process alone; made when it is missing. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export function createSpool({ egress, folder, ...limits }: SpoolOptions): Spool {
  mkdirSync(folder, { recursive: true });
  // Whatever is there was left by a process that died while it used it.
  for (const left of readdirSync(folder)) rmSync(join(folder, left), { recursive: true, force: true });

  return {
    async fetch(url, signal) {
      const shelf = await mkdtemp(join(folder, 'file-'));
      const clear = (): Promise<void> => rm(shelf, { recursive: true, force: true });
      const path = join(shelf, 'file');
      try {
        const downloaded = await egress.download(url, { toFile: path, ...limits, signal });
        return { ...downloaded, path, [Symbol.asyncDispose]: clear };
      } catch (error) {
        await clear();
        throw error;
      }
    },
  };
}
