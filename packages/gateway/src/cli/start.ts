import { collectGarbageWhenIdle, createSystemClock } from '#kernel';
import { createLog, endOnCrash, startQuietly } from '#platform/observe';
import { type App, createApp } from '../app/create-app.ts';
import { curlLine, type Demo, firstRun } from '../app/first-run.ts';
import { type Config, loadConfig, readEnvironment } from '../config/config.ts';
import type { Input } from './command.ts';
import { listen, signalToStop } from './serving.ts';
import type { START } from './specs.ts';

/** Runs the gateway until a signal stops it. */
export async function start({ terminal }: Input<typeof START>): Promise<void> {
  const config = loadConfig(readEnvironment());
  // Registered first: a signal during the start stops the gateway after it has started.
  const stopSignal = signalToStop();
  const log = createLog(config.logLevel);
  const showLog = startQuietly(log);
  const clock = createSystemClock();
  let running: App | undefined;
  endOnCrash({ log, clock, handOver: async () => running?.close() });
  const app = await createApp(config, { log });
  running = app;
  const thrift = collectGarbageWhenIdle({ clock, log });
  try {
    const address = await listen(app.http, config);
    app.log.info({ url: config.publicUrl ?? address, roles: [...config.roles] }, 'ready');
    // A stop does not wait for the demo, which may take long where the disk is full.
    const demo = await Promise.race([makeDemo(app, config), stopSignal.then(() => undefined)]);
    const shown = config.publicUrl ?? address;
    // In production a log that is collected has nothing but JSON; the line `ready` has the address.
    if (terminal.json || terminal.isWatched || config.mode !== 'production')
      terminal.show({ url: shown, mode: config.mode, demo }, () => welcome(shown, config, demo));
    showLog();
    await stopSignal;
  } finally {
    await thrift.stop();
    await app.close();
  }
  // Everything of ours is closed; timers that the network's library leaves behind must not hold the process for half a minute.
  process.exit();
}

/** A gateway without its demo is still a gateway. */
async function makeDemo(app: App, config: Config): Promise<Demo | undefined> {
  try {
    return await firstRun(app, config);
  } catch (error) {
    app.log.error({ err: error }, 'the demo could not be made');
    return undefined;
  }
}

/** What the gateway says when it is ready. Secrets are in it once: on the first run, in development. */
function welcome(address: string, config: Config, demo: Demo | undefined): string {
  const addresses = [
    ['Portal', `${address}/portal`],
    ['API', `${address}/v1`],
    ['Guides', `${address}/docs/guides`],
    ['Reference', `${address}/docs`],
    [
      'Operator',
      config.operatorToken === undefined
        ? 'set PARLEY_OPERATOR_TOKEN to turn it on'
        : `${address}/operator/v1`,
    ],
    ...(config.network === 'sandbox' ? [['Sandbox', `${config.sandboxUrl ?? address}/sandbox/v1`]] : []),
  ] as const;
  return [
    '',
    `  Parley is ready (${config.mode}).`,
    '',
    ...addresses.map(line),
    ...(demo ? invitation(address, demo) : []),
    '',
  ].join('\n');
}

function invitation(address: string, demo: Demo): string[] {
  return [
    '',
    '  A demo account was made, with a number that is linked to a virtual phone. This is shown only now:',
    '',
    ...(
      [
        ['Sign in', `${demo.email}  ${demo.password}`],
        ['API key', demo.apiKey],
        ['Session', demo.sessionId],
      ] as const
    ).map(line),
    '',
    '  Send a message from it to Ada, another virtual phone:',
    '',
    `  ${curlLine(address, demo)}`,
  ];
}

function line([name = '', value = '']: readonly string[]): string {
  return `  ${name.padEnd(12)}${value}`;
}
