import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { HostedSession } from '@parley/contract';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';
import { type LinkedNumber, linkNumber, newPhone, until } from '../../test/chaos/linked-number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../../test/conformance/gateway-access.ts';
import { launch } from '../../test/conformance/launch.ts';
import { makeTemporaryFolder } from '../../test/services/cleanup.ts';
import { freePort, runToEnd, stopProcess } from '../../test/services/processes.ts';
import { inParallel } from '../lib/in-parallel.ts';
import { applyLoad, requestText } from '../lib/load.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * One process with many numbers: memory per number, event-loop delay while a fifth of them chat, time until all are back after a
 * kill, and the rate of requests while hundreds come back at once. The network is in a process of its own.
 *
 * npm run bench -- many [--numbers 500] [--seconds 60]
 */
const { values } = parseArgs({
  options: { numbers: { type: 'string', default: '500' }, seconds: { type: 'string', default: '60' } },
});
const wanted = Number(values.numbers);
const seconds = Number(values.seconds);
const LINKS_AT_ONCE = 8;
const LOG_EVERY = 250;
/** Until the memory of the linking was released. */
const SETTLE_MS = 60_000;
const CHATTING = 0.2;
const CHAT_EVERY_MS = 60_000;
const LOST_AT_ONCE = 500;
/** 5,000 in four minutes; a start alone takes its time too. */
const MOST_SECONDS_BACK = Math.max(20, (wanted * 240) / 5_000);
const MOST_PATIENCE_MS = 15 * 60_000;

const clock = createSystemClock();
const folder = makeTemporaryFolder('parley-bench-many-');
const common = { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_LOG_LEVEL: 'error' };
await runToEnd(process.execPath, [join(import.meta.dirname, '../../tools/build/run.ts')]);
const sandbox = await launch('sandbox', {
  ...common,
  PARLEY_PORT: '0',
  PARLEY_DATA_DIR: join(folder.path, 'sandbox'),
});
const settings = {
  ...common,
  // The same after a restart.
  PARLEY_PORT: `${await freePort()}`,
  PARLEY_DATA_DIR: join(folder.path, 'gateway'),
  PARLEY_SANDBOX_URL: sandbox.url,
};
let hosting = await launch('start', settings);
const gateway = gatewayAt([hosting.url]);
const network = gatewayAt([sandbox.url]);

function residentMb(): number {
  const status = readFileSync(`/proc/${hosting.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** The 99th percentile since the last call. */
async function heldUpMs(): Promise<number> {
  const metrics = await (await fetch(`${hosting.url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1_000;
}

async function allConnected(count: number): Promise<void> {
  const look = async () => {
    const { sessions } = await gateway.operator<{ sessions: HostedSession[] }>('GET', '/sessions');
    return sessions.filter(({ status, worker }) => status === 'connected' && worker !== null).length;
  };
  await until('the last number', look, (found) => found === count, MOST_PATIENCE_MS);
}

/** Each writes once a minute and is written to once a minute, evenly spread. */
async function chat(numbers: readonly LinkedNumber[], friend: string): Promise<void> {
  const end = clock.monotonic() + seconds * 1_000;
  const talk = async (number: LinkedNumber, index: number) => {
    await sleep((index / numbers.length) * CHAT_EVERY_MS);
    for (let at = clock.monotonic(); at < end; at = clock.monotonic()) {
      await number.call('POST', '/messages', { session_id: number.sessionId, to: friend, text: 'Hello' });
      await network.sandbox('POST', `/phones/${friend}/messages`, { to: number.phone, text: 'Hello back' });
      await sleep(CHAT_EVERY_MS);
    }
  };
  await Promise.race([Promise.all(numbers.map(talk)), sleep(seconds * 1_000)]);
}

async function requestsPerSecond({ apiKey }: LinkedNumber): Promise<number> {
  const request = requestText({
    ...{ method: 'GET', path: '/v1/webhooks' },
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  return (await applyLoad({ url: hosting.url, connections: 4, seconds: 5 }, () => request)).perSecond;
}

const numbers: LinkedNumber[] = [];
try {
  const first = await linkNumber(gateway);
  const friend = await newPhone(network);
  await sleep(SETTLE_MS);
  const one = residentMb();
  const begunAt = clock.monotonic();
  await inParallel(Array.from({ length: wanted }), LINKS_AT_ONCE, async () => {
    numbers.push(await linkNumber(gateway));
    const took = (clock.monotonic() - begunAt) / 1_000;
    if (numbers.length % LOG_EVERY === 0)
      console.log(`${numbers.length} linked after ${took.toFixed(0)} s, ${residentMb().toFixed(0)} MB`);
  });

  // Linking leaves a process enlarged, so a fresh one is measured.
  const startedAt = clock.monotonic();
  await stopProcess(hosting.child, 'SIGKILL');
  hosting = await launch('start', settings);
  await allConnected(wanted + 1);
  const back = (clock.monotonic() - startedAt) / 1_000;
  const atMost = MOST_SECONDS_BACK;
  verdict({ name: `until ${wanted} numbers are back after kill -9`, figure: back, unit: 's', atMost });

  await sleep(SETTLE_MS);
  const held = residentMb();
  console.log(`${held.toFixed(0)} MB with ${wanted} numbers, ${one.toFixed(0)} MB with one`);
  verdict({ name: 'memory of each further number', figure: (held - one) / wanted, unit: 'MB', atMost: 1 });

  await heldUpMs();
  await chat(numbers.slice(0, wanted * CHATTING), friend);
  verdict({
    name: 'event loop held up while a fifth chat, p99',
    figure: await heldUpMs(),
    unit: 'ms',
    atMost: 50,
  });

  const alone = await requestsPerSecond(first);
  const lost = numbers.slice(0, LOST_AT_ONCE);
  const lose = inParallel(lost, LINKS_AT_ONCE, async ({ sessionId }) => {
    await network.sandbox('POST', '/faults', { session_id: sessionId, fault: 'disconnect' });
  });
  const beside = await requestsPerSecond(first);
  await lose;
  await allConnected(wanted + 1);
  console.log(`${alone.toFixed(0)} requests a second, ${beside.toFixed(0)} while ${lost.length} come back`);
  verdict({
    name: 'requests while hundreds come back, of those before',
    figure: beside / alone,
    atLeast: 0.33,
  });
} finally {
  await stopProcess(hosting.child, 'SIGTERM');
  await stopProcess(sandbox.child, 'SIGTERM');
  folder.remove();
}
