import { createSystemClock, systemRandom } from '#kernel';
import { createLog } from '#ops';
import { migrations, openStore } from '#store';
import { type Config, describeConfig, loadConfig, readEnvironment } from '../config.ts';
import { obtainMasterKey } from '../master-key.ts';
import { openBus } from '../open-bus.ts';
import type { Input } from './command.ts';
import type { DOCTOR } from './specs.ts';
import type { Terminal } from './terminal.ts';

/** Prints the configuration as it will be used, then tries each thing that the gateway depends on. */
export async function doctor({ terminal }: Input<typeof DOCTOR>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const settings = describeConfig(config);
  const width = Math.max(...settings.map(({ name }) => name.length));
  terminal.say('Configuration');
  for (const { name, value } of settings) terminal.say(`  ${name.padEnd(width)}  ${value}`);

  terminal.say('\nChecks');
  const parts: Part[] = [
    ['master key', async () => void obtainMasterKey(config, systemRandom)],
    ['store', () => checkStore(config.databaseUrl)],
    ['bus', () => checkBus(config)],
  ];
  const checks = await Promise.all(parts.map((part) => examine(part, terminal)));
  if (terminal.json) terminal.show({ settings, checks }, () => '');
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

type Part = readonly [name: string, check: () => Promise<void>];

async function examine(
  [name, check]: Part,
  terminal: Terminal,
): Promise<{ name: string; ok: boolean; error?: string }> {
  try {
    await check();
    terminal.say(`  ok    ${name}`);
    return { name, ok: true };
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure);
    terminal.say(`  FAIL  ${name}: ${error}`);
    return { name, ok: false, error };
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
