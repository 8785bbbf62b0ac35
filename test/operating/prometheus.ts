import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithUs, makeTemporaryFolder } from '../services/cleanup.ts';
import { accepts, findOrInstall, freePort, stopProcess, waitUntilReady } from '../services/processes.ts';

export interface Prometheus {
  /** The current value of an expression; 0 without a result. */
  query(expression: string): Promise<number>;
  stop(): Promise<void>;
}

/** Runs Prometheus with the document's configuration, except the places of the token and of the gateways. */
export async function startPrometheus(
  printed: string,
  { ports, token }: { ports: readonly number[]; token: string },
): Promise<Prometheus> {
  const program = await findOrInstall('prometheus', 'prometheus');
  const folder = makeTemporaryFolder('parley-prometheus-');
  const tokenFile = join(folder.path, 'parley.token');
  writeFileSync(tokenFile, token);
  const scrapes = printed
    .replace('/etc/prometheus/parley.token', tokenFile)
    .replace('"127.0.0.1:8080"', ports.map((port) => `"127.0.0.1:${port}"`).join(', '));
  const file = join(folder.path, 'prometheus.yml');
  writeFileSync(file, `global: { scrape_interval: 1s }\n${scrapes}`);
  const port = await freePort();
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder.path, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const server = endWithUs(spawn(program, args, { stdio: 'ignore' }));
  await waitUntilReady('Prometheus', server, () => accepts(port));
  return {
    async query(expression) {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
      const { data } = (await (await fetch(url)).json()) as {
        data: { result: { value: [number, string] }[] };
      };
      return Number(data.result[0]?.value[1] ?? 0);
    },
    async stop() {
      await stopProcess(server, 'SIGTERM');
      folder.remove();
    },
  };
}
