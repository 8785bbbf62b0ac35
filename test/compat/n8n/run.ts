import { buildGateway } from '../../../tools/build/gateway.ts';
import { N8N_URL_VARIABLE } from '../../conformance/evolution/n8n-package.ts';
import { startPostgres } from '../../services/postgres.ts';
import { endWithVitest } from '../../services/scripts.ts';
import { startN8n } from './start.ts';

/**
 * Runs the tests of the Evolution API surface with every operation made by a flow inside a real n8n: its credentials, its
 * resolution of parameters, its requests. And flows that need a whole n8n: the test of a credential, a chat that is answered by a
 * webhook.
 */
await buildGateway();
const postgres = await startPostgres();
const n8n = await startN8n(postgres.url);
try {
  process.env[N8N_URL_VARIABLE] = n8n.url;
  await endWithVitest('vitest.conformance.config.ts', 'test/conformance/evolution', ...process.argv.slice(2));
} finally {
  await n8n.stop();
  await postgres.stop();
}
