import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { linkNumber } from '../../test/chaos/linked-number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../../test/conformance/gateway-access.ts';
import { launch } from '../../test/conformance/launch.ts';
import { makeTemporaryFolder } from '../../test/services/cleanup.ts';
import { runToEnd, stopProcess } from '../../test/services/processes.ts';
import { inParallel } from '../lib/in-parallel.ts';
import { totalCpuMs, usageOf, usedBetween } from '../lib/process-usage.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * Memory and processor time of an idle gateway: with one linked number, and per further one. The network is in a process of its
 * own.
 *
 * npm run bench -- idle [--numbers 20] [--seconds 30]
 */
const { values } = parseArgs({
  options: { numbers: { type: 'string', default: '20' }, seconds: { type: 'string', default: '30' } },
});
const numbers = Number(values.numbers);
const seconds = Number(values.seconds);
/** Until the memory of the start was released. */
const SETTLE_MS = 45_000;
const LINKS_AT_ONCE = 4;

const folder = makeTemporaryFolder('parley-bench-idle-');
const common = { PARLEY_PORT: '0', PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_LOG_LEVEL: 'warn' };
await runToEnd(process.execPath, [join(import.meta.dirname, '../../tools/build/run.ts')]);
const sandbox = await launch('sandbox', { ...common, PARLEY_DATA_DIR: join(folder.path, 'sandbox') });
const { child, url } = await launch('start', {
  ...common,
  PARLEY_DATA_DIR: join(folder.path, 'gateway'),
  PARLEY_SANDBOX_URL: sandbox.url,
});
const pid = child.pid ?? 0;

function residentMb(): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

try {
  const gateway = gatewayAt([url]);
  await linkNumber(gateway);
  await sleep(SETTLE_MS);
  const before = usageOf(pid);
  await sleep(seconds * 1_000);
  const cpuMs = totalCpuMs(usedBetween(before, usageOf(pid))) / seconds;
  const one = residentMb();
  verdict({ name: 'memory of an idle gateway with one number', figure: one, unit: 'MB', atMost: 130 });
  verdict({ name: 'processor time of it in a second', figure: cpuMs, unit: 'ms', atMost: 2 });
  const more = Array.from({ length: numbers }, (_, n) => n);
  await inParallel(more, LINKS_AT_ONCE, async () => void (await linkNumber(gateway)));
  await sleep(SETTLE_MS);
  const each = (residentMb() - one) / numbers;
  verdict({ name: `memory of each of ${numbers} more`, figure: each, unit: 'MB', atMost: 1 });
} finally {
  await stopProcess(child, 'SIGTERM');
  await stopProcess(sandbox.child, 'SIGTERM');
  folder.remove();
}
