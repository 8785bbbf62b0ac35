import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';

describe('another program’s interface', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({
      environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'evolution' },
    });
  });
  afterAll(() => gateway.close());

  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await gateway.request({ method: 'GET', url, headers });
    return { status: answer.statusCode, body: JSON.parse(answer.body), headers: answer.headers };
  };

  it('is not there unless it is asked for', async () => {
    const plain = await startGateway();
    const { statusCode } = await plain.request({ method: 'GET', url: '/evolution/' });
    await plain.close();
    expect(statusCode).toBe(404);
  });

  it('is known by its name alone: a wrong one stops the start, and says which there are', async () => {
    const wrong = startGateway({ environment: { PARLEY_COMPAT: 'evolution,evolved' } });
    await expect(wrong).rejects.toThrow(/PARLEY_COMPAT.*evolution/);
  });

  it('answers in its own shape where nothing is, and names the request', async () => {
    const { status, body, headers } = await ask('/evolution/nowhere');
    expect([status, body]).toEqual([
      404,
      { status: 404, error: 'Not Found', response: { message: ['not found'] } },
    ]);
    expect(headers['x-request-id']).toMatch(/./);
  });
});
