import { startCluster } from '../cluster/cluster.ts';
import { makeTemporaryFolder } from '../services/cleanup.ts';
import { stopProcess } from '../services/processes.ts';
import { type Gateway, gatewayAt, OPERATOR_TOKEN } from './gateway-access.ts';
import { launch } from './launch.ts';

export { type Gateway, gatewayAt } from './gateway-access.ts';

/** A gateway with its own sandbox and its own data. */
export interface OwnGateway extends Gateway {
  /** Stops its processes gracefully, one after the other, and starts others on the same data. Addresses change. */
  restart(): Promise<void>;
  /** The same by kill. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** One process, or several with `PARLEY_TEST_CLUSTER`: the tests do not depend on it. */
export function startGateway(environment: Record<string, string> = {}, clusterSize = 2): Promise<OwnGateway> {
  return process.env.PARLEY_TEST_CLUSTER
    ? startCluster({ size: clusterSize, environment })
    : startAlone(environment);
}

async function startAlone(environment: Record<string, string>): Promise<OwnGateway> {
  const dataDir = makeTemporaryFolder('parley-conformance-');
  const settings = {
    PARLEY_DATA_DIR: dataDir.path,
    PARLEY_PORT: '0',
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PARLEY_LOG_LEVEL: 'warn',
    ...environment,
  };
  let { child, url } = await launch('start', settings);
  let gateway = gatewayAt([url]);

  async function startAgain(after: NodeJS.Signals): Promise<void> {
    await stopProcess(child, after);
    ({ child, url } = await launch('start', settings));
    gateway = gatewayAt([url]);
  }

  return {
    get url() {
      return gateway.url;
    },
    get urls() {
      return gateway.urls;
    },
    operator: (method, path, body) => gateway.operator(method, path, body),
    sandbox: (method, path, body) => gateway.sandbox(method, path, body),
    restart: () => startAgain('SIGTERM'),
    crash: () => startAgain('SIGKILL'),
    async stop() {
      await stopProcess(child, 'SIGTERM');
      dataDir.remove();
    },
  };
}
