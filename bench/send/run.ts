import { parseArgs } from 'node:util';
import { median } from '../lib/load.ts';
import { type Calls, type Remote, startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import type { AcceptCalls } from './accept-process.ts';
import type { BareCalls } from './bare-process.ts';
import type { LoadCalls } from './load-process.ts';

/**
 * How many sends a gateway accepts: authenticated, within their limits and durably queued, against a bare Fastify route that only checks
 * the body; and against itself with a million messages in its tables. All servers live at the same time and take turns, so that a busy
 * machine slows them alike; processor time per send is less noisy still.
 *
 *     node bench/send/run.ts [--rounds 7] [--seconds 3] [--rows 1000000] [--accounts 600]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '600' },
  },
});
const rounds = Number(values.rounds);
const CONNECTIONS = 64;

const start = <C extends Calls>(name: string): Remote<C> =>
  startRemote<C>(new URL(`./${name}-process.ts`, import.meta.url));
const bare = start<BareCalls>('bare');
const [empty, full] = [start<AcceptCalls>('accept'), start<AcceptCalls>('accept')];

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly p50Ms: number;
}

/** A server under load, and the clients that load it. */
function contender(name: string, url: string, cpuSeconds: () => Promise<number>) {
  const load = start<LoadCalls>('load');
  const measured: Round[] = [];
  return {
    name,
    load,
    measured,
    async round(seconds: number): Promise<Round> {
      const before = await cpuSeconds();
      const { accepted, refused, ...figures } = await load.call('load', {
        url,
        connections: CONNECTIONS,
        seconds,
      });
      if (refused > 0) throw new Error(`${name} refused ${refused} sends`);
      return { ...figures, cpuMs: (1_000 * ((await cpuSeconds()) - before)) / accepted };
    },
  };
}

try {
  const accounts = Number(values.accounts);
  const started = await empty.call('start', accounts, 0);
  const filled = await full.call('start', accounts, Number(values.rows));
  const contenders = [
    contender('bare route', await bare.call('url'), () => bare.call('cpuSeconds')),
    contender('accept', started.url, () => empty.call('cpuSeconds')),
    contender(`accept, ${values.rows} rows`, filled.url, () => full.call('cpuSeconds')),
  ] as const;
  const [floor, accept, acceptFull] = contenders;
  for (const { load } of [floor, accept]) await load.call('prepare', started.senders);
  await acceptFull.load.call('prepare', filled.senders);

  for (let round = 0; round <= rounds; round++) {
    for (const each of contenders) {
      const result = await each.round(Number(values.seconds));
      // Round 0 warms up the compilers and lets every account be known, and is not counted.
      if (round > 0) each.measured.push(result);
    }
  }
  const figure = ({ measured }: (typeof contenders)[number], pick: (round: Round) => number): number =>
    median(measured.map(pick));
  const speed = (round: Round): number => round.perSecond;
  for (const each of contenders) {
    const rates = each.measured.map((round) => round.perSecond.toFixed(0)).join(' ');
    console.log(
      `${each.name.padEnd(24)}${figure(each, speed).toFixed(0).padStart(7)}/s (rounds: ${rates}), ` +
        `${figure(each, ({ cpuMs }) => cpuMs).toFixed(3)} ms of processor time each, p50 ${figure(each, ({ p50Ms }) => p50Ms).toFixed(1)} ms`,
    );
  }
  verdict({
    name: 'accepted sends over a bare route',
    figure: figure(accept, speed) / figure(floor, speed),
    atLeast: 0.6,
  });
  verdict({
    name: `with ${values.rows} messages over an empty database`,
    figure: figure(acceptFull, speed) / figure(accept, speed),
    atLeast: 0.9,
  });
  await Promise.all(contenders.map(({ load }) => load.stop()));
} finally {
  await Promise.all([bare, empty, full].map((process) => process.stop()));
}
