import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from '../lib/median.ts';
import type { ContenderKind } from '../lib/network/contender.ts';
import { createNetworkHarness, numbersFrom } from '../lib/network/harness.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * Cost of a held number: memory of a connected idle number, and processor time of a new login after a restart, through the driver
 * and on the library's bare sockets. Numbers are linked in processes of their own, because linking leaves a process enlarged; the
 * measured processes are fresh and only log in, in turns.
 *
 * npm run bench -- sessions [--sessions 200] [--rounds 3]
 */
const { values } = parseArgs({
  options: { sessions: { type: 'string', default: '200' }, rounds: { type: 'string', default: '3' } },
});
const sessions = Number(values.sessions);
const rounds = Number(values.rounds);

const MOST_MB_PER_SESSION = 2;
const MOST_OF_BARE = 1.3;
const MOST_CPU_SECONDS_PER_LOGIN = 30 / 200;
/** The library gives the network 20 seconds to send history. */
const SETTLE_MS = 25_000;
const MB = 1024 ** 2;

interface Costs {
  readonly emptyMb: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly loginCpuSeconds: number;
}

const numbers: Record<ContenderKind, readonly string[]> = {
  bare: numbersFrom(15_551_000_000, sessions),
  parley: numbersFrom(15_552_000_000, sessions),
};
const kinds = ['bare', 'parley'] as const;
const measured: Record<ContenderKind, Costs[]> = { bare: [], parley: [] };

const harness = await createNetworkHarness();
try {
  for (const kind of kinds) await link(kind);
  for (let round = 1; round <= rounds; round++) {
    for (const kind of kinds) {
      const costs = await measure(kind);
      measured[kind].push(costs);
      console.log(`round ${round}, ${kind.padEnd(6)} ${describe(costs)}`);
    }
  }
} finally {
  await harness.strike();
}

for (const kind of kinds) console.log(`median,  ${kind.padEnd(6)} ${describe(mediansOf(measured[kind]))}`);
const bare = mediansOf(measured.bare);
const parley = mediansOf(measured.parley);
verdict({ name: 'memory per idle session', figure: parley.rssMb, unit: 'MB', atMost: MOST_MB_PER_SESSION });
verdict({
  name: 'memory per idle session over bare',
  figure: parley.rssMb / bare.rssMb,
  atMost: MOST_OF_BARE,
});
verdict({
  name: `processor time of ${sessions} logins`,
  figure: parley.loginCpuSeconds * sessions,
  unit: 's',
  atMost: MOST_CPU_SECONDS_PER_LOGIN * sessions,
});

async function link(kind: ContenderKind): Promise<void> {
  const contender = await harness.enter(kind);
  await harness.addPhones(numbers[kind]);
  await harness.link(contender, numbers[kind]);
  await contender.call('close');
  await contender.stop();
}

async function measure(kind: ContenderKind): Promise<Costs> {
  const contender = await harness.enter(kind);
  const empty = await contender.call('settledMemory');
  const cpuBefore = await contender.call('cpuSeconds');
  await contender.call('logIn', numbers[kind]);
  await sleep(SETTLE_MS);
  const cpuAfter = await contender.call('cpuSeconds');
  const full = await contender.call('settledMemory');
  await contender.stop();
  return {
    emptyMb: empty.rss / MB,
    rssMb: (full.rss - empty.rss) / MB / sessions,
    heapMb: (full.heapUsed - empty.heapUsed) / MB / sessions,
    loginCpuSeconds: (cpuAfter - cpuBefore) / sessions,
  };
}

function mediansOf(costs: readonly Costs[]): Costs {
  const of = (name: keyof Costs): number => median(costs.map((one) => one[name]));
  return {
    emptyMb: of('emptyMb'),
    rssMb: of('rssMb'),
    heapMb: of('heapMb'),
    loginCpuSeconds: of('loginCpuSeconds'),
  };
}

function describe({ emptyMb, rssMb, heapMb, loginCpuSeconds }: Costs): string {
  const perSession = `${rssMb.toFixed(2)} MB (heap ${heapMb.toFixed(2)} MB) and ${(1_000 * loginCpuSeconds).toFixed(0)} ms of login`;
  return `empty ${emptyMb.toFixed(0)} MB; per session ${perSession}`;
}
