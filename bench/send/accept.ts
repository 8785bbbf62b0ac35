import { medianRatio } from '../lib/median.ts';
import { verdict } from '../lib/verdict.ts';
import type { AcceptCalls } from './accept-process.ts';
import type { BareCalls } from './bare-process.ts';
import { contender, report, speed, start } from './contender.ts';

/** Not counted: until the compilers have optimized each server, and every account is cached. */
const WARM_UP_ROUNDS = 4;

/**
 * Accepted sends of a gateway: authenticated, within their limits and durably queued, against the same route without a database,
 * against a bare route of Node.js without authentication, and against itself with many messages in its tables. All servers run at
 * the same time and take turns.
 */
export async function measureAccept({
  rounds,
  seconds,
  rows,
  accounts,
}: {
  rounds: number;
  seconds: number;
  rows: number;
  accounts: number;
}): Promise<void> {
  const bare = start<BareCalls>('bare');
  const [keepsNothing, empty, full] = [
    start<AcceptCalls>('accept'),
    start<AcceptCalls>('accept'),
    start<AcceptCalls>('accept'),
  ];
  try {
    const unkept = await keepsNothing.call('startWithoutDatabase', accounts);
    const started = await empty.call('start', accounts, 0);
    const filled = await full.call('start', accounts, rows);
    const plain = contender('bare route', await bare.call('url'), () => bare.call('cpuSeconds'));
    const floor = contender('same route, no database', unkept.url, () => keepsNothing.call('cpuSeconds'));
    const accept = contender('accept', started.url, () => empty.call('cpuSeconds'));
    const acceptFull = contender(`accept, ${rows} rows`, filled.url, () => full.call('cpuSeconds'));
    await floor.load.call('prepare', unkept.senders);
    for (const { load } of [plain, accept]) await load.call('prepare', started.senders);
    await acceptFull.load.call('prepare', filled.senders);

    const contenders = [plain, floor, accept, acceptFull];
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (const each of contenders) {
        const result = await each.round(seconds);
        if (round >= 0) each.measured.push(result);
      }
    }
    report(contenders);
    const overFloor = medianRatio(accept.measured, floor.measured, speed);
    const overEmpty = medianRatio(acceptFull.measured, accept.measured, speed);
    const overPlain = medianRatio(accept.measured, plain.measured, speed);
    verdict({
      name: 'accepted sends over the same route without a database',
      figure: overFloor,
      atLeast: 0.75,
    });
    verdict({ name: 'accepted sends over a bare route of Node.js', figure: overPlain, atLeast: 0.4 });
    verdict({ name: `with ${rows} messages over an empty database`, figure: overEmpty, atLeast: 0.9 });
    await Promise.all(contenders.map(({ load }) => load.stop()));
  } finally {
    await Promise.all([bare, keepsNothing, empty, full].map((process) => process.stop()));
  }
}
