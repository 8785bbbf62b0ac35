/**
 * Three gateway processes share PostgreSQL and NATS while numbers exchange messages in chats and groups, and faults follow each
 * other: a member is killed, frozen or stopped; the connection of one or all of them to the database or the bus breaks or falls
 * silent for twenty seconds. In the end every accepted message must be on its phone exactly once, in order, every event must have
 * been delivered, and no process may have written for a session that another one hosted.
 *
 * npm test -- cluster-chaos [--rounds 24] [--seed N]
 */
import { parseArgs } from 'node:util';
import { createSeededRandom, createSystemClock, systemRandom } from '@parley/gateway/kernel';
import { createPostgresDatabase } from '../../../packages/gateway/src/platform/store/testing/index.ts';
import { startCluster } from '../../cluster/cluster.ts';
import { gatewayAt } from '../../conformance/gateway.ts';
import { runParley } from '../../process/parley.ts';
import { makeTemporaryFolder } from '../../services/cleanup.ts';
import { startNats } from '../../services/nats.ts';
import { startPostgres } from '../../services/postgres.ts';
import { startEventRecorder } from '../traffic/event-recorder.ts';
import { add, examine, isClean, NOTHING_FOUND, summarize } from '../traffic/examine.ts';
import { linkBusyNumber } from '../traffic/number.ts';
import { FAULTS } from './faults.ts';
import { signed, watchFences } from './fences.ts';
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
/** A hundred messages without a gap pause a number for five minutes, so it is replaced before that. */
const ROUNDS_PER_FLEET = 3;

const servers = await Promise.all([startPostgres(), startNats()]);
const [postgres, nats] = servers;
process.env.PARLEY_TEST_POSTGRES_URL = postgres.url;
process.env.PARLEY_TEST_NATS_URL = nats.url;

console.log(`seed ${values.seed}`);
const recorder = await startEventRecorder();
const lines = createLines();
// The tables are created before the first member, because the watch needs all their names.
const database = await createPostgresDatabase(postgres.url);
const aside = makeTemporaryFolder('parley-migrate-');
const migrated = await runParley({
  dataDir: aside.path,
  args: ['migrate'],
  env: { PARLEY_DATABASE_URL: database.url },
});
aside.remove();
if (migrated.code !== 0) throw new Error(migrated.stderr);
const fences = await watchFences(database.url);
const cluster = await startCluster({
  size: MEMBERS,
  database,
  environment: { PARLEY_LOG_LEVEL: 'fatal' },
  way: async (server, url, member) => {
    const way = await lines.way(server, url, member);
    return server === 'database' ? signed(way, member) : way;
  },
});
/** The sandbox itself, which stays up during all faults. */
const network = gatewayAt([cluster.sandboxUrl]);
const urls = { status_url: recorder.url, messages_url: recorder.url, events_url: recorder.url };

let total = NOTHING_FOUND;
try {
  for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
    const fleet = await Promise.all(
      Array.from({ length: NUMBERS }, () => linkBusyNumber(cluster, network, urls)),
    );
    for (let round = done; round < Math.min(done + ROUNDS_PER_FLEET, rounds); round++) {
      const fault = FAULTS[round % FAULTS.length];
      const stop = new AbortController();
      const talking = fleet.map((number) => number.keepTalking(stop.signal));
      const begun = clock.monotonic();
      await fault?.happen({ cluster, lines }, chance.below(MEMBERS));
      console.log(`round ${round + 1}: ${fault?.name}, ${Math.round((clock.monotonic() - begun) / 1_000)} s`);
      stop.abort();
      await Promise.all(talking);
    }
    const found = await Promise.all(fleet.map((number) => examine(network, number, recorder)));
    total = found.reduce(add, total);
  }
  const { writes, stale, hosts } = await fences.verdict();
  console.log(summarize(`${rounds} rounds`, total));
  console.log(`${writes} writes by ${hosts} hosts one after the other, ${stale} of them with a stale fence`);
  process.exitCode = isClean(total) && stale === 0 && writes > 0 ? 0 : 1;
} finally {
  await fences.close();
  await cluster.stop();
  lines.stop();
  recorder.close();
  await Promise.all(servers.map((server) => server.stop()));
}
