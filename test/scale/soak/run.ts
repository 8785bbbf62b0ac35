/**
 * A busy day: numbers talk with a friend and in a group, both ways, again and again, while the clock of the network and of the
 * gateway is moved in between, until the given hours have passed by it and the given minutes by the machine's. Then all messages
 * must have arrived with one event each; memory, descriptors, threads and timers must be flat; and after the retention time the
 * tables must be as small as before, except those that are permanent.
 *
 * npm test -- soak [--hours 24] [--minutes 30] [--numbers 4]
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type HostedSession, MESSAGE_METADATA_RETENTION_DAYS } from '@parley/contract';
import { createSystemClock } from '@parley/gateway/kernel';
import { until } from '../../chaos/linked-number.ts';
import { startEventRecorder } from '../../chaos/traffic/event-recorder.ts';
import { add, examine, isClean, NOTHING_FOUND, summarize } from '../../chaos/traffic/examine.ts';
import { linkBusyNumber } from '../../chaos/traffic/number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../../conformance/gateway-access.ts';
import { launch } from '../../conformance/launch.ts';
import { makeTemporaryFolder } from '../../services/cleanup.ts';
import { stopProcess } from '../../services/processes.ts';
import { countRows, GAUGES, type Gauges, readGauges } from './gauges.ts';
import { growth } from './slope.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '24' },
    minutes: { type: 'string', default: '30' },
    numbers: { type: 'string', default: '4' },
  },
});
const HOUR_MS = 3_600_000;
const dayMs = Number(values.hours) * HOUR_MS;
const runMs = Number(values.minutes) * 60_000;
const TALK_MS = 500;
const REST_MS = 1_500;
/** Before that a process still warms up: its memory is no evidence, and open connections weigh much. */
const IS_SHORT = runMs < 10 * 60_000;
const MOST_GROWTH = IS_SHORT ? 0.2 : 0.1;
/** A short run ends with few timers, of which two more or fewer are chance; a leak per message is dozens. */
const TIMERS_BY_CHANCE = 2;
const HOP_DAYS = 7;
const LONGEST_TIDYING_S = 300;
/** Rows of a number and its contacts while it is linked, and the history until its owner deletes it. */
const KEPT = new Set([
  'account_limits',
  'history_chats',
  'history_imports',
  'history_marks',
  'history_messages',
  'known_people',
  'network_records',
  'send_limits',
  // Rows of the last month.
  'sent_days',
  'throughput',
]);

const clock = createSystemClock();
const folder = makeTemporaryFolder('parley-soak-');
const common = { PARLEY_PORT: '0', PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_LOG_LEVEL: 'error' };
const recorder = await startEventRecorder();
const sandbox = await launch('sandbox', { ...common, PARLEY_DATA_DIR: join(folder.path, 'network') });
const dataDir = join(folder.path, 'gateway');
const { child, url } = await launch('start', {
  ...common,
  PARLEY_DATA_DIR: dataDir,
  PARLEY_SANDBOX_URL: sandbox.url,
});
const gateway = gatewayAt([url]);
const network = gatewayAt([sandbox.url]);

async function passTime(ms: number): Promise<void> {
  await network.sandbox('POST', '/clock', { advance_seconds: ms / 1_000 });
  await until(
    'all numbers',
    () => gateway.operator<{ sessions: HostedSession[] }>('GET', '/sessions'),
    ({ sessions }) => sessions.every(({ status }) => status === 'connected'),
  );
}

/** Numbers talk and rest in turns, and the clock moves in between, evenly over the run. */
async function liveThroughTheDay(fleet: readonly { keepTalking(stop: AbortSignal): Promise<void> }[]) {
  const samples: Gauges[] = [];
  const begunAt = clock.monotonic();
  for (let passedMs = 0; passedMs < dayMs; ) {
    await Promise.all(fleet.map((number) => number.keepTalking(AbortSignal.timeout(TALK_MS))));
    await sleep(REST_MS);
    const share = Math.min((clock.monotonic() - begunAt) / runMs, 1);
    await passTime(share * dayMs - passedMs);
    passedMs = share * dayMs;
    samples.push(await readGauges(child.pid ?? 0, url));
    if (samples.length % 50 === 0)
      console.log(`${(passedMs / HOUR_MS).toFixed(1)} h: ${shown(samples.at(-1))}`);
  }
  return samples;
}

const shown = (gauges: Gauges | undefined): string =>
  GAUGES.map((name) => `${name} ${gauges?.[name].toFixed(0)}`).join(', ');

function judge(samples: readonly Gauges[]): boolean {
  const isFlat = GAUGES.map((name) => {
    const grown = growth(samples.map((sample) => sample[name]));
    console.log(
      `${name}: ${samples.at(-1)?.[name].toFixed(0)}, ${(grown * 100).toFixed(1)} % in the second half`,
    );
    if (grown <= MOST_GROWTH || !IS_SHORT) return grown <= MOST_GROWTH;
    const more = (samples.at(-1)?.[name] ?? 0) - (samples[0]?.[name] ?? 0);
    return name === 'memoryMb' || (name === 'timers' && more <= TIMERS_BY_CHANCE);
  });
  return isFlat.every(Boolean);
}

/** Tables that are larger than before although the retention time has passed. */
async function leftOvers(before: ReadonlyMap<string, number>): Promise<string[]> {
  for (let days = 0; days <= MESSAGE_METADATA_RETENTION_DAYS; days += HOP_DAYS)
    await passTime(HOP_DAYS * 24 * HOUR_MS);
  const grown = (): [string, number][] =>
    [...countRows(dataDir)].filter(([name, rows]) => rows > (before.get(name) ?? 0) && !KEPT.has(name));
  // The clean-up runs every hour, and takes a while.
  for (let hours = 0; hours < LONGEST_TIDYING_S && grown().length > 0; hours++) {
    await passTime(HOUR_MS);
    await sleep(1_000);
  }
  return grown().map(([name, rows]) => `${name} ${before.get(name)} → ${rows}`);
}

try {
  const urls = { status_url: recorder.url, messages_url: recorder.url, events_url: recorder.url };
  const wanted = Array.from({ length: Number(values.numbers) });
  const fleet = await Promise.all(wanted.map(() => linkBusyNumber(gateway, network, urls)));
  const before = countRows(dataDir);
  const samples = await liveThroughTheDay(fleet);
  const found = (await Promise.all(fleet.map((number) => examine(network, number, recorder)))).reduce(
    add,
    NOTHING_FOUND,
  );
  console.log(summarize(`${values.hours} h in ${values.minutes} min`, found));
  const isFlat = judge(samples);
  const total = [...countRows(dataDir).values()].reduce((sum, rows) => sum + rows, 0);
  const left = await leftOvers(before);
  console.log(
    `${total} rows at the end of the day; after their time ${left.length} tables are bigger than before`,
  );
  for (const table of left) console.log(table);
  process.exitCode = isClean(found) && isFlat && left.length === 0 ? 0 : 1;
} finally {
  await stopProcess(child, 'SIGTERM');
  await stopProcess(sandbox.child, 'SIGTERM');
  recorder.close();
  folder.remove();
}
