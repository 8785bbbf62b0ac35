import { operations } from '@parley/contract';
import { expect, test } from 'vitest';
import { createIds, createSystemClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import { serve } from './route.ts';
import { createHttpServer, type HttpServerOptions } from './server.ts';

/** Address and origin that a handler gets. */
async function seen(
  options: Partial<HttpServerOptions>,
  { from = '10.0.0.9', ...headers }: Record<string, string>,
): Promise<unknown> {
  let reached: unknown;
  const server = createHttpServer({
    routes: [
      serve(operations.getHealth, async ({ address, origin }) => {
        reached = { address, origin };
        return { status: 'ok' } as const;
      }),
    ],
    gatekeeper: {} as HttpServerOptions['gatekeeper'],
    operatorToken: undefined,
    ids: createIds({ clock: createSystemClock(), random: systemRandom }),
    log: createLog('silent'),
    ...options,
  });
  await server.inject({
    url: operations.getHealth.path,
    remoteAddress: from,
    headers: { host: 'inside:8080', ...headers },
  });
  await server.close();
  return reached;
}

const trusting = { trustedProxies: ['10.0.0.0/8', '::1'] };
const forwarded = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'parley.example.com',
  'x-forwarded-proto': 'https',
};

test('trusts the forwarded address and origin of a trusted proxy', async () => {
  const reached = { address: '203.0.113.7', origin: 'https://parley.example.com' };
  expect(await seen(trusting, forwarded)).toEqual(reached);
  expect(await seen(trusting, { ...forwarded, from: '::1' })).toEqual(reached);
});

test('ignores forwarded addresses beyond the first untrusted one', async () => {
  const line = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7, 10.1.1.1' };
  expect(await seen(trusting, line)).toMatchObject({ address: '203.0.113.7' });
});

test('ignores them from any other client', async () => {
  const inside = { address: '192.0.2.1', origin: 'http://inside:8080' };
  expect(await seen(trusting, { ...forwarded, from: '192.0.2.1' })).toEqual(inside);
  expect(await seen({}, { ...forwarded, from: '192.0.2.1' })).toEqual(inside);
});

test('prefers the public address, whatever a request says', async () => {
  const reached = { origin: 'https://parley.example.com' };
  expect(await seen({ publicUrl: 'https://parley.example.com' }, { host: 'evil.example' })).toMatchObject(
    reached,
  );
});
