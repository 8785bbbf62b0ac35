import { operations } from '@parley/contract';
import { expect, it } from 'vitest';
import { apiError, createIds, createSteppedClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import { createHttpServer, serve } from './index.ts';

const server = createHttpServer({
  routes: [
    serve(operations.getHealth, async () => ({ status: 'ok' as const })),
    serve(operations.getReadiness, async () => {
      throw new Error('a fault inside');
    }),
    serve(operations.getMetrics, async () => {
      throw apiError('session_rate_exceeded', { retryAfterSeconds: 2 });
    }),
  ],
  gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
  operatorToken: undefined,
  ids: createIds({ clock: createSteppedClock(), random: systemRandom }),
  log: createLog('silent', process.stderr),
});

it.each([
  ['GET', '/healthz', 200, undefined],
  ['GET', '/nowhere', 404, 'not_found'],
  ['GET', '/%zz', 404, 'not_found'],
  ['POST', '/healthz', 405, 'method_not_allowed'],
  ['GET', '/readyz', 500, 'internal_error'],
  ['GET', '/metrics', 429, 'session_rate_exceeded'],
] as const)('%s %s answers %i with the code %s', async (method, url, status, code) => {
  const answer = await server.inject({ method, url });
  expect([answer.statusCode, answer.headers['x-error-code']]).toEqual([status, code]);
});
