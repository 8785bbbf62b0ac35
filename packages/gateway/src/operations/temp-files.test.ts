import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSystemClock } from '#kernel';
import { createEgress, type Egress } from '#platform/egress';
import { createTempFiles, type TempFiles } from './temp-files.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)]);

let server: Server;
let base: string;
let egress: Egress;
let folder: string;
let files: TempFiles;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/dot.png') response.end(PNG);
    else if (request.url === '/page') response.end('<html></html>');
    else if (request.url === '/huge.png') {
      response.writeHead(200, { 'content-length': OUTBOUND_MEDIA_MAX_BYTES + 1 }).end(PNG);
    } else if (request.url === '/moved') response.writeHead(302, { location: '/dot.png' }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  egress = createEgress({ clock: createSystemClock(), publicOnly: false });
  folder = mkdtempSync(join(tmpdir(), 'parley-lend-'));
  mkdirSync(join(folder, 'lent-before'));
  writeFileSync(join(folder, 'lent-before', 'file'), 'from a process that died');
  const library = { find: async () => undefined, read: () => Promise.reject(new Error('nothing is kept')) };
  files = createTempFiles({ egress, folder, library });
});

afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  rmSync(folder, { recursive: true });
});

const wanted = (path: string, type: 'image' | 'document' = 'image') => ({
  from: { url: base + path },
  field: 'image_url',
  type,
});

test('files of a dead process are removed', () => {
  expect(readdirSync(folder)).toEqual([]);
});

test('a file is lent with its real type, and removed', async () => {
  const seen = await files.lend(wanted('/dot.png'), async (file) => ({
    ...file,
    bytes: readFileSync(file.path),
  }));
  expect(seen).toMatchObject({ size: PNG.length, mimetype: 'image/png', fileName: 'dot.png' });
  expect(seen.bytes).toEqual(PNG);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file is removed when its use fails', async () => {
  const failing = files.lend(wanted('/dot.png'), () => Promise.reject(new Error('refused by the network')));
  await expect(failing).rejects.toThrow('refused by the network');
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['/nothing', 'media_unavailable'],
  ['/moved', 'media_unavailable'],
  ['/huge.png', 'media_too_large'],
  ['/page', 'media_of_another_type'],
] as const)('%s is refused as %s, and leaves nothing behind', async (path, code) => {
  const lending = files.lend(wanted(path), async () => 'used');
  await expect(lending).rejects.toMatchObject({ code, status: 400 });
  expect(readdirSync(folder)).toEqual([]);
});

test('the error names the field and the expected type', async () => {
  const lending = files.lend(wanted('/page'), async () => 'used');
  await expect(lending).rejects.toThrow('image_url does not point to an image');
});

test('any file is a document', async () => {
  expect(await files.lend(wanted('/page', 'document'), async ({ size }) => size)).toBe(13);
});
