import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, globSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithUs } from './cleanup.ts';

const INSTALL_LOCK = join(tmpdir(), 'parley-test-install.lock');

/** Runs a program to its end; its output is shown only when it fails. */
export async function runToEnd(program: string, args: string[], options: SpawnOptions = {}): Promise<void> {
  const child = endWithUs(spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }), 'SIGTERM');
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output}`);
}

/** Sends the signal, and kills the process when it does not stop. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  const lastResort = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await closed;
  clearTimeout(lastResort);
}

/** The first program of this name in the folders (patterns allowed) or on the PATH. */
export function findProgram(name: string, folders: string[] = []): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...folders.flatMap((folder) => globSync(folder).sort().reverse()), ...onPath]
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a program, or installs its Debian package where this machine allows it, or fails with one line of instructions. */
export async function findOrInstall(
  name: string,
  debianPackage: string,
  folders: string[] = [],
): Promise<string> {
  const found = findProgram(name, folders);
  if (found) return found;
  if (process.getuid?.() === 0 && findProgram('apt-get')) {
    console.log(`Installing ${debianPackage} …`);
    await install(debianPackage);
  }
  const installed = findProgram(name, folders);
  if (!installed) throw new Error(`The tests need ${name}: install the package ${debianPackage}.`);
  return installed;
}

/** One at a time on this machine: suites run in parallel, and apt-get fails while another one runs. */
async function install(debianPackage: string): Promise<void> {
  const order = `apt-get update -q && apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 ${debianPackage}`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runToEnd('flock', [INSTALL_LOCK, 'sh', '-c', order], { env });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('No free port was found.');
  return address.port;
}

/** Whether the port accepts connections. */
export function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const answer = (accepted: boolean) => (): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', answer(true));
    socket.once('error', answer(false));
  });
}

/** Polls until the server answers; fails when its process ends, or after half a minute. */
export async function waitUntilReady(
  name: string,
  child: ChildProcess,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const attempts = 300;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode} while it was starting.`);
    if (await isReady()) return;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${name} did not get ready in 30 seconds.`);
}
