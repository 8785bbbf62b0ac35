import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { findKeptVersion } from '#network/whatsapp';
import { createLog } from '#ops';
import { migrations, openStore, type Store } from '#store';
import { type Config, describeConfig, loadConfig, readEnvironment } from '../config.ts';
import { assertMasterKey, obtainMasterKeys } from '../master-key.ts';
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
    ['client version', () => tellClientVersion(config, opening)],
  ];
  const checks = await Promise.all(parts.map((part) => examine(part, terminal)));
  await opening.then(
    (store) => store.close(),
    () => undefined,
  );
  if (terminal.json) terminal.show({ settings, checks }, () => '');
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** A check may answer with a text: what it has found. */
type Part = readonly [name: string, check: () => Promise<unknown>];

async function examine(
  [name, check]: Part,
  terminal: Terminal,
): Promise<{ name: string; ok: boolean; found?: string; error?: string }> {
  try {
    const found = await check();
    if (typeof found !== 'string') {
      terminal.say(`  ok    ${name}`);
      return { name, ok: true };
    }
    terminal.say(`  ok    ${name}: ${found}`);
    return { name, ok: true, found };
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure);
    terminal.say(`  FAIL  ${name}: ${error}`);
    return { name, ok: false, error };
  }
}

/** A store that cannot be opened is told of by its own check. */
async function checkMasterKey(config: Config, opening: Promise<Store>): Promise<void> {
  const masterKeys = obtainMasterKeys(config, systemRandom);
  const store = await opening.catch(() => undefined);
  if (store) await assertMasterKey(store, createSealedBox({ masterKeys, random: systemRandom }));
}

/** As which web client the gateway appears to the network, and how old that knowledge is. */
async function tellClientVersion(
  { whatsappVersion }: Config,
  opening: Promise<Store>,
): Promise<string | undefined> {
  if (whatsappVersion !== 'auto') {
    return whatsappVersion === 'built-in'
      ? 'the built-in one'
      : `${whatsappVersion.join('.')}, as it was set`;
  }
  const store = await opening.catch(() => undefined);
  const kept = store && (await findKeptVersion(store));
  if (!kept) return 'the built-in one; none was learned yet';
  const hours = Math.floor((createSystemClock().now() - kept.learnedAt) / 3_600_000);
  return `${kept.version}, learned ${hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} ago`;
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
