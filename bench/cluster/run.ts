import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createPostgresDatabase } from '../../packages/gateway/src/platform/store/testing/index.ts';
import { startNats } from '../../test/services/nats.ts';
import { startPostgres } from '../../test/services/postgres.ts';
import { median, medianRatio } from '../lib/median.ts';
import { type Calls, type Remote, startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import type { AcceptCalls } from '../send/accept-process.ts';
import type { LoadCalls } from '../send/load-process.ts';
import { postgresUsage } from './postgres-usage.ts';

/**
 * Accepted sends on PostgreSQL: one API process against the same route without a database, and two processes against one. The
 * processes, the server and the senders share this machine: with busy cores two processes are not faster than one, and what
 * counts is the same cost per send.
 *
 * npm run bench -- cluster [--rounds 15] [--seconds 1] [--accounts 600]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '1' },
    accounts: { type: 'string', default: '600' },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
/** Enough to keep the group commit full: a commit takes milliseconds, and all waiting requests share the next one. */
const CONNECTIONS = 256;
/** Not counted: until the compilers have optimized each server. */
const WARM_UP_ROUNDS = 4;
const BUSY = 0.9;
const cores = availableParallelism();

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  /** Milliseconds of processor time per accepted send, of the API servers. */
  readonly apiMs: number;
  readonly postgresMs: number;
  /** Bytes of PostgreSQL's WAL per accepted send. */
  readonly logBytes: number;
  /** Share of the machine by process name. */
  readonly use: ReadonlyMap<string, number>;
}

interface Server {
  readonly url: string;
  readonly remote: Pick<Remote<{ cpuSeconds(): number }>, 'call'>;
  readonly load: Remote<LoadCalls>;
}

await using opened = new AsyncDisposableStack();
const [postgres, nats] = await Promise.all([startPostgres('for measurements'), startNats()]);
opened.defer(() => postgres.stop());
opened.defer(() => nats.stop());
const database = await createPostgresDatabase(postgres.url);
opened.defer(() => database.drop());

function start<C extends Calls>(name: string): Remote<C> {
  const remote = startRemote<C>(new URL(`../send/${name}-process.ts`, import.meta.url));
  opened.defer(() => remote.stop());
  return remote;
}

const [keepsNothing, first, second] = [
  start<AcceptCalls>('accept'),
  start<AcceptCalls>('accept'),
  start<AcceptCalls>('accept'),
];
const accounts = Number(values.accounts);
const unkept = await keepsNothing.call('startWithoutDatabase', accounts);
const { url: firstUrl, senders } = await first.call('join', database.url, nats.url, accounts);
const { url: secondUrl } = await second.call('join', database.url, nats.url, 0);

async function serverAt(
  url: string,
  remote: Server['remote'],
  sentBy: Parameters<LoadCalls['prepare']>[0] = senders,
): Promise<Server> {
  const load = start<LoadCalls>('load');
  await load.call('prepare', sentBy);
  return { url, remote, load };
}

const [onNothing, onFirst, onSecond] = [
  await serverAt(unkept.url, keepsNothing, unkept.senders),
  await serverAt(firstUrl, first),
  await serverAt(secondUrl, second),
];
const contenders = [
  { name: 'no database', servers: [onNothing], measured: [] as Round[] },
  { name: 'one process', servers: [onFirst], measured: [] as Round[] },
  { name: 'two processes', servers: [onFirst, onSecond], measured: [] as Round[] },
] as const;

const cpuOf = (remotes: readonly Server['remote'][]): Promise<number[]> =>
  Promise.all(remotes.map((remote) => remote.call('cpuSeconds')));

async function usage(servers: readonly Server[]) {
  const [database, api, load] = await Promise.all([
    postgresUsage(postgres.url),
    cpuOf(servers.map(({ remote }) => remote)),
    cpuOf(servers.map(({ load }) => load)),
  ]);
  return { database, api, load };
}

async function measure(servers: readonly Server[]): Promise<Round> {
  const before = await usage(servers);
  const order = { connections: CONNECTIONS / servers.length, seconds };
  const results = await Promise.all(servers.map(({ url, load }) => load.call('load', { url, ...order })));
  const after = await usage(servers);
  const refused = sum(results.map((result) => result.refused));
  if (refused > 0) throw new Error(`${refused} sends were refused`);
  const accepted = sum(results.map((result) => result.accepted));
  const postgresSeconds = after.database.cpuSeconds - before.database.cpuSeconds;
  const spent = (part: 'api' | 'load'): number[] => after[part].map((now, n) => now - (before[part][n] ?? 0));
  const named = (name: string, part: 'api' | 'load') =>
    spent(part).map((each, n) => [`${name} ${n + 1}`, each / seconds] as const);
  return {
    perSecond: sum(results.map(({ perSecond }) => perSecond)),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    apiMs: (1_000 * sum(spent('api'))) / accepted,
    postgresMs: (1_000 * postgresSeconds) / accepted,
    logBytes: (after.database.logBytes - before.database.logBytes) / accepted,
    use: new Map([
      ['PostgreSQL', postgresSeconds / seconds],
      ...named('server', 'api'),
      ...named('load', 'load'),
    ]),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
  for (const { servers, measured } of contenders) {
    const result = await measure(servers);
    if (round >= 0) measured.push(result);
  }
}

const figure = (index: 0 | 1 | 2, pick: (round: Round) => number): number =>
  median(contenders[index].measured.map(pick));
for (const [index, { name, measured }] of contenders.entries()) {
  const of = (pick: (round: Round) => number): number => figure(index as 0 | 1 | 2, pick);
  const names = [...(measured[0]?.use.keys() ?? [])];
  const shares = names.map((each) => `${each} ${(100 * of(({ use }) => use.get(each) ?? 0)).toFixed(0)} %`);
  console.log(
    `${name.padEnd(14)}${of(({ perSecond }) => perSecond)
      .toFixed(0)
      .padStart(7)}/s, p50 ${of(({ p50Ms }) => p50Ms).toFixed(1)} ms, ` +
      `each ${of(({ apiMs }) => apiMs).toFixed(3)} ms in the servers and ${of(({ postgresMs }) => postgresMs).toFixed(3)} ms in PostgreSQL, ${of(({ logBytes }) => logBytes).toFixed(0)} bytes of its log; of one core: ${shares.join(', ')}`,
  );
}

function ratio(index: 1 | 2, pick: (round: Round) => number): number {
  return medianRatio(contenders[index].measured, contenders[index === 1 ? 0 : 1].measured, pick);
}

const overFloor = ratio(1, ({ perSecond }) => perSecond);
const overOne = ratio(2, ({ perSecond }) => perSecond);
const busy = figure(2, ({ use }) => sum([...use.values()])) / cores;
const costOverOne = ratio(2, ({ apiMs }) => apiMs);
verdict({
  name: 'accepted sends on PostgreSQL over the same route without a database',
  figure: overFloor,
  atLeast: 0.7,
});
verdict({ name: 'processor time of a send with two processes over one', figure: costOverOne, atMost: 1.2 });
if (overOne < 1.6 && busy >= BUSY)
  console.log(
    `two processes over one ${overOne.toFixed(2)}: bound by the ${cores} cores, which were ${(100 * busy).toFixed(0)} % busy with these processes alone`,
  );
else verdict({ name: 'accepted sends of two processes over one', figure: overOne, atLeast: 1.6 });
