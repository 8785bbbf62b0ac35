import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import type { MediaFetcher } from '@parley/sandbox/control';
import type { VirtualNetworkParts } from './start.ts';

const DOWNLOAD_MS = 30_000;

/** A virtual phone downloads what it is told to send by the same guarded way as the gateway. */
export function createMediaFetcher({ config, random, egress }: VirtualNetworkParts): MediaFetcher {
  return {
    async fetch(url) {
      const name = Buffer.from(random.bytes(8)).toString('hex');
      const toFile = path.join(config.dataDir, `sandbox-download-${name}`);
      try {
        const { mimetype } = await egress.download(url, {
          toFile,
          maxBytes: OUTBOUND_MEDIA_MAX_BYTES,
          timeoutMs: DOWNLOAD_MS,
        });
        return { bytes: await readFile(toFile), mimetype };
      } finally {
        await rm(toFile, { force: true });
      }
    },
  };
}
