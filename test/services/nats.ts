import { spawn } from 'node:child_process';
import { endWithUs } from './cleanup.ts';
import { accepts, findOrInstall, freePort, stopProcess, waitUntilReady } from './processes.ts';
import type { Service } from './service.ts';

/** The server named in the environment, or one of our own on a free port, without files. */
export async function startNats(): Promise<Service> {
  const given = process.env.PARLEY_TEST_NATS_URL;
  if (given) return { url: given, stop: async () => {} };

  return startOwnNats();
}

/** A server for one test, with arguments of its own. */
export async function startOwnNats(...args: string[]): Promise<Service> {
  const program = await findOrInstall('nats-server', 'nats-server', ['/usr/sbin', '/usr/local/bin']);
  const port = await freePort();
  const address = ['--addr', '127.0.0.1', '--port', `${port}`];
  const server = endWithUs(spawn(program, [...address, ...args], { stdio: 'ignore' }));
  await waitUntilReady('NATS', server, () => accepts(port));
  return { url: `nats://127.0.0.1:${port}`, stop: () => stopProcess(server, 'SIGTERM') };
}
