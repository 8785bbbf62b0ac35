import { parseArgs } from 'node:util';
import { medianRatio } from '../lib/median.ts';
import { verdict } from '../lib/verdict.ts';
import { setWebhookStage } from '../lib/webhooks/stage.ts';

/**
 * What durability costs a webhook: deliveries per second from committed rows to committed outcomes, against a plain loop that signs and
 * posts the same bodies with the same client and keeps nothing. Then how much memory a long queue takes: it should take none.
 *
 *     node bench/webhooks/run.ts [--rounds 7] [--events 40000] [--queue 200000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    events: { type: 'string', default: '40000' },
    queue: { type: 'string', default: '200000' },
  },
});
const rounds = Number(values.rounds);
const events = Number(values.events);
const queue = Number(values.queue);

/** Enough that the deliverer never waits with empty hands for receivers that share its machine. */
const LANES = 64;
const CONCURRENCY_PER_LANE = 4;
const LEAST_OF_PLAIN = 0.65;
const MOST_GROWTH_MB = 50;
/** While the queue is delivered, memory is read this often. */
const SAMPLES = 20;

const stage = await setWebhookStage();
const urls = stage.urls(LANES);

async function compareSpeed(): Promise<void> {
  const deliverer = stage.startDeliverer();
  await deliverer.call('register', urls);
  const speeds = { plain: [] as number[], inManual: [] as number[], durable: [] as number[] };
  const atOnce = LANES * CONCURRENCY_PER_LANE;
  // Round 0 warms up the compilers and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const count = round === 0 ? Math.min(events, 4_000) : events;
    const inManual = await deliverer.call('postPlainly', urls, count, atOnce, true);
    const plain = await deliverer.call('postPlainly', urls, count, atOnce, false);
    await deliverer.call('fill', count);
    await deliverer.call('startDelivering');
    const durable = await deliverer.call('drainTo', 0);
    await deliverer.call('stopDelivering');
    if (round === 0) continue;
    console.log(
      `round ${round}: plain ${plain.toFixed(0)}/s (${inManual.toFixed(0)} as the client's manual does it), durable ${durable.toFixed(0)}/s`,
    );
    speeds.inManual.push(inManual);
    speeds.plain.push(plain);
    speeds.durable.push(durable);
  }
  await deliverer.stop();
  const over = (floor: readonly number[]): number => medianRatio(speeds.durable, floor, Number);
  const ratio = over(speeds.plain);
  console.log(
    `durable deliveries of posts as the client's manual does them ${over(speeds.inManual).toFixed(2)}`,
  );
  verdict({ name: 'durable deliveries of plain posts', figure: ratio, atLeast: LEAST_OF_PLAIN });
}

async function watchMemory(): Promise<void> {
  const filler = stage.startDeliverer();
  await filler.call('register', urls);
  await filler.call('fill', queue);
  await filler.stop();
  // A fresh one, which has never held more than it needs.
  const deliverer = stage.startDeliverer();
  await deliverer.call('startDelivering');
  const held: number[] = [];
  for (let sample = 1; sample <= SAMPLES; sample++) {
    await deliverer.call('drainTo', Math.round(queue * (1 - sample / SAMPLES)));
    held.push(await deliverer.call('memoryMb'));
  }
  console.log(`memory in MB while ${queue} are delivered: ${held.map((mb) => mb.toFixed(0)).join(' ')}`);
  // The first fifth makes the heaps of all threads as large as they will be; from there on nothing may depend on the queue.
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
  await stage.strike();
}
