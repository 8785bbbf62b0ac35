/**
 * The black-box suite against a cluster: three gateway processes on one PostgreSQL and one NATS, and a sandbox apart. Each
 * request goes to a random one of the three, and a test that needs a gateway of its own gets a cluster of two.
 *
 * npm test -- cluster -- [part of a test file's name …]
 */
import { startNats } from '../services/nats.ts';
import { startPostgres } from '../services/postgres.ts';
import { endWithVitest } from '../services/scripts.ts';

const servers = await Promise.all([startPostgres(), startNats()]);
const [postgres, nats] = servers;
Object.assign(process.env, {
  PARLEY_TEST_CLUSTER: '1',
  PARLEY_TEST_POSTGRES_URL: postgres.url,
  PARLEY_TEST_NATS_URL: nats.url,
});
try {
  await endWithVitest('vitest.cluster.config.ts', ...process.argv.slice(2));
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
