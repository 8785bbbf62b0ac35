import { createHash, randomBytes } from 'node:crypto';
import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseNames, moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(200_000)]);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.each(databaseNames)('files of tenants (%s)', (database) => {
  let gateway: TestGateway;
  let ada: Tenant;
  let eve: Tenant;
  beforeAll(async () => {
    gateway = await startGateway({ database });
    ada = await moveIn(gateway);
    eve = await moveIn(gateway);
  });
  afterAll(() => gateway.close());

  const upload = (body: Buffer | string, headers: Record<string, string> = {}, key = ada.apiKey) =>
    gateway.app.http.inject({
      method: 'POST',
      url: '/v1/media',
      headers: { authorization: `Bearer ${key}`, ...headers },
      payload: body,
    });
  const download = (id: string, headers: Record<string, string> = {}, key = ada.apiKey) =>
    gateway.app.http.inject({
      method: 'GET',
      url: `/v1/media/${id}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
    });

  it('are kept and given back, whole and in parts', async () => {
    const answer = await upload(PNG, { 'content-type': 'image/png' });
    expect(answer.statusCode).toBe(201);
    const { media_id, ...answered } = answer.json();
    const expires_at_unix = Math.floor(gateway.clock.now() / 1_000) + 30 * 86_400;
    expect(answered).toEqual({
      mimetype: 'image/png',
      size: PNG.length,
      sha256: sha256(PNG),
      expires_at_unix,
    });

    const whole = await download(media_id);
    expect(whole.statusCode).toBe(200);
    expect(whole.rawPayload.equals(PNG)).toBe(true);
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'attachment',
      'accept-ranges': 'bytes',
      etag: `"${sha256(PNG)}"`,
    });

    const part = await download(media_id, { range: 'bytes=65530-65545' });
    expect(part.statusCode).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 65530-65545/${PNG.length}`);
    expect(part.rawPayload.equals(PNG.subarray(65_530, 65_546))).toBe(true);

    const outside = await download(media_id, { range: `bytes=${PNG.length}-` });
    expect(outside.statusCode).toBe(416);
    expect(outside.headers['content-range']).toBe(`bytes */${PNG.length}`);
    expect(outside.json()).toEqual({ error: 'range lies outside the file' });

    expect((await download(media_id, { 'if-none-match': `"${sha256(PNG)}"` })).statusCode).toBe(304);
    const changed = await download(media_id, { range: 'bytes=0-1', 'if-range': '"another"' });
    expect(changed.statusCode).toBe(200);
  });

  it('come in forms too, with their name', async () => {
    const form = multipart([
      { name: 'file', fileName: 'ça va "1".html', type: 'text/html', bytes: '<script>' },
    ]);
    const answer = await upload(form.body, form.headers);
    expect(answer.statusCode).toBe(201);
    const { headers, body } = await download(answer.json().media_id);
    expect(body).toBe('<script>');
    expect(headers['content-disposition']).toBe(
      `attachment; filename="_a va _1_.html"; filename*=UTF-8''%C3%A7a%20va%20%221%22.html`,
    );
  });

  it('get their type from the bytes when the request names none', async () => {
    expect((await upload(PNG)).json().mimetype).toBe('image/png');
  });

  it.each<[string, Buffer | string, Record<string, string>, number, string]>([
    ['nothing', '', { 'content-type': 'image/png' }, 400, 'file is empty'],
    [
      'no type',
      'x',
      { 'content-type': 'rubbish' },
      400,
      'content type of the file must be a media type such as image/png',
    ],
    [
      'a script for a type',
      'x',
      { 'content-type': 'text/html"><script>' },
      400,
      'content type of the file must be a media type such as image/png',
    ],
    [
      'more than is taken',
      'x',
      { 'content-length': String(OUTBOUND_MEDIA_MAX_BYTES + 1) },
      413,
      'file is larger than 64 MB',
    ],
    ...[
      multipart([]),
      multipart([
        { name: 'a', fileName: 'a', bytes: 'a' },
        { name: 'b', fileName: 'b', bytes: 'b' },
      ]),
      multipart([{ name: 'text', bytes: 'only a field' }]),
      { body: Buffer.from('--x\r\n'), headers: { 'content-type': 'multipart/form-data' } },
      { body: Buffer.from('no form at all'), headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    ].map(({ body, headers }, index): [string, Buffer, Record<string, string>, number, string] => [
      `a form that is none (${index})`,
      body,
      headers,
      400,
      'form must be multipart/form-data with exactly one file',
    ]),
  ])('are refused when they are %s, and nothing is left', async (_what, body, headers, status, error) => {
    const before = await count(gateway);
    const answer = await upload(body, headers);
    expect({ status: answer.statusCode, ...answer.json() }).toEqual({ status, error });
    expect(await count(gateway)).toEqual(before);
  });

  it('are invisible to other tenants, and the same file of two tenants is two files', async () => {
    const mine = (await upload(PNG)).json().media_id;
    expect((await download(mine, {}, eve.apiKey)).json()).toEqual({ error: 'media not found' });
    const before = await count(gateway);
    expect((await upload(PNG)).statusCode).toBe(201);
    expect((await count(gateway)).objects).toBe(before.objects);
    expect((await upload(PNG, {}, eve.apiKey)).statusCode).toBe(201);
    expect((await count(gateway)).objects).toBe(before.objects + 1);
  });

  it('of a key for one number are that number’s', async () => {
    const second = await gateway.operate<{ phone: string }>('POST', `/accounts/${ada.accountId}/devices`, {
      phone: database === 'SQLite' ? '15557770001' : '15557770002',
      plan: 'max',
    });
    const [one, other] = [
      await ada.makeKey({ phone: ada.phone }),
      await ada.makeKey({ phone: second.phone }),
    ];
    const id = (await upload('of the first number', {}, one)).json().media_id;
    expect((await download(id, {}, one)).statusCode).toBe(200);
    expect((await download(id)).statusCode).toBe(200);
    expect((await download(id, {}, other)).json()).toEqual({
      error: 'api key is restricted to another number',
    });
  });

  it('need a key', async () => {
    expect((await upload('x', {}, OPERATOR_TOKEN)).statusCode).toBe(401);
  });
});

async function count({ app }: TestGateway): Promise<{ media: number; objects: number }> {
  const of = async (table: 'media' | 'media_objects') =>
    (await app.store.read.selectFrom(table).select('id').execute()).length;
  return { media: await of('media'), objects: await of('media_objects') };
}

interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly type?: string;
  readonly bytes: string;
}

function multipart(parts: readonly Part[]): { body: Buffer; headers: Record<string, string> } {
  const written = parts.map(({ name, fileName, type, bytes }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName.replaceAll('"', '\\"')}"`;
    const head = `Content-Disposition: form-data; name="${name}"${file}`;
    return `--limit\r\n${head}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${bytes}\r\n`;
  });
  return {
    body: Buffer.from(`${written.join('')}--limit--\r\n`),
    headers: { 'content-type': 'multipart/form-data; boundary=limit' },
  };
}
