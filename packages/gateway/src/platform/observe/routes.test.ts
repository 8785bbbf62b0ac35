import { describe, expect, it } from 'vitest';
import { createIds, createSteppedClock, systemRandom } from '#kernel';
import { createHttpServer } from '#platform/http';
import { createLog, createMetrics, opsRoutes, type Part } from './index.ts';

function serverWith(...parts: Part[]) {
  return serverThat('open', ...parts);
}

function serverThat(metricsToken: string | undefined, ...parts: Part[]) {
  const clock = createSteppedClock();
  const metrics = createMetrics();
  const server = createHttpServer({
    routes: opsRoutes({ parts, metrics, clock, metricsToken }),
    gatekeeper: { admit: () => undefined, ownedNumber: () => undefined },
    operatorToken: undefined,
    ids: createIds({ clock, random: systemRandom }),
    log: createLog('silent'),
    onAnswered: metrics.observeAnswer,
  });
  return { server, clock };
}

const works: Part = { name: 'store', check: async () => {} };
const fails: Part = {
  name: 'bus',
  check: () => Promise.reject(new Error('nats://user:password@bus refused')),
};
const hangs: Part = { name: 'worker', check: () => new Promise(() => {}) };
const throws: Part = {
  name: 'sandbox',
  check() {
    throw new Error('at once');
  },
};

describe('health', () => {
  it('depends on the process alone', async () => {
    const { server } = serverWith(fails);
    const answer = await server.inject('/healthz');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('readiness', () => {
  it('is given when every component works', async () => {
    const answer = await serverWith(works).server.inject('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('names the failing components, and no reason', async () => {
    const answer = await serverWith(works, fails, throws).server.inject('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: 'bus, sandbox is not usable' }]);
  });

  it('does not wait for a component that never answers', async () => {
    const { server, clock } = serverWith(works, hangs);
    const answering = server.inject('/readyz');
    // Two turns of the event loop bring the request to its checks.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    clock.advance(2_000);
    const answer = await answering;
    expect([answer.statusCode, answer.json()]).toEqual([503, { error: 'worker is not usable' }]);
  });
});

describe('metrics', () => {
  it('count responses by operation and status, in the format and content type of Prometheus', async () => {
    const { server } = serverWith(works);
    await server.inject('/healthz');
    await server.inject('/healthz');
    await server.inject({ method: 'POST', url: '/healthz' });
    await server.inject('/nowhere/at/all');
    const answer = await server.inject('/metrics');
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.body).toContain('parley_http_answers_total{operation="getHealth",status="200"} 2');
    expect(answer.body).toContain('parley_http_answers_total{operation="unknown",status="405"} 1');
    expect(answer.body).toContain('parley_http_answers_total{operation="unknown",status="404"} 1');
    expect(answer.body).toContain('parley_http_answer_seconds_count{operation="getHealth"} 2');
    expect(answer.body).toContain('process_cpu_seconds_total');
  });

  it('never contain a path, with which callers could create any number of series', async () => {
    const { server } = serverWith(works);
    await server.inject('/invented-by-a-caller');
    expect((await server.inject('/metrics')).body).not.toContain('invented');
  });
});

describe('metrics', () => {
  it.each([
    ['a-token-of-some-length', undefined, 401],
    ['a-token-of-some-length', 'Bearer another-token-of-it', 401],
    ['a-token-of-some-length', 'Bearer a-token-of-some-length', 200],
    // Without a configured token.
    [undefined, 'Bearer undefined', 401],
    ['open', undefined, 200],
  ])('with the token %s, asked with %s, are answered with %s', async (token, authorization, status) => {
    const { server } = serverThat(token, works);
    const answer = await server.inject({ url: '/metrics', headers: authorization ? { authorization } : {} });
    expect(answer.statusCode).toBe(status);
  });
});
