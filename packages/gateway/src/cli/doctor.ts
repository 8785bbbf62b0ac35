import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { createLog } from '#ops';
import { migrations, openStore, type Store } from '#store';
import { type Config, describeConfig, loadConfig, readEnvironment } from '../config.ts';
import { assertMasterKey, obtainMasterKey } from '../master-key.ts';
import { openBus } from '../open-bus.ts';
import type { Input } from './command.ts';
import type { DOCTOR } from './specs.ts';
import type { Terminal } from './terminal.ts';

/** Whoever asks a doctor has some seconds. */
const CHECKED_UP_TO_BYTES = 4 * 1024 ** 3;

/** Prints the configuration as it will be used, then tries each thing that the gateway depends on. */
export async function doctor({ terminal }: Input<typeof DOCTOR>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const settings = describeConfig(config);
  const width = Math.max(...settings.map(({ name }) => name.length));
  terminal.say('Configuration');
  for (const { name, value } of settings) terminal.say(`  ${name.padEnd(width)}  ${value}`);

  terminal.say('\nChecks');
  const opening = openStore({
    url: config.databaseUrl,
    commandModules: [],
    migrations,
    checkedUpToBytes: CHECKED_UP_TO_BYTES,
    clock: createSystemClock(),
  });
  const parts: Part[] = [
    ['master key', () => checkMasterKey(config, opening)],
    ['store', async () => (await opening).check()],
    ['bus', () => checkBus(config)],
  ];
  const checks = await Promise.all(parts.map((part) => examine(part, terminal)));
  await opening.then(
    (store) => store.close(),
    () => undefined,
  );
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

/** A store that cannot be opened is told of by its own check. */
async function checkMasterKey(config: Config, opening: Promise<Store>): Promise<void> {
  const masterKeys = [obtainMasterKey(config, systemRandom)] as const;
  const store = await opening.catch(() => undefined);
  if (store) await assertMasterKey(store, createSealedBox({ masterKeys, random: systemRandom }));
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
