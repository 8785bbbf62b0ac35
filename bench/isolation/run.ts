import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from '../lib/median.ts';
import { verdict } from '../lib/verdict.ts';
import { createWebhookHarness } from '../lib/webhooks/harness.ts';

/**
 * Effect of an unresponsive receiver on the others: time from event to receiver at a steady pace over a hundred healthy
 * receivers, and with a black hole among them. In turns, so that a busy machine slows both alike.
 *
 * npm run bench -- isolation [--rounds 5] [--seconds 15]
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '15' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const RECEIVERS = 100;
const EVENTS_PER_SECOND = 200;
const MOST_OF_HEALTHY = 1.2;
const HOLE = '/hook-0';

const harness = await createWebhookHarness();
const { receivers } = harness;
const deliverer = harness.startDeliverer();
await deliverer.call('register', harness.urls(RECEIVERS));
await deliverer.call('startDelivering');

/** Latencies of the others only, also while all are healthy: deliveries that waited for the black hole arrive then, and late. */
async function measure(forSeconds: number): Promise<number> {
  await receivers.call('takeLatencies', HOLE);
  await deliverer.call('emitSteadily', EVENTS_PER_SECOND, forSeconds);
  await sleep(1_000);
  const latencies = (await receivers.call('takeLatencies', HOLE)).toSorted((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY;
}

const p99 = { healthy: [] as number[], withHole: [] as number[] };
try {
  await measure(5);
  for (let round = 1; round <= rounds; round++) {
    await receivers.call('makeHoles', []);
    const healthy = await measure(seconds);
    await receivers.call('makeHoles', [HOLE]);
    const withHole = await measure(seconds);
    console.log(`round ${round}: p99 ${healthy} ms, with a black hole ${withHole} ms`);
    p99.healthy.push(healthy);
    p99.withHole.push(withHole);
  }
} finally {
  await deliverer.stop();
  await harness.strike();
}
const ratio = median(p99.withHole) / Math.max(median(p99.healthy), 1);
verdict({ name: 'p99 of the others beside a black hole', figure: ratio, atMost: MOST_OF_HEALTHY });
