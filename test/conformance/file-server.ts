import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom0000isomiso2')]);

export const FILES = {
  '/picture.png': PICTURE,
  '/page.html': Buffer.from('<!doctype html><title>Not a picture</title>'),
  '/tides.pdf': Buffer.from('%PDF-1.4 high water at nine'),
  '/broken.png': PICTURE.subarray(0, 20),
  '/film.mp4': MP4,
  '/voice.ogg': Buffer.from('OggS and some sound'),
  '/sticker.webp': WEBP,
  '/no-sticker.webp': PICTURE,
} satisfies Record<string, Buffer>;
const served = new Map<string, Buffer>(Object.entries(FILES));

/** A foreign web server with a few files; every other path is 404. */
export function useFileServer(): { url(path: string): string } {
  const server = createServer((request, response) => {
    const file = served.get(request.url ?? '');
    if (file) response.end(file);
    else response.writeHead(404).end();
  });
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: (path) => base + path };
}
