/**
 * Three gateway processes share PostgreSQL and NATS while one thing after the other goes wrong under load: a member is killed, stands still,
 * or is stopped; the line of one or all of them to the database or the bus breaks or falls silent for twenty seconds. In the end every
 * accepted message must be on its phone exactly once, in order, every event must have been told, and nobody may have written on behalf of
 * a session that another process was the host of.
 *
 *     node test/chaos/cluster/run.ts [--rounds 24] [--seed N]
 */
import { parseArgs } from 'node:util';
import { createSeededRandom, createSystemClock, systemRandom } from '@parley/gateway/kernel';
import { startCluster } from '../../cluster/cluster.ts';
import { startNats } from '../../services/nats.ts';
import { startPostgres } from '../../services/postgres.ts';
import { newPhone, until } from '../linked-number.ts';
import { add, examine, NOTHING_FOUND } from '../sends/examine.ts';
import { type BusyNumber, linkBusyNumber } from '../sends/number.ts';
import { startWitness } from '../sends/witness.ts';
import { FAULTS } from './faults.ts';
import { signed, watchFences } from './fences.ts';
import { createWriter, type Writer } from './letters.ts';
import { createLines } from './lines.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '24' },
    seed: { type: 'string', default: `${systemRandom.below(2 ** 31)}` },
  },
});
const rounds = Number(values.rounds);
const chance = createSeededRandom(Number(values.seed));
const clock = createSystemClock();
const MEMBERS = 3;
const NUMBERS = 6;
/** A hundred messages without a gap pause a number for five minutes, so it is replaced before it gets there. */
const ROUNDS_PER_FLEET = 3;

const servers = await Promise.all([startPostgres(), startNats()]);
const [postgres, nats] = servers;
process.env.PARLEY_TEST_POSTGRES_URL = postgres.url;
process.env.PARLEY_TEST_NATS_URL = nats.url;

console.log(`seed ${values.seed}`);
const witness = await startWitness();
const lines = createLines();
const cluster = await startCluster({
  size: MEMBERS,
  environment: { PARLEY_LOG_LEVEL: 'fatal' },
  way: async (server, url, member) => {
    const way = await lines.way(server, url, member);
    return server === 'database' ? signed(way, member) : way;
  },
});
const fences = await watchFences(cluster.databaseUrl);
// Those that were there before the watch have no name that it knows.
await cluster.restart();

interface Fleet {
  readonly numbers: readonly BusyNumber[];
  readonly writers: readonly Writer[];
}

/** A member that dies with an attempt under way costs it half a minute, another one five. */
const THIRD_ATTEMPT_MS = 7 * 60_000;

async function gather(): Promise<Fleet> {
  const urls = { status_url: witness.url, messages_url: witness.url };
  const numbers = await Promise.all(Array.from({ length: NUMBERS }, () => linkBusyNumber(cluster, urls)));
  const writers = await Promise.all(
    numbers.map(async ({ phone }) => createWriter(cluster.sandboxUrl, await newPhone(cluster), phone)),
  );
  return { numbers, writers };
}

/** Letters of which nobody was told, not even by the third attempt. */
async function unheard({ writers }: Fleet): Promise<string[]> {
  const left = (): string[] =>
    writers.flatMap(({ written }) => written.filter((id) => !witness.hasHeardOf(id)));
  await until('the last letter', left, ({ length }) => length === 0, THIRD_ATTEMPT_MS).catch(() => {});
  return left();
}

let sends = NOTHING_FOUND;
let letters = 0;
let eventsLost = 0;
try {
  for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
    const fleet = await gather();
    for (let round = done; round < Math.min(done + ROUNDS_PER_FLEET, rounds); round++) {
      const fault = FAULTS[round % FAULTS.length];
      const stop = new AbortController();
      const load = [
        ...fleet.numbers.map((number) => number.keepSending(stop.signal)),
        ...fleet.writers.map((writer) => writer.keepWriting(stop.signal)),
      ];
      const begun = clock.monotonic();
      await fault?.happen({ cluster, lines }, chance.below(MEMBERS));
      console.log(`round ${round + 1}: ${fault?.name}, ${Math.round((clock.monotonic() - begun) / 1_000)} s`);
      stop.abort();
      await Promise.all(load);
    }
    eventsLost += (await unheard(fleet)).length;
    letters += fleet.writers.reduce((sum, { written }) => sum + written.length, 0);
    for (const number of fleet.numbers) sends = add(sends, await examine(cluster, number, witness));
  }
  const { writes, stale, hosts } = await fences.verdict();
  const { accepted, ...faults } = sends;
  console.log(
    `${rounds} rounds: ${accepted} messages accepted, ${faults.lost} lost, ${faults.doubled} doubled, ` +
      `${faults.disordered} out of order, ${faults.untold} without a status event, ${faults.toldTwice} with two`,
  );
  console.log(`${letters} letters received, ${eventsLost} events lost`);
  console.log(`${writes} writes by ${hosts} hosts one after the other, ${stale} of them with a stale fence`);
  const isClean = [...Object.values(faults), eventsLost, stale].every((count) => count === 0);
  process.exitCode = isClean && accepted > 0 && letters > 0 && writes > 0 ? 0 : 1;
} finally {
  await fences.close();
  await cluster.stop();
  lines.stop();
  witness.close();
  await Promise.all(servers.map((server) => server.stop()));
}
