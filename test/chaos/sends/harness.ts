import { createPostgresDatabase } from '../../../packages/gateway/src/platform/store/testing/index.ts';
import { type Gateway, type OwnGateway, startGateway } from '../../conformance/gateway.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../../conformance/gateway-access.ts';
import { launch } from '../../conformance/launch.ts';
import { makeTemporaryFolder } from '../../services/cleanup.ts';
import { startPostgres } from '../../services/postgres.ts';
import { stopProcess } from '../../services/processes.ts';

/** A gateway that may be killed, and a network that stays up. */
export interface TestHarness {
  readonly gateway: OwnGateway;
  readonly network: Gateway;
  stop(): Promise<void>;
}

/** `threads`: number of hosting threads; these are ended without warning too, unless `environment` says otherwise. */
export async function startHarness(
  database: string,
  threads: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestHarness> {
  await using started = new AsyncDisposableStack();
  const folder = makeTemporaryFolder('parley-network-');
  started.defer(() => folder.remove());
  const sandbox = await launch('sandbox', {
    PARLEY_DATA_DIR: folder.path,
    PARLEY_PORT: '0',
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PARLEY_LOG_LEVEL: process.env.PARLEY_LOG_LEVEL ?? 'warn',
  });
  started.defer(() => stopProcess(sandbox.child, 'SIGTERM').then(() => {}));
  const gateway = await startGateway({
    PARLEY_SANDBOX_URL: sandbox.url,
    PARLEY_HOST_THREADS: threads,
    ...(threads !== '0' && { NODE_OPTIONS: `--import ${new URL('./end-threads.ts', import.meta.url)}` }),
    ...(database === 'postgres' && { PARLEY_DATABASE_URL: await emptyDatabase(started) }),
    ...environment,
  });
  started.defer(() => gateway.stop());
  const everything = started.move();
  return { gateway, network: gatewayAt([sandbox.url]), stop: () => everything.disposeAsync() };
}

async function emptyDatabase(started: AsyncDisposableStack): Promise<string> {
  const server = await startPostgres();
  started.defer(() => server.stop());
  const database = await createPostgresDatabase(server.url);
  started.defer(() => database.drop());
  return database.url;
}
