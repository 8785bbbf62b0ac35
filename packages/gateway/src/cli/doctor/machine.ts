import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Ailment, type Check } from './check.ts';

const LEAST_FREE_BYTES = 512 * 1024 ** 2;

/** The data dir can be written to, by nobody else. */
export const folder: Check = {
  name: 'folder',
  async run({ dataDir }) {
    const probe = path.join(dataDir, 'doctor.probe');
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      writeFileSync(probe, 'x', { flush: true });
    } catch (error) {
      throw new Ailment(`${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code})`);
    } finally {
      rmSync(probe, { force: true });
    }
    const { mode } = statSync(dataDir);
    const others = (mode & 0o077) === 0 ? '' : '; others on this machine may look into it (chmod 700)';
    return `${dataDir} can be written to${others}`;
  },
};

export const diskSpace: Check = {
  name: 'disk space',
  async run({ dataDir, mediaUrl }) {
    const folders = new Set([
      dataDir,
      mediaUrl.startsWith('file:') ? mediaUrl.slice('file:'.length) : dataDir,
    ]);
    const found: string[] = [];
    for (const each of folders) {
      const { bavail, blocks, bsize } = await statfs(nearestFolder(each));
      const told = `${inGb(bavail * bsize)} of ${inGb(blocks * bsize)} left for ${each}`;
      if (bavail * bsize < LEAST_FREE_BYTES)
        throw new Ailment(`${told}; the gateway stops writing when none is`);
      found.push(told);
    }
    return found.join(', ');
  },
};

/** It may not be made yet. */
function nearestFolder(wanted: string): string {
  return statSync(wanted, { throwIfNoEntry: false }) ? wanted : nearestFolder(path.dirname(wanted));
}

function inGb(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}
