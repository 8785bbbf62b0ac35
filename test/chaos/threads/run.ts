/**
 * Breaks the threads of a running gateway, each kind of them in each way, while four numbers talk: a thread hangs, exceeds its
 * memory, ends, or fails with an uncaught error. The process must live on and soon have a new thread of that kind, and in the end
 * everything that was accepted must have happened exactly once, as after a kill (`npm test -- sends`).
 *
 * npm test -- threads [--database sqlite|postgres] [--only host-1:hang,store] [--rounds 1]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSystemClock } from '@parley/gateway/kernel';
import { freePort } from '../../services/processes.ts';
import { until } from '../linked-number.ts';
import { startHarness } from '../sends/harness.ts';
import { startEventRecorder } from '../traffic/event-recorder.ts';
import { add, examine, isClean, NOTHING_FOUND, summarize } from '../traffic/examine.ts';
import { linkBusyNumber } from '../traffic/number.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '1' },
  },
});

const clock = createSystemClock();
const NUMBERS = 4;
/** Milliseconds of traffic before a thread is broken, and after it is back. */
const TALK_MS = 1_000;
const HOSTS = ['host-1', 'host-2'];
const WAYS = {
  hang: 'for (;;);',
  memory: 'const all = []; for (;;) all.push(Array.from({ length: 10_000 }, (_, n) => ({ n })));',
  exit: 'process.exit(0)',
  error: "setImmediate(() => { throw new Error('a bug') })",
  rejection: "void Promise.reject(new Error('a bug'))",
};
const DATABASE = values.database === 'sqlite' ? ['store-writer', 'store-reader'] : [];
const breaks = [...HOSTS.slice(0, 1), ...DATABASE]
  .flatMap((thread) => Object.entries(WAYS).map(([way, script]) => ({ thread, way, script })))
  .filter(({ thread, way }) =>
    values.only.split(',').some((wanted) => `${thread}:${way}`.startsWith(wanted)),
  );

const port = await freePort();
const recorder = await startEventRecorder();
const harness = await startHarness(values.database, String(HOSTS.length), {
  NODE_OPTIONS: `--import ${new URL('./break-threads.ts', import.meta.url)}`,
  PARLEY_TEST_BREAK_PORT: String(port),
  PARLEY_HOST_THREAD_MB: '192',
});
const urls = { status_url: recorder.url, messages_url: recorder.url, events_url: recorder.url };
const fleet = () =>
  Promise.all(Array.from({ length: NUMBERS }, () => linkBusyNumber(harness.gateway, harness.network, urls)));

async function threadsNow(): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const answer = await fetch(`http://127.0.0.1:${port}`);
  return (await answer.json()) as { id: string; name: string }[];
}

/** A host that is back gets its share of the numbers again; below a difference of four a new login is not worth it. */
async function spread(thread: string): Promise<void> {
  if (!HOSTS.includes(thread)) return;
  const hosted = async (): Promise<number[]> => {
    const answer = await fetch(`${harness.gateway.url}/metrics`);
    const found = (await answer.text()).matchAll(/^parley_sessions_hosted\{worker="[^"]+"\} (\d+)$/gm);
    return [...found].map(([, count]) => Number(count));
  };
  await until(`the spreading of the numbers after the end of ${thread}`, hosted, (counts) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return counts.length === HOSTS.length && counts.every((count) => count > total / HOSTS.length - 4);
  });
}

let total = NOTHING_FOUND;
try {
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { thread, way, script } of breaks) {
      const numbers = await fleet();
      const stop = new AbortController();
      const talking = numbers.map((number) => number.keepTalking(stop.signal));
      await sleep(TALK_MS);
      const before = (await threadsNow()).find(({ name }) => name === thread);
      const brokenAt = clock.monotonic();
      await fetch(`http://127.0.0.1:${port}/?thread=${thread}`, { method: 'POST', body: script });
      await until(`another ${thread} after ${way}`, threadsNow, (now) =>
        now.some(({ id, name }) => name === thread && id !== before?.id),
      );
      const backMs = Math.round(clock.monotonic() - brokenAt);
      await sleep(TALK_MS);
      await spread(thread);
      stop.abort();
      await Promise.all(talking);
      const found = await Promise.all(numbers.map((number) => examine(harness.network, number, recorder)));
      total = found.reduce(add, total);
      console.log(summarize(`${thread}, ${way}: back after ${backMs} ms`, found.reduce(add, NOTHING_FOUND)));
    }
} finally {
  await harness.stop();
  recorder.close();
}
console.log(summarize(`${breaks.length} broken threads`, total));
process.exitCode = isClean(total) ? 0 : 1;
