import { parseArgs } from 'node:util';
import { medianRatio } from '../lib/median.ts';
import { verdict } from '../lib/verdict.ts';
import { createWebhookHarness } from '../lib/webhooks/harness.ts';

/**
 * Cost of durable webhooks: deliveries per second from committed rows to committed outcomes, against a plain loop that signs and
 * posts the same bodies with the same client and stores nothing. Then the memory of a long queue, which should be none.
 *
 * npm run bench -- webhooks [--rounds 21] [--events 20000] [--queue 200000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '21' },
    events: { type: 'string', default: '20000' },
    queue: { type: 'string', default: '200000' },
  },
});
const rounds = Number(values.rounds);
const events = Number(values.events);
const queue = Number(values.queue);

/** Enough to keep the deliverer busy with receivers on the same machine. */
const LANES = 64;
const CONCURRENCY_PER_LANE = 4;
const LEAST_OF_PLAIN = 0.75;
const MOST_GROWTH_MB = 50;
/** Memory samples during the delivery of the queue. */
const SAMPLES = 20;

const harness = await createWebhookHarness();
const urls = harness.urls(LANES);

async function compareSpeed(): Promise<void> {
  const deliverer = harness.startDeliverer();
  await deliverer.call('register', urls);
  const speeds = { plain: [] as number[], durable: [] as number[] };
  const atOnce = LANES * CONCURRENCY_PER_LANE;
  // Round 0 warms up the compilers and is not counted. Many short rounds: the speed of a shared machine changes within seconds.
  for (let round = 0; round <= rounds; round++) {
    const plain = await deliverer.call('postPlainly', urls, events, atOnce);
    await deliverer.call('fill', events);
    await deliverer.call('startDelivering');
    const durable = await deliverer.call('drainTo', 0);
    await deliverer.call('stopDelivering');
    if (round === 0) continue;
    console.log(`round ${round}: plain ${plain.toFixed(0)}/s, durable ${durable.toFixed(0)}/s`);
    speeds.plain.push(plain);
    speeds.durable.push(durable);
  }
  await deliverer.stop();
  const ratio = medianRatio(speeds.durable, speeds.plain, Number);
  verdict({ name: 'durable deliveries of plain posts', figure: ratio, atLeast: LEAST_OF_PLAIN });
}

async function watchMemory(): Promise<void> {
  const filler = harness.startDeliverer();
  await filler.call('register', urls);
  await filler.call('fill', queue);
  await filler.stop();
  // A fresh process, which has no memory of earlier peaks.
  const deliverer = harness.startDeliverer();
  await deliverer.call('startDelivering');
  const held: number[] = [];
  for (let sample = 1; sample <= SAMPLES; sample++) {
    await deliverer.call('drainTo', Math.round(queue * (1 - sample / SAMPLES)));
    held.push(await deliverer.call('memoryMb'));
  }
  console.log(`memory in MB while ${queue} are delivered: ${held.map((mb) => mb.toFixed(0)).join(' ')}`);
  // The first fifth grows the heaps of all threads to their size; after that memory must not depend on the queue.
  const [warm = 0, ...later] = held.slice(SAMPLES / 5 - 1);
  const most = Math.max(warm, ...later);
  await deliverer.stop();
  verdict({
    name: 'growth while the queue is delivered',
    figure: most - warm,
    unit: 'MB',
    atMost: MOST_GROWTH_MB,
  });
}

try {
  await compareSpeed();
  await watchMemory();
} finally {
  await harness.strike();
}
