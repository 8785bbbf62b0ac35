import { type Config, describeConfig, loadConfig, readEnvironment } from '../../config/config.ts';
import type { Input } from '../command.ts';
import type { DOCTOR } from '../specs.ts';
import { asTable } from '../terminal.ts';
import type { Check } from './check.ts';
import { bus, databaseIn, diskSpace, folder, masterKeyIn, openForDoctor } from './keeping.ts';
import { clientVersionIn, clockAgainst, mail, network, publicAddress } from './reach.ts';

/** Prints the configuration as it will be used, then tries each thing that the gateway depends on. */
export async function doctor({ terminal }: Input<typeof DOCTOR>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const settings = describeConfig(config);
  const width = Math.max(...settings.map(({ name }) => name.length));
  terminal.say('Configuration');
  for (const { name, value } of settings) terminal.say(`  ${name.padEnd(width)}  ${value}`);

  const opened = openForDoctor(config);
  const checks = await Promise.all(checksWith(opened).map((check) => examine(check, config)));
  await opened.close();
  terminal.say('');
  terminal.show({ settings, checks }, () =>
    asTable(
      ['CHECK', 'RESULT', 'FOUND'],
      checks.map(({ name, ok, found, error }) => [name, ok ? 'ok' : 'FAIL', found ?? error]),
    ),
  );
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** In the order in which they are shown. Whatever the gateway learns to depend on gets a line here. */
function checksWith(opened: ReturnType<typeof openForDoctor>): readonly Check[] {
  return [
    folder,
    diskSpace,
    clockAgainst(opened),
    masterKeyIn(opened),
    databaseIn(opened),
    bus,
    mail,
    network,
    clientVersionIn(opened),
    publicAddress,
  ];
}

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly found?: string;
  readonly error?: string;
}

async function examine({ name, run }: Check, config: Config): Promise<Finding> {
  try {
    return { name, ok: true, found: await run(config) };
  } catch (failure) {
    return { name, ok: false, error: failure instanceof Error ? failure.message : String(failure) };
  }
}
