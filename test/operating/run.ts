/**
 * Follows `docs/operating.md` in one story: two processes of the last schema behind nginx with TLS, on PostgreSQL and NATS, with
 * mail and Prometheus; upgraded under load, killed, backed up, restored elsewhere, and given a new master key.
 *
 * npm test -- operating
 */
import { startNats } from '../services/nats.ts';
import { startPostgres } from '../services/postgres.ts';
import { endWithVitest } from '../services/scripts.ts';

const servers = await Promise.all([startPostgres(), startNats()]);
const [postgres, nats] = servers;
Object.assign(process.env, { PARLEY_TEST_POSTGRES_URL: postgres.url, PARLEY_TEST_NATS_URL: nats.url });
try {
  await endWithVitest('vitest.operating.config.ts');
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
