import { createSystemClock } from '../../../packages/gateway/src/kernel/index.ts';
import { inParallel } from '../in-parallel.ts';
import { offer } from '../remote.ts';
import { cpuSeconds, peakMemory, settledMemory, watchMemory } from '../usage.ts';
import type { Contender, ContenderKind, ContenderOptions } from './contender.ts';

/** A contender in a process of its own, so that its memory and its processor time are measured alone. */
const LOGINS_AT_ONCE = 8;
const clock = createSystemClock();
let contender: Contender | undefined;

/** Loaded on demand: the floor must not contain the driver's code. */
const open: Record<ContenderKind, (options: ContenderOptions) => Promise<Contender>> = {
  bare: async (options) => (await import('./bare.ts')).createBare(options),
  parley: async (options) => (await import('./parley.ts')).createParley(options),
};

function running(): Contender {
  if (!contender) throw new Error('not started');
  return contender;
}

export interface Pair {
  readonly from: string;
  readonly to: string;
}

export interface Burst {
  readonly sends: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Every pair sends as fast as its acknowledgements come back, one message at a time. */
async function sendFor(seconds: number, pairs: readonly Pair[]): Promise<Burst> {
  const cpuBefore = cpuSeconds();
  const begin = clock.monotonic();
  const elapsed = (): number => (clock.monotonic() - begin) / 1_000;
  let sends = 0;
  await inParallel(pairs, pairs.length, async ({ from, to }) => {
    while (elapsed() < seconds) {
      await running().send(from, to, `message ${sends}`);
      sends += 1;
    }
  });
  return { sends, seconds: elapsed(), cpuSeconds: cpuSeconds() - cpuBefore };
}

const calls = {
  async start(kind: ContenderKind, options: ContenderOptions): Promise<void> {
    contender = await open[kind](options);
  },
  showQr: (phone: string): Promise<string> => running().showQr(phone),
  linked: (phone: string): Promise<void> => running().linked(phone),
  logIn: (phones: readonly string[]): Promise<void> => inParallel(phones, LOGINS_AT_ONCE, running().logIn),
  send: (from: string, to: string, text: string): Promise<void> => running().send(from, to, text),
  contactsOf: async (phone: string): Promise<number> => (await running().contactsOf?.(phone)) ?? 0,
  close: (): Promise<void> => running().close(),
  sendFor,
  settledMemory,
  watchMemory,
  peakMemory,
  cpuSeconds,
};

export type ContenderCalls = typeof calls;

offer(calls);
