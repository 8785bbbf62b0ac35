import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '../services/cleanup.ts';

const START_WITHIN_MS = 60_000;
const BANNER = /(http:\/\/127\.0\.0\.1:\d+)\/(?:sandbox\/)?v1/;
/** In production, which shows no banner. */
const READY = /"url":"(http:\/\/127\.0\.0\.1:\d+)".*"msg":"ready"/;
const PROGRAM = fileURLToPath(new URL('../../packages/gateway/bin/parley.cjs', import.meta.url));

export interface Launched {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Starts a Parley process and waits until it logs its address. */
export async function launch(
  command: 'start' | 'sandbox',
  settings: Record<string, string>,
  onLine: (logLine: string) => void = console.log,
): Promise<Launched> {
  // The line with its address is of this level.
  const isInProduction = settings.PARLEY_MODE === 'production';
  const child = endWithUs(
    spawn(process.execPath, [PROGRAM, command], {
      // Its demo would take as long as its start.
      env: {
        ...process.env,
        PARLEY_DEMO: 'off',
        ...settings,
        ...(isInProduction && { PARLEY_LOG_LEVEL: 'info' }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const tooLate = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
  try {
    return { child, url: await Promise.race([announcedAddress(child, onLine), endBeforeStart(child)]) };
  } finally {
    clearTimeout(tooLate);
  }
}

/** Reads the address from the log; further lines go to `onLine`. */
async function announcedAddress(child: ChildProcess, onLine: (line: string) => void): Promise<string> {
  if (!child.stdout) throw new Error('the output of the process is not piped');
  const lines = createInterface({ input: child.stdout });
  const found = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    const [, address] = BANNER.exec(line) ?? READY.exec(line) ?? [];
    if (address) found.resolve(address);
    if (line.startsWith('{')) onLine(line);
  });
  return found.promise;
}

async function endBeforeStart(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the process ended with ${code} instead of starting`);
}
