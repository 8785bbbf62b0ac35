import { parseArgs } from 'node:util';
import { median } from '../lib/load.ts';
import type { ContenderKind } from '../lib/network/contender.ts';
import type { Burst } from '../lib/network/contender-process.ts';
import { numbersFrom, setStage } from '../lib/network/stage.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * What a send costs from the driver's door to the network's acknowledgement, against the library's bare `sendMessage` that keeps nothing
 * on disk. Each number sends one message at a time, several numbers side by side. The contenders live at the same time and take turns, so
 * that a busy machine slows both alike; processor time per send is less noisy still.
 *
 *     node bench/wire/run.ts [--sessions 8] [--rounds 7] [--seconds 5]
 */
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '5' },
  },
});
const sessions = Number(values.sessions);
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const LEAST_OF_BARE = 0.8;

const kinds = ['bare', 'parley'] as const;
const senders: Record<ContenderKind, readonly string[]> = {
  bare: numbersFrom(15_551_000_000, sessions),
  parley: numbersFrom(15_552_000_000, sessions),
};
const receivers = numbersFrom(15_553_000_000, sessions);
const bursts: Record<ContenderKind, Burst[]> = { bare: [], parley: [] };

const stage = await setStage();
try {
  await stage.addPhones([...senders.bare, ...senders.parley, ...receivers]);
  const contenders = { bare: await stage.enter('bare'), parley: await stage.enter('parley') };
  for (const kind of kinds) await stage.link(contenders[kind], senders[kind]);
  for (let round = 0; round <= rounds; round++) {
    for (const kind of kinds) {
      const pairs = senders[kind].map((from, index) => ({ from, to: receivers[index] ?? '' }));
      const burst = await contenders[kind].call('sendFor', seconds, pairs);
      // Round 0 makes the encrypted sessions, warms up the compilers and is not counted.
      if (round > 0) bursts[kind].push(burst);
    }
  }
} finally {
  await stage.strike();
}

const speedOf = ({ sends, seconds }: Burst): number => sends / seconds;
const cpuMsOf = ({ sends, cpuSeconds }: Burst): number => (1_000 * cpuSeconds) / sends;
const medianOf = (kind: ContenderKind, figure: (burst: Burst) => number): number =>
  median(bursts[kind].map(figure));

for (const kind of kinds) {
  const each = bursts[kind].map((burst) => speedOf(burst).toFixed(0)).join(' ');
  const speed = `${medianOf(kind, speedOf).toFixed(0)} sends/s (rounds: ${each})`;
  console.log(`${kind.padEnd(6)} ${speed}, ${medianOf(kind, cpuMsOf).toFixed(2)} ms of processor time each`);
}
const cpuRatio = medianOf('bare', cpuMsOf) / medianOf('parley', cpuMsOf);
console.log(`processor time per send: bare takes ${cpuRatio.toFixed(2)} of Parley's`);
verdict({
  name: 'sends per second over bare',
  figure: medianOf('parley', speedOf) / medianOf('bare', speedOf),
  atLeast: LEAST_OF_BARE,
});
