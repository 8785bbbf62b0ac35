import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { MEDIA_ACCOUNT_MAX_BYTES } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import {
  databaseNames,
  everyRow,
  moveIn,
  OPERATOR_TOKEN,
  startGateway,
  type Tenant,
  type TestGateway,
} from '#testing';
import { kept, occupy, reserved } from '../testing/room.ts';

const KB = 1_000;
const FULL = 'media storage of this account is exhausted';
const WAIT = { timeout: 10_000, interval: 20 };

interface Answer {
  readonly status: number;
  readonly text: string;
}
type Upload = (tenant: Tenant, bytes: Uint8Array<ArrayBuffer>) => Promise<Answer>;

describe.each(databaseNames)('the room of an account for files, over HTTP (%s)', (database) => {
  let gateway: TestGateway;
  let url: string;
  beforeAll(async () => {
    gateway = await startGateway({
      database,
      // Heartbeats and the log of requests would change rows.
      machineClock: createSteppedClock(),
      environment: {
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_COMPAT: 'evolution,cloud',
        PARLEY_DEMO: 'off',
      },
    });
    url = await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => gateway.close());

  /** A tenant whose account has this many bytes left. */
  async function tenantWithRoom(bytes: number): Promise<Tenant> {
    const tenant = await moveIn(gateway);
    await occupy(gateway.app.store, tenant.accountId, MEDIA_ACCOUNT_MAX_BYTES - bytes);
    return tenant;
  }

  async function post(
    path: string,
    headers: Record<string, string>,
    body: NonNullable<RequestInit['body']>,
  ): Promise<Answer> {
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  }
  const keyOf = ({ apiKey }: Tenant) => ({ authorization: `Bearer ${apiKey}` });
  const formOf = (bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new File([bytes], 'a.bin', { type: 'application/octet-stream' }));
    return form;
  };

  const raw: Upload = (tenant, bytes) => post('/v1/media', keyOf(tenant), bytes);
  const inForm: Upload = (tenant, bytes) => post('/v1/media', keyOf(tenant), formOf(bytes));
  const cloud: Upload = (tenant, bytes) =>
    post(`/cloud/${tenant.phone}/media`, keyOf(tenant), formOf(bytes, { messaging_product: 'whatsapp' }));
  const chunked: Upload = (tenant, bytes) => {
    const { answer, write } = begin(tenant, { 'transfer-encoding': 'chunked' });
    write(bytes, true);
    return answer;
  };
  const evolution: Upload = async (tenant, bytes) => {
    const headers = { apikey: tenant.apiKey, 'content-type': 'application/json' };
    await post(
      '/evolution/instance/create',
      headers,
      JSON.stringify({ instanceName: `of-${tenant.phone}`, number: tenant.phone }),
    );
    const media = Buffer.from(bytes).toString('base64');
    const body = { number: '15550002001', mediatype: 'document', fileName: 'a.bin', media };
    return post(`/evolution/message/sendMedia/of-${tenant.phone}`, headers, JSON.stringify(body));
  };
  const SURFACES = { raw, inForm, chunked, cloud, evolution };

  /** An upload by hand, which may end before its time. */
  function begin(tenant: Tenant, headers: Record<string, string>) {
    const outgoing = request(`${url}/v1/media`, {
      method: 'POST',
      headers: { ...keyOf(tenant), 'content-type': 'application/octet-stream', ...headers },
    });
    const answer = new Promise<Answer>((resolve, reject) => {
      outgoing.once('error', reject).once('response', async (response) => {
        let text = '';
        for await (const piece of response.setEncoding('utf8')) text += piece;
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    return {
      answer,
      write: (bytes: Uint8Array, isLast = false) => (isLast ? outgoing.end(bytes) : outgoing.write(bytes)),
      breakOff: () => outgoing.destroy(),
    };
  }

  const keptBy = ({ accountId }: Tenant) => kept(gateway.app.store, accountId);
  const reservedBy = ({ accountId }: Tenant) => reserved(gateway.app.store, accountId);

  it('holds as many of the files that come at once, on whatever surface, as fit, and never one more', async () => {
    const tenant = await tenantWithRoom(100 * KB);
    const uploads = [raw, inForm, cloud, raw, inForm, cloud, raw, inForm];
    const answers = await Promise.all(uploads.map((upload) => upload(tenant, randomBytes(30 * KB))));
    const refused = answers.filter(({ status }) => status !== 201 && status !== 200);
    expect(answers.length - refused.length).toBe(3);
    for (const { text } of refused) expect(text).toContain(FULL);
    expect(await keptBy(tenant)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 10 * KB);
    expect(await reservedBy(tenant)).toEqual([]);
  });

  it('is never exceeded by files that do not say how large they are', async () => {
    const tenant = await tenantWithRoom(100 * KB);
    const answers = await Promise.all(Array.from({ length: 8 }, () => chunked(tenant, randomBytes(30 * KB))));
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken.length).toBeGreaterThan(0);
    for (const { status, text } of answers)
      if (status !== 201)
        expect({ status, text }).toEqual({ status: 429, text: JSON.stringify({ error: FULL }) });
    expect(await keptBy(tenant)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 100 * KB + taken.length * 30 * KB);
    expect(await reservedBy(tenant)).toEqual([]);
  });

  it.each(Object.entries(SURFACES))(
    'that is used up refuses a file %s, in words, and keeps nothing of it',
    async (name, upload) => {
      const tenant = await tenantWithRoom(0);
      const bytes = randomBytes(3 * KB);
      await upload(tenant, bytes);
      const before = await everyRow(gateway);
      const { status, text } = await upload(tenant, bytes);
      expect(text).toContain(FULL);
      expect(status).toBe(name === 'cloud' ? 400 : 429);
      expect(await everyRow(gateway)).toEqual(before);
      expect(await reservedBy(tenant)).toEqual([]);
    },
  );

  it.each([
    ['of a known size', { 'content-length': String(50 * KB) }],
    ['of unknown size', { 'transfer-encoding': 'chunked' }],
    [
      'in a form',
      { 'content-length': String(50 * KB), 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n',
    ],
  ])('is free again when a file %s breaks off midway', async (_, headers, start = '') => {
    const tenant = await tenantWithRoom(50 * KB);
    const { answer, write, breakOff } = begin(tenant, headers);
    answer.catch(() => {});
    write(Buffer.concat([Buffer.from(start), randomBytes(10 * KB)]));
    await expect.poll(() => reservedBy(tenant), WAIT).toHaveLength(1);
    expect((await raw(tenant, randomBytes(50 * KB))).text).toContain(FULL);
    breakOff();
    await expect.poll(() => reservedBy(tenant), WAIT).toEqual([]);
    expect(await keptBy(tenant)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 50 * KB);
    expect((await raw(tenant, randomBytes(50 * KB))).status).toBe(201);
    expect(await keptBy(tenant)).toBe(MEDIA_ACCOUNT_MAX_BYTES);
  });

  it('counts the same file once, and asks for its room each time it comes, because that is known at its end alone', async () => {
    const tenant = await tenantWithRoom(70 * KB);
    const bytes = randomBytes(30 * KB);
    for (const upload of [raw, inForm, cloud]) expect((await upload(tenant, bytes)).status).toBeLessThan(300);
    expect(await keptBy(tenant)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 40 * KB);
    expect((await raw(tenant, randomBytes(30 * KB))).status).toBe(201);
    expect(await raw(tenant, bytes)).toEqual({ status: 429, text: JSON.stringify({ error: FULL }) });
    expect(await keptBy(tenant)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 10 * KB);
  });
});
