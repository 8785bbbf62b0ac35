import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSteppedClock, createSystemClock, systemRandom, type TravelClock } from '#kernel';
import { createEgress } from '#platform/egress';
import { createLog } from '#platform/observe';
import { findVirtualNetwork } from './elsewhere.ts';
import { openSandbox, startVirtualNetwork } from './mount.ts';

const machineClock = createSystemClock();
const operatorToken = 'operator-of-the-sandbox';
const common = { machineClock, random: systemRandom, log: createLog('silent') };
let opened: AsyncDisposableStack;
let url: string;
/** Requests to other paths of the server with the sandbox. */
let reached: string[];
let closeSandbox: () => Promise<void>;

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-sandbox-'));
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const egress = createEgress({ clock: machineClock, publicOnly: false });
  opened.defer(() => egress.close());
  const parts = { ...common, config: { dataDir, operatorToken }, clock: createSystemClock(), egress };
  const network = await startVirtualNetwork(parts);
  opened.defer(() => network.stop());
  const http = Fastify();
  openSandbox(network, parts).mount(http);
  reached = [];
  http.all('/operator/*', async ({ url }) => reached.push(url));
  closeSandbox = () => http.close();
  opened.defer(closeSandbox);
  url = await http.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => opened.disposeAsync());

/** A remote gateway: only its clock and its server. */
async function gateway(clock: TravelClock = createSteppedClock(0)): Promise<FastifyInstance> {
  const network = await findVirtualNetwork({ ...common, url, clock, config: { operatorToken } });
  opened.defer(() => network.close());
  const http = Fastify();
  network.mount(http);
  opened.defer(() => http.close());
  return http;
}

const authorization = `Bearer ${operatorToken}`;

function advance(http: FastifyInstance, seconds: number) {
  const payload = { advance_seconds: seconds };
  return http.inject({ method: 'POST', url: '/sandbox/v1/clock', headers: { authorization }, payload });
}

it('moves the clock of every gateway before it reports that time was moved', async () => {
  const clocks = Array.from({ length: 5 }, () => createSteppedClock(0));
  const [first, ...others] = await Promise.all(clocks.map(gateway));
  if (!first) throw new Error('no gateway');
  for (const [index, http] of [first, ...others].entries()) {
    expect((await advance(http, 3_600)).statusCode).toBe(200);
    expect(clocks.map((clock) => clock.now())).toEqual(clocks.map(() => (index + 1) * 3_600_000));
  }
  const late = createSteppedClock(0);
  await gateway(late);
  expect(late.now()).toBe(5 * 3_600_000);
});

it('does not wait long for a gateway that is gone', async () => {
  const here = await gateway();
  const gone = await findVirtualNetwork({
    ...common,
    url,
    clock: createSteppedClock(0),
    config: { operatorToken },
  });
  await gone.close();
  const begun = machineClock.monotonic();
  await advance(here, 60);
  expect(machineClock.monotonic() - begun).toBeLessThan(10_000);
});

it('stops without waiting for its followers', async () => {
  // Once this resolves, the follower has its next poll open.
  await advance(await gateway(), 1);
  const begun = machineClock.monotonic();
  await closeSandbox();
  expect(machineClock.monotonic() - begun).toBeLessThan(3_000);
});

it.each([
  '/sandbox/v1/../../operator/v1/accounts',
  '/sandbox/v1/%2e%2e/%2E%2e/operator/v1/accounts',
  '/sandbox/v1/x\\..\\..\\..\\operator\\v1\\accounts',
])('carries the token nowhere but to the sandbox: %s', async (path) => {
  const http = await gateway();
  const address = new URL(await http.listen({ host: '127.0.0.1', port: 0 }));
  const status = await new Promise((resolve, reject) => {
    // Unchanged: most clients would normalize it.
    const options = { host: address.hostname, port: address.port, path, headers: { authorization } };
    get(options, ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
  expect(status).toBe(404);
  expect(reached).toEqual([]);
});

it('forwards requests unchanged, and none without the token', async () => {
  const http = await gateway();
  const payload = { phone: '15550003001', name: 'Nina' };
  const create = { method: 'POST', url: '/sandbox/v1/phones', payload } as const;
  expect((await http.inject(create)).statusCode).toBe(401);
  const created = await http.inject({ ...create, headers: { authorization } });
  expect([created.statusCode, created.json().name]).toEqual([201, 'Nina']);
  const wrong = await http.inject({ url: '/sandbox/v1/phones/1?x=1', headers: { authorization } });
  expect(wrong.statusCode).toBe(404);
  const messages = await http.inject({
    url: '/sandbox/v1/phones/15550003001/messages?chat=15550003001%40s.whatsapp.net',
    headers: { authorization },
  });
  expect(messages.json()).toEqual({ messages: [] });
  expect((await http.inject('/sandbox/v1/endpoint')).json()).toHaveProperty('root_public_key');
});
