import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock, createSystemClock } from '#kernel';
import { dropOldMedia, dropOrphans } from '../sweep.ts';
import { type S3Server, s3Url, startS3Server } from '../testing/s3-server.ts';
import { createStage, type MediaStage } from '../testing/stage.ts';
import type { MediaStore } from './port.ts';
import { openMediaStore } from './stores.ts';

const owner = { accountId: 'ada', phone: null };

describe('in a bucket', () => {
  let server: S3Server;
  let blobs: MediaStore;
  let stage: MediaStage;
  beforeAll(async () => {
    server = await startS3Server();
    blobs = openMediaStore(server.url, createSystemClock());
    stage = await createStage('SQLite', blobs);
  });
  afterAll(async () => {
    await stage.close();
    await blobs.close();
    await server.stop();
  });

  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of blobs.list()) found.push(name);
    return found.sort();
  };

  it('files are kept sealed, once, and read in parts', async () => {
    const bytes = randomBytes(3_000_000);
    const media = await stage.library.keep(owner, stage.file(bytes));
    await stage.library.keep(owner, stage.file(bytes));
    expect(await names()).toEqual([`ada/${media.objectId}`]);
    const part = { from: 65_000, to: 2_000_001 };
    expect(
      (await buffer(await stage.library.read(media, part))).equals(bytes.subarray(65_000, 2_000_001)),
    ).toBe(true);
    const atRest = await buffer(await blobs.read(`ada/${media.objectId}`, { from: 0, to: 1_000 }));
    expect(atRest.equals(bytes.subarray(0, 1_000))).toBe(false);
  });

  it('deletes expired files and orphans', async () => {
    stage.clock.advance(31 * 86_400_000);
    await dropOldMedia(stage);
    expect(await names()).toEqual([]);
    const { objectId } = await stage.library.keep(owner, stage.file(randomBytes(10)));
    await stage.store.transaction((trx) => trx.deleteFrom('media_objects').execute());
    await dropOrphans({ ...stage, machineClock: createSystemClock() });
    expect(await names()).toEqual([`ada/${objectId}`]);
    await dropOrphans({ ...stage, machineClock: { now: () => Date.now() + 25 * 3_600_000 } });
    expect(await names()).toEqual([]);
  });

  it('a file is taken over: it is gone from where it was', async () => {
    const file = path.join(stage.incoming, 'taken');
    writeFileSync(file, 'sealed');
    await blobs.put('ada/taken', { path: file, size: 6 });
    expect(existsSync(file)).toBe(false);
    expect(String(await buffer(await blobs.read('ada/taken', { from: 0, to: 6 })))).toBe('sealed');
    await blobs.delete('ada/taken');
    expect(await blobs.has('ada/taken')).toBe(false);
  });

  it('reports an absent file as missing', async () => {
    await expect(blobs.read('ada/none', { from: 0, to: 1 })).rejects.toMatchObject({ code: 'missing' });
    expect(await blobs.has('ada/none')).toBe(false);
    await blobs.delete('ada/none');
  });

  it('reports a wrong key as an unreachable store, not as a missing file', async () => {
    const stranger = openMediaStore(server.url.replace('S3RVER:S3RVER', 'S3RVER:wrong'), createSystemClock());
    await expect(stranger.read('ada/none', { from: 0, to: 1 })).rejects.toMatchObject({
      code: 'unreachable',
    });
    await stranger.close();
  });
});

describe('a bucket out of reach', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });

  async function serve(listener: RequestListener, port = 0): Promise<number> {
    const server = createServer(listener).listen(port, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('that hangs is given up in bounded time, with nothing kept', async () => {
    const clock = createSteppedClock();
    const arrived = Promise.withResolvers<void>();
    const port = await serve(() => arrived.resolve());
    const blobs = openMediaStore(s3Url(port), clock);
    const stage = await createStage('SQLite', blobs);
    const outcome = stage.library.keep(owner, stage.file(randomBytes(100))).catch((error) => error);
    await arrived.promise;
    clock.advance(120_000);
    expect(await outcome).toMatchObject({
      code: 'media_store_unreachable',
      status: 503,
      retryAfterSeconds: 5,
    });
    expect(await stage.store.read.selectFrom('media').selectAll().execute()).toEqual([]);
    await stage.close();
    await blobs.close();
  });

  it('that refuses or fails is reported, and works again after it is back', async () => {
    const port = await serve((_request, response) => response.writeHead(500).end());
    const [failing] = servers.splice(0);
    const blobs = openMediaStore(s3Url(port), createSystemClock());
    const stage = await createStage('SQLite', blobs);
    const keep = () => stage.library.keep(owner, stage.file(Buffer.from('the same file')));
    await expect(keep()).rejects.toMatchObject({ code: 'media_store_unreachable' });
    await expect(blobs.delete('ada/any')).rejects.toMatchObject({ code: 'unreachable' });
    await expect(blobs.has('ada/any')).rejects.toMatchObject({ code: 'unreachable' });
    failing?.closeAllConnections();
    await new Promise((done) => failing?.close(done));
    await expect(keep()).rejects.toMatchObject({ code: 'media_store_unreachable' });

    const objects = new Map<string, Buffer>();
    await serve(async (request, response) => {
      const name = request.url ?? '';
      if (request.method === 'PUT') objects.set(name, await buffer(request));
      response
        .writeHead(objects.has(name) ? 200 : 404)
        .end(request.method === 'GET' ? objects.get(name) : '');
    }, port);
    const media = await keep();
    expect(await buffer(await stage.library.read(media, { from: 0, to: 13 }))).toEqual(
      Buffer.from('the same file'),
    );
    await stage.close();
    await blobs.close();
  });
});
