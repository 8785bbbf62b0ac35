import { createSystemClock, systemRandom } from '#kernel';
import { createLog } from '#ops';
import { migrations, openStore } from '#store';
import { type Config, describeConfig, loadConfig, readEnvironment } from '../config.ts';
import { obtainMasterKey } from '../master-key.ts';
import { openBus } from '../open-bus.ts';

/** Prints the configuration as it will be used, then tries each thing that the gateway depends on. */
export async function doctor(): Promise<void> {
  const config = loadConfig(readEnvironment());
  const settings = describeConfig(config);
  const width = Math.max(...settings.map(({ name }) => name.length));
  print('Configuration');
  for (const { name, value } of settings) print(`  ${name.padEnd(width)}  ${value}`);

  print('\nChecks');
  const checks: Check[] = [
    ['master key', async () => void obtainMasterKey(config, systemRandom)],
    ['store', () => checkStore(config.databaseUrl)],
    ['bus', () => checkBus(config)],
  ];
  const healthy = await Promise.all(checks.map(examine));
  if (healthy.includes(false)) process.exitCode = 1;
}

type Check = readonly [name: string, check: () => Promise<void>];

async function examine([name, check]: Check): Promise<boolean> {
  try {
    await check();
    print(`  ok    ${name}`);
    return true;
  } catch (error) {
    print(`  FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function checkStore(url: string): Promise<void> {
  const store = await openStore({ url, commandModules: [], migrations, clock: createSystemClock() });
  try {
    await store.check();
  } finally {
    await store.close();
  }
}

async function checkBus(config: Config): Promise<void> {
  const log = createLog('silent');
  const bus = await openBus(config, { clock: createSystemClock(), random: systemRandom, log });
  try {
    await bus.check();
  } finally {
    await bus.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
