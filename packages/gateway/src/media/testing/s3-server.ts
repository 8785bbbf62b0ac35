import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

/** Of the server for tests, which knows one caller. */
const KEY = 'S3RVER';

export interface S3Server {
  /** For `PARLEY_MEDIA_URL`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that speaks S3 and checks signatures, on this machine. */
export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  // It leaves the slash behind a bucket away when it checks what was signed, which real stores do not: lists would never be signed well.
  server.middleware.unshift((context, next) => {
    server.allowMismatchedSignatures = context.path === '/files/';
    return next();
  });
  const { port } = (await server.run()) as AddressInfo;
  return {
    url: s3Url(port),
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function s3Url(port: number): string {
  return `s3://${KEY}:${KEY}@unused/files?region=us-east-1&endpoint=http://127.0.0.1:${port}&prefix=kept`;
}
