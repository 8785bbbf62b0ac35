import { describe, expect, test } from 'vitest';
import { createCall } from './call.ts';
import { ParleyError } from './errors.ts';
import { systemPlatform } from './platform.ts';
import { connection, json, refusal, stage } from './testing/gateway.fixture.ts';
import { serve } from './testing/server.fixture.ts';

const get = { method: 'GET', path: '/v1/sessions' } as const;
const create = { method: 'POST', path: '/v1/sessions/x/groups', body: { name: 'Team' } } as const;
const send = { method: 'POST', path: '/v1/messages', body: { text: 'hi' }, idempotent: true } as const;

const lost = () => new TypeError('fetch failed');
const internal = () => refusal(500, 'internal error (request req_7)', { 'x-error-code': 'internal_error' });

describe('a request', () => {
  test('carries the key, the query without undefined values, and the body as JSON', async () => {
    const { platform, seen } = stage(() => json({ jid: 'a@g.us' }));
    const call = createCall(connection, platform);
    expect(await call(create)).toEqual({ jid: 'a@g.us' });
    await call({ ...get, query: { limit: 5, kind: undefined, after: 'a b' } });
    expect(seen[0]?.body).toEqual({ name: 'Team' });
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer pk_1_secret');
    expect(seen[0]?.headers.get('content-type')).toBe('application/json');
    expect(seen[1]?.url.search).toBe('?limit=5&after=a+b');
    expect(seen[1]?.headers.has('content-type')).toBe(false);
  });

  test('resolves to undefined for an answer without body', async () => {
    const { platform } = stage(() => new Response(null, { status: 204 }));
    expect(await createCall(connection, platform)({ ...get, method: 'DELETE' })).toBeUndefined();
  });

  test.each([301, 302, 303, 307, 308])(
    'follows no redirect (%i), which would disclose the key',
    async (status) => {
      const asked: (string | undefined)[] = [];
      await using server = await serve((request, response) => {
        asked.push(request.url);
        response
          .writeHead(request.url === '/v1/sessions' ? status : 200, { location: '/elsewhere' })
          .end('{}');
      });
      const call = createCall({ ...connection, url: server.url }, systemPlatform);
      await expect(call(get)).rejects.toMatchObject({ status, code: 'unknown' });
      expect(asked).toEqual(['/v1/sessions']);
    },
  );

  test('reports a page that a proxy answered', async () => {
    const { platform } = stage(() => new Response('<html>', { status: 200 }));
    await expect(createCall(connection, platform)(get)).rejects.toThrow(/not JSON/);
  });
});

describe('an error', () => {
  test('has the status, the code, the time to wait and the id of the request', async () => {
    const { platform } = stage(
      () =>
        refusal(429, 'session send rate exceeded', {
          'retry-after': '7',
          'x-request-id': 'req_6',
          'x-error-code': 'session_rate_exceeded',
        }),
      internal,
    );
    const call = createCall({ ...connection, retries: 0 }, platform);
    const [limited, broken] = [
      await call(send).catch((error) => error),
      await call(send).catch((error) => error),
    ];
    expect(String(limited)).toBe('ParleyError: session send rate exceeded');
    expect(limited).toMatchObject({ code: 'session_rate_exceeded', retryAfter: 7, requestId: 'req_6' });
    expect(broken).toBeInstanceOf(ParleyError);
    expect(broken).toMatchObject({ status: 500, code: 'internal_error', requestId: undefined });
  });

  test('distinguishes an unreachable gateway from one that answers too late', async () => {
    const hanging = { ...systemPlatform, fetch: hang };
    const late = createCall({ ...connection, retries: 0, timeoutMs: 20 }, hanging)(get);
    await expect(late).rejects.toMatchObject({ status: 0, code: 'timed_out' });
    const gone = createCall({ ...connection, retries: 0 }, stage(lost).platform)(get);
    await expect(gone).rejects.toMatchObject({ status: 0, code: 'unreachable', cause: lost() });
  });

  test("after an abort is the caller's own reason", async () => {
    const leave = new AbortController();
    const hanging = { ...systemPlatform, fetch: hang };
    const call = createCall(connection, hanging)(get, { signal: leave.signal });
    leave.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

describe('a retry', () => {
  test('keeps the key of a send; another send has another key', async () => {
    const { platform, seen } = stage(lost, internal, () => json({ status: 'accepted' }, 202));
    const call = createCall(connection, platform);
    await call(send);
    await call(send);
    await call(send, { idempotencyKey: 'order-1042' });
    const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual(['uuid-1', 'uuid-1', 'uuid-1', 'uuid-2', 'order-1042']);
  });

  test('waits longer each time, with jitter, and ends', async () => {
    const { platform, slept } = stage(lost);
    await expect(createCall({ ...connection, retries: 3 }, platform)(get)).rejects.toThrow(
      /cannot be reached/,
    );
    expect(slept).toEqual([187.5, 375, 750]);
  });

  test('waits as long as the gateway says, and a little more', async () => {
    const { platform, slept, seen } = stage(
      () =>
        refusal(429, 'too many concurrent requests for this number; retry shortly', { 'retry-after': '1' }),
      () => json({}),
    );
    await createCall(connection, platform)(create);
    expect(slept).toEqual([1_125]);
    expect(seen).toHaveLength(2);
  });

  test.each([
    ['a request that may have been processed', create, lost],
    ['a request that may have been processed, by the answer', create, () => refusal(502, 'bad gateway')],
    ['a wait that is too long', send, () => refusal(429, 'cooldown', { 'retry-after': '300' })],
    ['an exhausted quota', send, () => refusal(429, 'message quota exhausted')],
    ['a mistake', send, () => refusal(400, 'to is required')],
    ['what does not exist', get, () => refusal(501, 'not implemented')],
  ])('never: %s', async (_what, request, answer) => {
    const { platform, seen } = stage(answer, () => json({}));
    await expect(createCall(connection, platform)(request)).rejects.toBeInstanceOf(ParleyError);
    expect(seen).toHaveLength(1);
  });

  test('also repeats a creation that the gateway refused because it stops', async () => {
    const stops = () =>
      refusal(503, 'gateway is shutting down; retry shortly', {
        'retry-after': '1',
        'x-error-code': 'shutting_down',
      });
    const { platform, seen } = stage(stops, () => json({}));
    await createCall(connection, platform)(create);
    expect(seen).toHaveLength(2);
  });

  test('waits as long as the caller allows, and no longer', async () => {
    const busy = () => refusal(429, 'cooldown', { 'retry-after': '1' });
    for (const [longestWaitMs, asked] of [
      [1_125, 2],
      [1_124, 1],
    ] as const) {
      const { platform, seen } = stage(busy, () => json({}));
      await createCall({ ...connection, longestWaitMs }, platform)(get).catch(() => {});
      expect(seen).toHaveLength(asked);
    }
  });

  test.each([
    ['a file', () => new Blob(['bytes']), 3],
    ['no stream, which is read once', () => new Blob(['bytes']).stream(), 1],
  ])('an upload: %s', async (_what, file, asked) => {
    const { platform, seen } = stage(lost);
    const upload = { method: 'POST', path: '/v1/media', file: file() } as const;
    await expect(createCall(connection, platform)(upload)).rejects.toMatchObject({ code: 'unreachable' });
    expect(seen).toHaveLength(asked);
  });

  test('can be disabled for one call', async () => {
    const { platform, seen } = stage(lost);
    await expect(createCall(connection, platform)(get, { retries: 0 })).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });
});

function hang(_url: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}
