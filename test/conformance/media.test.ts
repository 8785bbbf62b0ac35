import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { FILES, PICTURE } from './file-server.ts';
import { linkedNumber, type Someone, someone } from './numbers.ts';
import { accepted, createFleet, messagesOn, send, shownOn, untilStatus } from './sends.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const sender = createFleet(gateway);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
let ada: Someone;

beforeAll(async () => {
  ada = await someone(gateway);
});

type Sender = Awaited<ReturnType<typeof sender>>;

const headersOf = ({ apiKey }: Sender) => ({ authorization: `Bearer ${apiKey}` });

async function upload(
  me: Sender,
  body: Uint8Array<ArrayBuffer> | FormData,
  headers: Record<string, string> = {},
) {
  const request = { method: 'POST', headers: { ...headersOf(me), ...headers }, body };
  const answer = await fetch(`${gateway.url}/v1/media`, request);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function uploaded(me: Sender, file: Buffer, mimetype: string): Promise<string> {
  const { status, body } = await upload(me, new Uint8Array(file), { 'content-type': mimetype });
  expect(status).toBe(201);
  return String(body.media_id);
}

describe('an upload', () => {
  test('is returned unchanged, raw or from a form, whole and in parts', async () => {
    const me = await sender();
    const bytes = randomBytes(2_000_000);
    const form = new FormData();
    form.append('file', new File([bytes], 'tides.bin', { type: 'application/x-tides' }));
    for (const body of [new Uint8Array(bytes), form]) {
      const { status, body: uploaded } = await upload(me, body);
      expect(status).toBe(201);
      expect(uploaded).toMatchObject({ size: bytes.length, sha256: sha256(bytes) });
      const at = `${gateway.url}/v1/media/${uploaded.media_id}`;
      const whole = await fetch(at, { headers: headersOf(me) });
      expect(whole.status).toBe(200);
      expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(bytes));
      const part = await fetch(at, { headers: { ...headersOf(me), range: 'bytes=70000-1300000' } });
      expect(part.status).toBe(206);
      expect(sha256(new Uint8Array(await part.arrayBuffer()))).toBe(
        sha256(bytes.subarray(70_000, 1_300_001)),
      );
    }
  });

  test('above the limit is refused during the transfer, with an error text', {
    tags: 'anywhere',
  }, async () => {
    const me = await sender();
    const { status, body } = await upload(me, new Uint8Array(64 * 1024 * 1024 + 1));
    expect({ status, body }).toEqual({ status: 413, body: { error: 'file is larger than 64 MB' } });
  });

  test('is closed to other accounts', { tags: 'anywhere' }, async () => {
    const [me, other] = [await sender(), await linkedNumber(gateway)];
    const id = await uploaded(me, PICTURE, 'image/png');
    const answer = await fetch(`${gateway.url}/v1/media/${id}`, { headers: headersOf(other) });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 404,
      body: { error: 'media not found' },
    });
    const stolen = { to: ada.phone, media_type: 'image', media_id: id };
    expect(await send(other, stolen)).toMatchObject({ status: 404, body: { error: 'media not found' } });
  });
});

describe('a send', () => {
  test('takes an uploaded file, any number of times', async () => {
    const me = await sender();
    const media_id = await uploaded(me, FILES['/tides.pdf'], 'application/pdf');
    for (const caption of ['once', 'twice']) {
      const id = await accepted(me, {
        to: ada.phone,
        media_type: 'document',
        media_id,
        caption,
        file_name: 'Tides.pdf',
      });
      expect(await shownOn(gateway, ada, id)).toMatchObject({
        type: 'document',
        text: caption,
        media: { sha256: sha256(FILES['/tides.pdf']), filename: 'Tides.pdf' },
      });
    }
  });

  test('takes a small file inside its body, once per key', async () => {
    const me = await sender();
    const body = {
      to: ada.phone,
      media_type: 'image',
      media_base64: PICTURE.toString('base64'),
      mimetype: 'image/png',
    };
    const id = await accepted(me, body, 'the same');
    expect(await accepted(me, body, 'the same')).toBe(id);
    expect(await shownOn(gateway, ada, id)).toMatchObject({
      type: 'image',
      media: { sha256: sha256(PICTURE) },
    });
    await untilStatus(me, id, 'delivered');
    expect((await messagesOn(gateway, ada)).filter((each) => each.message_id === id)).toHaveLength(1);
    const another = { ...body, media_base64: FILES['/film.mp4'].toString('base64') };
    expect(await send(me, another, 'the same')).toMatchObject({
      status: 400,
      body: { error: 'Idempotency-Key was already used with a different request' },
    });
  });

  test('takes stickers and stories the same way', { tags: 'anywhere' }, async () => {
    const me = await sender();
    const media_id = await uploaded(me, FILES['/sticker.webp'], 'image/webp');
    const id = await accepted(me, { to: ada.phone, type: 'sticker', media_id });
    expect(await shownOn(gateway, ada, id)).toMatchObject({ type: 'sticker' });
    const picture = await uploaded(me, PICTURE, 'image/png');
    const story = await accepted(me, { type: 'status', status_type: 'image', media_id: picture });
    await untilStatus(me, story, 'sent');
  });

  test.each([
    [
      'two sources',
      { media_url: 'https://a.example/b.png', media_id: 'med_1' },
      'only one of media_url, media_id and media_base64 can be given',
    ],
    ['base64 without a type', { media_base64: 'AAAA' }, 'mimetype is required with media_base64'],
    [
      'data that is not base64',
      { media_base64: 'A-', mimetype: 'image/png' },
      'media_base64 must be standard base64',
    ],
    [
      'a mimetype without a file',
      { media_id: 'med_1', mimetype: 'image/png' },
      'mimetype is given with media_base64 only',
    ],
  ])('with %s is refused', async (_what, fields, error) => {
    const me = await sender();
    const answer = await send(me, { to: ada.phone, media_type: 'image', ...fields });
    expect(answer).toMatchObject({ status: 400, body: { error } });
  });
});

test('the number’s own photo may be an uploaded file, or inside the request', async () => {
  const me = await sender();
  const media_id = await uploaded(me, PICTURE, 'image/png');
  for (const body of [{ media_id }, { media_base64: PICTURE.toString('base64'), mimetype: 'image/png' }]) {
    expect(await me.on('POST', '/profile/photo', body)).toMatchObject({
      status: 200,
      body: { picture_id: expect.stringMatching(/./) },
    });
  }
  const page = await uploaded(me, FILES['/page.html'], 'text/html');
  expect(await me.on('POST', '/profile/photo', { media_id: page })).toMatchObject({
    status: 400,
    body: { error: 'media_id does not point to an image' },
  });
});
