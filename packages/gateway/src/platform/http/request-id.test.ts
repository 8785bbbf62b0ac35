import { operations } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { apiError, createIds, createSteppedClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import { createHttpServer, serve } from './index.ts';

const lines: string[] = [];
const server = createHttpServer({
  routes: [
    serve(operations.getHealth, async () => ({ status: 'ok' as const })),
    serve(operations.getReadiness, async () => {
      throw new Error('a fault inside');
    }),
    serve(operations.getMetrics, async () => {
      throw apiError('not_found');
    }),
  ],
  gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
  operatorToken: undefined,
  ids: createIds({ clock: createSteppedClock(), random: systemRandom }),
  log: createLog('trace', { write: (line: string) => void lines.push(line) }),
});
const ask = (url: string, own?: string) =>
  server.inject({ url, headers: own === undefined ? {} : { 'x-request-id': own } });

describe('the id of a request', () => {
  it.each(['/healthz', '/readyz', '/metrics', '/nowhere', '/%zz', `/${'x'.repeat(600)}`])(
    'is on the answer of %s, another one each time',
    async (url) => {
      const [first, second] = await Promise.all([ask(url), ask(url)]);
      expect(first.headers['x-request-id']).toMatch(/^req_/);
      expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
    },
  );

  it('is the caller’s own where it sends one: in the response, the log and the error text', async () => {
    lines.length = 0;
    const answer = await ask('/readyz', 'trace-1_A');
    expect(answer.headers['x-request-id']).toBe('trace-1_A');
    expect(answer.json().error).toBe('internal error (request trace-1_A)');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: 'trace-1_A' });
  });

  it.each(['', 'a b', 'a\tb', 'é', '{"level":"error"}', 'x'.repeat(65)])(
    'is ours where the caller’s is %j',
    async (own) => {
      expect((await ask('/healthz', own)).headers['x-request-id']).toMatch(/^req_/);
    },
  );
});
