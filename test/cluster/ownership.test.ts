import type { HostedSession, Worker } from '@parley/contract';
import { createSystemClock } from '@parley/gateway/kernel';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type LinkedNumber, linkedNumber } from '../conformance/numbers.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';

const NUMBERS = 12;
const PATIENCE = { timeout: 40_000, interval: 100 };
const clock = createSystemClock();
let cluster: Cluster;
let numbers: LinkedNumber[];

beforeAll(async () => {
  cluster = await startCluster({ size: 2 });
  numbers = [];
  for (let done = 0; done < NUMBERS; done++) numbers.push(await linkedNumber(cluster));
});
afterAll(() => cluster?.stop());

function member(index: number): Member {
  const found = cluster.members[index];
  if (!found) throw new Error(`there is no member ${index}`);
  return found;
}

/** The worker name of a process, from its metrics. */
async function workerOf({ url }: Member): Promise<string> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /^parley_worker_leased\{worker="([^"]+)"\} 1$/m.exec(metrics)?.[1] ?? '';
}

async function connectedBy(worker: string): Promise<number> {
  const { sessions } = await cluster.operator<{ sessions: HostedSession[] }>('GET', '/sessions');
  return sessions.filter((each) => each.worker === worker && each.status === 'connected').length;
}

/** Milliseconds until this member alone has connected all of them. */
async function untilAllAreAt(survivor: Member, since: number): Promise<number> {
  // Queried each time: after a pause of the machine it may have lost its lease, and returned under another name.
  await vi.waitFor(async () => expect(await connectedBy(await workerOf(survivor))).toBe(NUMBERS), PATIENCE);
  return clock.monotonic() - since;
}

test('operator and metrics agree on the hosts of all sessions', async () => {
  // A session that has just moved is hosted before it is connected.
  await vi.waitFor(async () => {
    const { workers } = await cluster.operator<{ workers: Worker[] }>('GET', '/workers');
    expect(workers.map(({ sessions }) => sessions).reduce((sum, count) => sum + count)).toBe(NUMBERS);
    for (const each of cluster.members) {
      const worker = await workerOf(each);
      const metrics = await (await fetch(`${each.url}/metrics`)).text();
      const { sessions } = workers.find((listed) => listed.worker === worker) ?? {};
      expect(metrics).toContain(`parley_sessions_hosted{worker="${worker}"} ${sessions}\n`);
      expect(metrics).toContain(`parley_sessions_connected{worker="${worker}"} ${sessions}\n`);
    }
  }, PATIENCE);
});

/** Duration of a move on this machine, without a wait for a lease. */
let handoverMs = 0;

test('a process that is asked to stop hands its sessions over long before its lease would end', async () => {
  const since = clock.monotonic();
  const ending = member(0).end('SIGTERM');
  const took = await untilAllAreAt(member(1), since);
  handoverMs = took;
  await ending;
  console.log(`handed over in ${Math.round(took)} ms`);
  expect(took).toBeLessThan(8_000);
});

test('calls wait while their session moves', async () => {
  const [number] = numbers;
  const answers: number[] = [];
  let isOver = false;
  const calling = (async () => {
    while (!isOver) answers.push((await number?.on('GET', '/groups'))?.status ?? 0);
  })();
  await member(0).start();
  const joined = await workerOf(member(0));
  await vi.waitFor(async () => expect(await connectedBy(joined)).toBe(NUMBERS / 2), PATIENCE);
  isOver = true;
  await calling;
  expect(new Set(answers)).toEqual(new Set([200]));
});

test('a process that joins gets its share, and every number works at every member', async () => {
  expect(await connectedBy(await workerOf(member(0)))).toBe(NUMBERS / 2);
  expect(await connectedBy(await workerOf(member(1)))).toBe(NUMBERS / 2);
  for (const number of numbers) expect((await number.on('GET', '/groups')).status).toBe(200);
});

test('the sessions of a killed process have a host again within fifteen seconds', async () => {
  const since = clock.monotonic();
  await member(1).end('SIGKILL');
  const took = await untilAllAreAt(member(0), since);
  console.log(`taken over in ${Math.round(took)} ms`);
  // Ten are the lease; the rest is work, which takes longer on a busy machine.
  expect(took).toBeLessThan(10_000 + Math.max(5_000, 3 * handoverMs));
});
