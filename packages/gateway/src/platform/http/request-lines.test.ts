import { operations } from '@parley/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiError, createIds, createSteppedClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import { moveIn, startGateway } from '#testing';
import { createHttpServer, serve } from './index.ts';

const written: string[] = [];
const requestLines = (from: readonly string[]): object[] =>
  from.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');

const server = createHttpServer({
  routes: [
    serve(operations.getHealth, async () => ({ status: 'ok' as const })),
    serve(operations.getReadiness, async () => {
      throw new Error('broken');
    }),
    serve(operations.getMetrics, async () => {
      throw apiError('not_found');
    }),
  ],
  gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
  operatorToken: undefined,
  ids: createIds({ clock: createSteppedClock(), random: systemRandom }),
  log: createLog('trace', { write: (line: string) => void written.push(line) }),
});
beforeEach(() => {
  written.length = 0;
});

describe('the line of a request', () => {
  it.each([
    ['/healthz', 'debug', { surface: 'public', operation: 'getHealth', status: 200 }],
    ['/metrics', 'info', { operation: 'getMetrics', status: 404, errorCode: 'not_found' }],
    ['/readyz', 'info', { operation: 'getReadiness', status: 500, errorCode: 'internal_error' }],
    ['/nowhere?to=15550001001', 'info', { operation: 'unknown', status: 404, errorCode: 'not_found' }],
  ])('of %s is one, at %s', async (url, level, facts) => {
    const { headers } = await server.inject({ url });
    const lines = requestLines(written);
    expect(lines).toMatchObject([{ level, requestId: headers['x-request-id'], ...facts }]);
    expect(lines).toMatchObject([{ ms: expect.any(Number) }]);
    expect(JSON.stringify(lines)).not.toContain('1555');
  });

  it('of a failure has another at error, with operation, status and cause', async () => {
    const { headers } = await server.inject({ url: '/readyz' });
    const failures = written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed');
    expect(failures).toMatchObject([
      {
        level: 'error',
        requestId: headers['x-request-id'],
        operation: 'getReadiness',
        status: 500,
        error: 'internal_error',
        err: { message: 'broken' },
      },
    ]);
  });

  it('names account and key, and contains nothing of the request', async () => {
    const gateway = await startGateway();
    try {
      const ada = await moveIn(gateway);
      const { headers } = await gateway.request({
        ...{ method: 'POST', url: '/v1/messages', key: ada.apiKey },
        body: { session_id: ada.sessionId, to: '15550002001', text: 'hush' },
      });
      const lines = requestLines(gateway.log().trimEnd().split('\n'));
      const line = lines.find((each) => 'requestId' in each && each.requestId === headers['x-request-id']);
      expect(line).toMatchObject({
        ...{
          level: 'info',
          surface: 'v1',
          operation: 'sendMessage',
          accountId: ada.accountId,
          keyId: ada.keyId,
        },
        bytes: expect.any(Number),
      });
      expect(JSON.stringify(line)).not.toMatch(/hush|1555/);
    } finally {
      await gateway.close();
    }
  });
});
