import { operations } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { apiError, createIds, createSteppedClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import { moveIn, startGateway } from '#testing';
import { createHttpServer, type Route, serve } from './index.ts';

describe('an answer that fails inside', () => {
  function serverOf(...routes: Route[]) {
    const lines: string[] = [];
    const server = createHttpServer({
      routes,
      gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
      operatorToken: undefined,
      ids: createIds({ clock: createSteppedClock(), random: systemRandom }),
      log: createLog('trace', { write: (line: string) => void lines.push(line) }),
    });
    return { server, lines };
  }

  it('is 500 with a request id that is in the log, and reveals nothing about the cause', async () => {
    const sqlError = new Error('select secret_hash from api_keys: no such column');
    const { server, lines } = serverOf(
      serve(operations.getHealth, async () => {
        throw sqlError;
      }),
    );
    const answer = await server.inject('/healthz');
    expect(answer.statusCode).toBe(500);
    const requestId = /^internal error \(request (req_[0-9a-z]+)\)$/.exec(answer.json().error)?.[1];
    expect(Object.keys(answer.json())).toEqual(['error']);
    expect(JSON.stringify(answer.headers)).not.toMatch(/select|secret|\.ts/);
    const [failed, ended, ...others] = lines.map((line) => JSON.parse(line));
    expect(others).toEqual([]);
    expect(ended).toMatchObject({ msg: 'request', requestId, status: 500 });
    expect(failed).toMatchObject({
      level: 'error',
      requestId,
      err: { message: sqlError.message, stack: expect.stringContaining('failures.test.ts') },
    });
  });

  it.each([undefined, null, 'a text', 42, { status: 200 }])(
    'also when the handler throws %s',
    async (thrown) => {
      const { server } = serverOf(serve(operations.getHealth, () => Promise.reject(thrown)));
      const answer = await server.inject('/healthz');
      expect(answer.statusCode).toBe(500);
      expect(answer.json().error).toMatch(/^internal error/);
    },
  );

  it('is 500 when the response itself violates the contract', async () => {
    const { server } = serverOf(serve(operations.getReadiness, async () => ({}) as never));
    const answer = await server.inject('/readyz');
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([500, ['error']]);
  });

  it('states in Retry-After when to retry, in whole seconds', async () => {
    const { server, lines } = serverOf(
      serve(operations.getHealth, async () => {
        throw apiError('session_rate_exceeded', { retryAfterSeconds: 1.2 });
      }),
    );
    const answer = await server.inject('/healthz');
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().error]).toEqual([
      429,
      '2',
      'session send rate exceeded',
    ]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', msg: 'request', status: 429 },
    ]);
  });

  it('keeps no header of the intended success', async () => {
    const { server } = serverOf(
      serve(operations.getMetrics, async ({ setHeader }) => {
        setHeader('Content-Type', 'text/plain');
        throw apiError('not_ready', { part: 'store' });
      }),
    );
    const answer = await server.inject('/metrics');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({ error: 'store is not usable' });
  });
});

describe('a gateway whose database is gone', () => {
  it('answers 502 and 503, without text of a library', async () => {
    const gateway = await startGateway();
    const ada = await moveIn(gateway);
    await gateway.loseDatabase();
    const asked = { method: 'GET', url: '/v1/tos', key: ada.apiKey } as const;
    const answer = await gateway.request(asked);
    expect([answer.statusCode, answer.json()]).toEqual([
      502,
      { error: 'gateway could not reach its database; retry later' },
    ]);
    const ready = await gateway.request({ method: 'GET', url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toEqual([
      503,
      { error: expect.stringMatching(/^store(, [a-z]+)* is not usable$/) },
    ]);
    expect((await gateway.request({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
    await gateway.close();
  });
});
