import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { readPictureHeader } from '@parley/codecs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ada, ben, handset } from '../world/fixture.ts';
import { type Client, startTestNetwork, type TestNetwork } from './fixture.ts';
import { noisyPng } from './fixture-picture.ts';

let network: TestNetwork;
let client: Client;
const jid = (phone: string) => `${phone}@s.whatsapp.net`;
const photo = noisyPng(640);

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const addressOf = async (target: string, type: 'image' | 'preview'): Promise<string> =>
  (await client.sock.profilePictureUrl(target, type)) ?? '';

/** A download by a client without any trusted authority of ours. */
function download(url: string, method = 'GET'): Promise<{ status: number | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, { method }, async (response) => {
      resolve({ status: response.statusCode, bytes: await buffer(response) });
    })
      .on('error', reject)
      .end();
  });
}

async function inBothSizes(target: string) {
  const [full, preview] = [await addressOf(target, 'image'), await addressOf(target, 'preview')];
  return { full: await download(full), preview: await download(preview) };
}

it('a photo is downloaded from its address, and a thumbnail from that of its preview', async () => {
  network.world.photos.set(handset(ben), ben, photo);
  const { full, preview } = await inBothSizes(jid(ben));
  expect([full.status, preview.status]).toEqual([200, 200]);
  expect(full.bytes.equals(photo)).toBe(true);
  expect(readPictureHeader(preview.bytes)).toMatchObject({ width: 96, height: 96 });
  expect(preview.bytes.length).toBeLessThan(full.bytes.length / 10);
});

it('the photo of a group is served as well', async () => {
  const { group } = network.world.groups.create(handset(ben), { name: 'Club', participants: [ada] });
  network.world.photos.set(handset(ben), group.jid, photo);
  const { full, preview } = await inBothSizes(group.jid);
  expect(full.bytes.equals(photo)).toBe(true);
  expect(readPictureHeader(preview.bytes)).toMatchObject({ width: 96, height: 96 });
});

it('a photo that is small already, or cannot be decoded, is its own preview', async () => {
  for (const bytes of [noisyPng(32), Buffer.from('no picture at all')]) {
    network.world.photos.set(handset(ben), ben, bytes);
    expect((await inBothSizes(jid(ben))).preview.bytes.equals(bytes)).toBe(true);
  }
});

it('an address is valid for a day, for this photo and this size alone, and as long as the photo exists', async () => {
  network.world.photos.set(handset(ben), ben, photo);
  const url = await addressOf(jid(ben), 'preview');
  expect((await download(url)).status).toBe(200);
  expect((await download(url, 'HEAD')).status).toBe(200);
  expect((await download(url, 'DELETE')).status).toBe(405);
  expect((await download(url.replace('type=preview', 'type=image'))).status).toBe(403);
  expect((await download(url.split('?')[0] ?? '')).status).toBe(403);
  expect((await download(new URL('/pictures', url).href)).status).toBe(404);

  network.world.clock.advance(23 * 3_600_000);
  expect((await download(url)).status).toBe(200);
  network.world.clock.advance(2 * 3_600_000);
  expect((await download(url)).status).toBe(403);

  const fresh = await addressOf(jid(ben), 'image');
  network.world.photos.set(handset(ben), ben, undefined);
  expect((await download(fresh)).status).toBe(404);
});
