import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';
import { runToEnd } from '../../test/services/processes.ts';
import type { LoadResult } from '../lib/load.ts';
import { median } from '../lib/median.ts';
import { numbersFrom } from '../lib/network/harness.ts';
import { startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import { type Contender, enterParley } from '../message/contenders.ts';
import type { OutsideCalls } from '../message/outside-process.ts';
import type { LoadCalls } from '../send/load-process.ts';
import { addGhosts } from './ghosts.ts';

/**
 * Cost of accepting sends while the same gateway encrypts as many as it can, against accepting alone, with numbers hosted in
 * threads of their own. The same with numbers hosted in the thread of the requests is measured beside. The gateways take turns;
 * the network, the senders and the receivers of webhooks are in processes of their own.
 *
 * npm run bench -- beside [--threads 1] [--numbers 40] [--rounds 5] [--seconds 4]
 */
const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '1' },
    numbers: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    accounts: { type: 'string', default: '300' },
  },
});
const numbers = Number(values.numbers);
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const clock = createSystemClock();
const CONNECTIONS = 64;
/** Enough for no number to run out of messages before the others were measured. */
const EACH = 40;
const UNTIL_SATURATED_MS = 500;

interface Measured {
  readonly alone: LoadResult[];
  readonly beside: LoadResult[];
  /** Sends of the hosts per second meanwhile. */
  readonly sent: number[];
}

interface Entered {
  readonly threads: string;
  readonly contender: Contender;
  readonly load: ReturnType<typeof startRemote<LoadCalls>>;
  readonly measured: Measured;
}

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-beside-'));
const outside = startRemote<OutsideCalls>(new URL('../message/outside-process.ts', import.meta.url));
const entered: Entered[] = [];

async function enter(threads: string, friends: readonly string[]): Promise<Entered> {
  const own = join(folder, threads);
  const surroundings = { ...(await outside.call('start')), outside, folder: own, friends };
  const contender = await enterParley(surroundings, { PARLEY_HOST_THREADS: threads });
  const senders = await addGhosts(`sqlite:${join(own, 'parley', 'parley.db')}`, Number(values.accounts));
  const load = startRemote<LoadCalls>(new URL('../send/load-process.ts', import.meta.url));
  await load.call('prepare', senders);
  return { threads, contender, load, measured: { alone: [], beside: [], sent: [] } };
}

async function accept({ contender, load }: Entered): Promise<LoadResult> {
  const [{ url } = { url: '' }] = contender.doors;
  const result = await load.call('load', { url, connections: CONNECTIONS, seconds });
  if (result.refused > 0) throw new Error(`${result.refused} sends were refused`);
  return result;
}

async function turn(each: Entered, isCounted: boolean): Promise<void> {
  await outside.call('letTimePass');
  await sleep(UNTIL_SATURATED_MS);
  const alone = await accept(each);
  const begun = clock.monotonic();
  const sending = outside.call('round', 'send', each.contender.doors, EACH, []);
  await sleep(UNTIL_SATURATED_MS);
  const beside = await accept(each);
  const sent = (await sending).length / ((clock.monotonic() - begun) / 1_000);
  if (!isCounted) return;
  each.measured.alone.push(alone);
  each.measured.beside.push(beside);
  each.measured.sent.push(sent);
}

const rateOf = ({ perSecond }: LoadResult): number => perSecond;
const p99Of = ({ p99Ms }: LoadResult): number => p99Ms;
const medianOf = (results: readonly LoadResult[], pick: (result: LoadResult) => number): number =>
  median(results.map(pick));

try {
  await runToEnd(process.execPath, [join(import.meta.dirname, '../../tools/build/run.ts')]);
  for (const [index, threads] of ['0', values.threads].entries()) {
    const friends = numbersFrom(15_555_000_000 + index * numbers, numbers);
    await outside.call('addPhones', friends);
    entered.push(await enter(threads, friends));
  }
  for (let round = -1; round < rounds; round++) for (const each of entered) await turn(each, round >= 0);
  for (const { threads, measured } of entered) {
    const { alone, beside, sent } = measured;
    const where = threads === '0' ? 'hosted in the main thread' : `hosted in ${threads} of their own`;
    console.log(
      `${where}: alone ${medianOf(alone, rateOf).toFixed(0)}/s, p99 ${medianOf(alone, p99Of).toFixed(1)} ms; ` +
        `beside ${median(sent).toFixed(0)} sends/s ${medianOf(beside, rateOf).toFixed(0)}/s, p99 ${medianOf(beside, p99Of).toFixed(1)} ms`,
    );
  }
  const [inMain, inThreads] = entered.map(({ measured }) => measured);
  if (!inMain || !inThreads) throw new Error('nothing was measured');
  const ratio = (pick: (result: LoadResult) => number): number =>
    median(inThreads.beside.map((beside, n) => pick(beside) / pick(inThreads.alone[n] ?? beside)));
  verdict({ name: 'p99 of accepting beside saturated hosts over alone', figure: ratio(p99Of), atMost: 3 });
  verdict({ name: 'rate of accepting beside them over alone', figure: ratio(rateOf), atLeast: 0.5 });
  const sends = median(inThreads.sent) / median(inMain.sent);
  verdict({ name: 'sends of threads over those of the main thread', figure: sends, atLeast: 0.95 });
} finally {
  await Promise.all(entered.flatMap(({ contender, load }) => [contender.stop(), load.stop()]));
  await outside.stop();
  rmSync(folder, { recursive: true, force: true });
}
