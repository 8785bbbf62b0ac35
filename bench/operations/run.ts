import { parseArgs } from 'node:util';
import { NETWORK_ACTIONS_IN_PARALLEL } from '@parley/contract';
import { Agent, request } from 'undici';
import { startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import type { BenchNumber, GatewayCalls } from './gateway-process.ts';

/**
 * Cost of the gateway itself for a query to the network: processor time of its process from the request to the driver and back,
 * and the answers to many numbers that run five operations each at the same time.
 *
 * npm run bench -- operations [--numbers 100] [--calls 20]
 */
const { values } = parseArgs({
  options: { numbers: { type: 'string', default: '100' }, calls: { type: 'string', default: '20' } },
});
const callsInARow = Number(values.calls);
const MOST_CPU_MS = 2;
const DRIVER_SAMPLES = 2_000;

const gateway = startRemote<GatewayCalls>(new URL('./gateway-process.ts', import.meta.url));
const { url, bareUrl, key, numbers, friend } = await gateway.call('start', Number(values.numbers));
const agent = new Agent({ connections: numbers.length * NETWORK_ACTIONS_IN_PARALLEL });

interface Action {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: (number: BenchNumber) => string;
  readonly body?: object;
  /** Another server than the gateway. */
  readonly at?: string;
}

const detail: Action = {
  name: 'group detail',
  method: 'GET',
  path: ({ group }) => `/groups/${encodeURIComponent(group)}`,
};
const floor: Action = { ...detail, name: 'bare Fastify', at: bareUrl };

const actions: readonly Action[] = [
  detail,
  {
    name: 'group name',
    method: 'POST',
    path: ({ group }) => `/groups/${encodeURIComponent(group)}/name`,
    body: { name: 'Landing team' },
  },
  { name: 'typing', method: 'POST', path: () => '/typing', body: { to: friend } },
];

async function perform({ method, path, body, at = url }: Action, number: BenchNumber): Promise<number> {
  const answer = await request(`${at}/v1/sessions/${encodeURIComponent(number.sessionId)}${path(number)}`, {
    method,
    dispatcher: agent,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** Every number runs five operations at the same time, repeatedly. Returns the number of calls without a success. */
async function storm(action: Action): Promise<{ calls: number; lost: number; cpuMs: number }> {
  const before = await gateway.call('cpuSeconds');
  const lines = numbers.flatMap((number) =>
    Array.from({ length: NETWORK_ACTIONS_IN_PARALLEL }, () => number),
  );
  const results = await Promise.all(
    lines.map(async (number) => {
      let lost = 0;
      for (let n = 0; n < callsInARow; n++) lost += (await perform(action, number)) < 300 ? 0 : 1;
      return lost;
    }),
  );
  const calls = lines.length * callsInARow;
  const cpuMs = ((await gateway.call('cpuSeconds')) - before) * 1_000;
  return { calls, lost: results.reduce((sum, lost) => sum + lost, 0), cpuMs: cpuMs / calls };
}

try {
  // The first round warms up the compilers and is not counted.
  for (const action of [floor, ...actions]) await storm(action);
  const bare = await storm(floor);
  for (const action of actions) {
    const { calls, lost, cpuMs } = await storm(action);
    const ratio = (cpuMs / bare.cpuMs).toFixed(1);
    console.log(
      `${action.name}: ${calls} calls of ${numbers.length} numbers, ${ratio} times a bare Fastify route`,
    );
    verdict({ name: `processor time of ${action.name}`, figure: cpuMs, unit: 'ms', atMost: MOST_CPU_MS });
    verdict({ name: `calls lost of ${action.name}`, figure: lost, atMost: 0 });
  }
  const driver = await gateway.call('askDriver', DRIVER_SAMPLES, numbers[0]?.group ?? '');
  console.log(`of which the fake driver: ${(driver * 1_000).toFixed(2)} ms for a group detail`);
} finally {
  await agent.close();
  await gateway.stop();
}
