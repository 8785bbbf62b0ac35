import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseNames, moveIn, startGateway, type Tenant, type TestGateway } from '#testing';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

describe.each(databaseNames)('files of an account without an active number (%s)', (database) => {
  let gateway: TestGateway;
  let kim: Tenant;
  beforeAll(async () => {
    gateway = await startGateway({ database });
    kim = await moveIn(gateway);
  });
  afterAll(() => gateway.close());

  const upload = async (key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
    const answer = await gateway.app.http.inject({ method: 'POST', url: '/v1/media', headers, payload: PNG });
    return { status: answer.statusCode, ...answer.json() };
  };
  const sendInline = async (idempotencyKey: string) => {
    const { statusCode } = await gateway.request({
      method: 'POST',
      url: '/v1/messages',
      key: kim.apiKey,
      headers: { 'idempotency-key': idempotencyKey },
      body: {
        session_id: kim.sessionId,
        to: '15550002001',
        media_type: 'image',
        media_base64: PNG.toString('base64'),
        mimetype: 'image/png',
      },
    });
    return statusCode;
  };
  const kept = () => gateway.app.store.read.selectFrom('media').selectAll().execute();

  it.each(['inactive', 'suspended'])(
    'are refused while it is %s, and taken when it is active again',
    async (status) => {
      const keys = [kim.apiKey, await kim.makeKey({ phone: kim.phone })];
      const before = await kept();
      await gateway.operate('PATCH', `/devices/${kim.slotId}`, { status });
      for (const key of keys)
        expect(await upload(key)).toEqual({ status: 403, error: 'device is not active' });
      expect(await sendInline(status)).toBe(403);
      expect(await kept()).toEqual(before);
      await gateway.operate('PATCH', `/devices/${kim.slotId}`, { status: 'active' });
      for (const key of keys) expect(await upload(key)).toMatchObject({ status: 201 });
    },
  );
});
