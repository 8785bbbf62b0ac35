import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runToEnd } from '../../test/services/processes.ts';
import { median, medianRatio } from '../lib/median.ts';
import { numbersFrom } from '../lib/network/harness.ts';
import { type ProcessUsage, totalCpuMs, usageOf, usedBetween } from '../lib/process-usage.ts';
import { startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import { type Contender, enterBare, enterParley } from './contenders.ts';
import type { Kind } from './endpoint.ts';
import type { OutsideCalls } from './outside-process.ts';

/**
 * Cost of one message from end to end, with all of it durable, against the bare library behind a plain server that signs and
 * posts its events and stores nothing. The contenders run at the same time and take turns; the network, the senders and the
 * receivers of webhooks are in a process of their own and are not counted. Processor time is of the whole process, listed by
 * thread.
 *
 * npm run bench -- message [--numbers 12] [--rounds 15] [--kinds send,inbound,group,fan-out,media]
 */
const { values } = parseArgs({
  options: {
    numbers: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '15' },
    kinds: { type: 'string', default: 'send,inbound,group,fan-out,media' },
  },
});
const numbers = Number(values.numbers);
const rounds = Number(values.rounds);
const MEMBERS = 99;
/** Timers that were due after the clock was moved have run by then. */
const REST_MS = 150;

interface Plan {
  readonly name: string;
  /** How many of the numbers take part; a message to a hundred people is work for the whole network. */
  readonly numbers: number;
  /** One after the other, in a round; a number may send five at once. */
  readonly each: number;
  readonly mostOfBare?: number;
}

const PLANS: Record<Kind, Plan> = {
  send: { name: 'a send, to its status', numbers, each: 4, mostOfBare: 0.8 },
  inbound: { name: 'a message coming in, to its webhook', numbers, each: 4, mostOfBare: 0.8 },
  group: { name: 'a send to a group of 100', numbers: 2, each: 3 },
  'fan-out': { name: 'the first send to a group of 100', numbers: 1, each: 1 },
  media: { name: 'a send of 1 MB', numbers: 4, each: 2 },
};

interface Turn {
  readonly messages: number;
  readonly used: ProcessUsage;
  readonly tookMs: readonly number[];
}

type ContenderKind = 'bare' | 'parley';

const kinds = values.kinds.split(',').filter((kind): kind is Kind => kind in PLANS);
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-message-'));
const outside = startRemote<OutsideCalls>(new URL('./outside-process.ts', import.meta.url));
const contenders: [ContenderKind, Contender][] = [];

async function turn(kind: Kind, { pid, doors }: Contender): Promise<Turn> {
  const { numbers: taking, each } = PLANS[kind];
  await outside.call('letTimePass');
  await sleep(REST_MS);
  const before = usageOf(pid);
  const tookMs = await outside.call('round', kind, doors.slice(0, taking), each, members);
  return { messages: tookMs.length, used: usedBetween(before, usageOf(pid)), tookMs };
}

const cpuMsOf = ({ used, messages }: Turn): number => totalCpuMs(used) / messages;

function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
  );
}

function describe(name: ContenderKind, turns: readonly Turn[]): void {
  const took = turns.flatMap(({ tookMs }) => tookMs);
  const threads = new Set(turns.flatMap(({ used }) => Object.keys(used.cpuMs)));
  const byThread = [...threads]
    .map(
      (thread) =>
        [thread, median(turns.map(({ used, messages }) => (used.cpuMs[thread] ?? 0) / messages))] as const,
    )
    .filter(([, ms]) => ms >= 0.005)
    .toSorted(([, a], [, b]) => b - a)
    .map(([thread, ms]) => `${thread} ${ms.toFixed(2)}`);
  const kb = median(turns.map(({ used, messages }) => used.written / messages / 1024));
  console.log(
    `  ${name.padEnd(6)} ${median(turns.map(cpuMsOf)).toFixed(2)} ms of processor time (${byThread.join(', ')}), ` +
      `p50 ${quantile(took, 0.5).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms, ${kb.toFixed(1)} KB to disk`,
  );
}

const members = numbersFrom(15_556_000_000, MEMBERS);
try {
  await runToEnd(process.execPath, [join(import.meta.dirname, '../../tools/build/run.ts')]);
  const friends = numbersFrom(15_555_000_000, numbers);
  const surroundings = { ...(await outside.call('start')), outside, folder, friends };
  await outside.call('addPhones', [...friends, ...members]);
  contenders.push(['bare', await enterBare(surroundings, numbersFrom(15_554_000_000, numbers))]);
  contenders.push(['parley', await enterParley(surroundings)]);
  for (const kind of kinds) {
    const turns: Record<ContenderKind, Turn[]> = { bare: [], parley: [] };
    // The first rounds create the encrypted sessions, warm up the compilers, and are not counted.
    const warmUp = Math.ceil(rounds / 3);
    for (let round = 0; round < rounds + warmUp; round++)
      for (const [name, contender] of contenders) {
        const done = await turn(kind, contender);
        if (round >= warmUp) turns[name].push(done);
      }
    const { name, mostOfBare } = PLANS[kind];
    console.log(`${name}: ${turns.parley.length} rounds of ${turns.parley[0]?.messages}`);
    for (const [contender] of contenders) describe(contender, turns[contender]);
    const figure = medianRatio(turns.parley, turns.bare, cpuMsOf);
    if (mostOfBare === undefined) console.log(`processor time of ${name} over bare ${figure.toFixed(2)}`);
    else verdict({ name: `processor time of ${name} over bare`, figure, atMost: mostOfBare });
  }
} finally {
  await Promise.all(contenders.map(([, contender]) => contender.stop()));
  await outside.stop();
  rmSync(folder, { recursive: true, force: true });
}
