import { parseArgs } from 'node:util';
import { median, medianRatio } from '../lib/median.ts';
import type { ContenderKind } from '../lib/network/contender.ts';
import type { Burst } from '../lib/network/contender-process.ts';
import { createNetworkHarness, numbersFrom } from '../lib/network/harness.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * Cost of a send from the driver's interface to the network's acknowledgement, against the library's bare `sendMessage` without
 * storage. Each number sends one message at a time, several numbers in parallel. The contenders run at the same time and take
 * short turns, so that a busy machine slows both alike; processor time per send is less noisy still, and counts all threads of
 * the contender.
 *
 * npm run bench -- wire [--sessions 16] [--rounds 25] [--seconds 2]
 */
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '2' },
  },
});
const sessions = Number(values.sessions);
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const LEAST_OF_BARE = 0.8;
const WARM_UP_SECONDS = 8;

const kinds = ['bare', 'parley'] as const;
const senders: Record<ContenderKind, readonly string[]> = {
  bare: numbersFrom(15_551_000_000, sessions),
  parley: numbersFrom(15_552_000_000, sessions),
};
const receivers = numbersFrom(15_553_000_000, sessions);
const bursts: Record<ContenderKind, Burst[]> = { bare: [], parley: [] };
const networkCpuMs: number[] = [];

const harness = await createNetworkHarness();
try {
  await harness.addPhones([...senders.bare, ...senders.parley, ...receivers]);
  const contenders = { bare: await harness.enter('bare'), parley: await harness.enter('parley') };
  for (const kind of kinds) await harness.link(contenders[kind], senders[kind]);
  for (let round = 0; round <= rounds; round++) {
    for (const kind of kinds) {
      const pairs = senders[kind].map((from, index) => ({ from, to: receivers[index] ?? '' }));
      const before = await harness.networkCpuSeconds();
      const burst = await contenders[kind].call('sendFor', round === 0 ? WARM_UP_SECONDS : seconds, pairs);
      const spent = (await harness.networkCpuSeconds()) - before;
      // Round 0 creates the encrypted sessions, warms up the compilers and is not counted.
      if (round === 0) continue;
      bursts[kind].push(burst);
      networkCpuMs.push((1_000 * spent) / burst.sends);
    }
  }
} finally {
  await harness.strike();
}

const speedOf = ({ sends, seconds }: Burst): number => sends / seconds;
const cpuMsOf = ({ sends, cpuSeconds }: Burst): number => (1_000 * cpuSeconds) / sends;

const overBare = (figure: (burst: Burst) => number): number =>
  medianRatio(bursts.parley, bursts.bare, figure);

for (const kind of kinds) {
  const speeds = bursts[kind].map(speedOf);
  const range = `${Math.min(...speeds).toFixed(0)} to ${Math.max(...speeds).toFixed(0)}`;
  const cpuMs = median(bursts[kind].map(cpuMsOf)).toFixed(2);
  console.log(
    `${kind.padEnd(6)} ${median(speeds).toFixed(0)} sends/s (${range}), ${cpuMs} ms of processor time each`,
  );
}
console.log(`the network itself: ${median(networkCpuMs).toFixed(2)} ms of processor time per send`);
console.log(`processor time per send over bare ${overBare(cpuMsOf).toFixed(2)}`);
verdict({ name: 'sends per second over bare', figure: overBare(speedOf), atLeast: LEAST_OF_BARE });
