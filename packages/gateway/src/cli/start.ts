import { type App, createApp } from '../app.ts';
import { type Config, loadConfig, readEnvironment } from '../config.ts';
import { type Demo, firstRun } from '../first-run.ts';
import type { Input } from './command.ts';
import { listen, signalToStop } from './serving.ts';
import type { START } from './specs.ts';
import { welcome } from './welcome.ts';

/** Runs the gateway until it is told to stop. */
export async function start({ terminal }: Input<typeof START>): Promise<void> {
  const config = loadConfig(readEnvironment());
  // Heard from the first moment on: who is told to stop while it starts, starts and stops.
  const toldToStop = signalToStop();
  const app = await createApp(config);
  try {
    const address = await listen(app.http, config);
    const demo = await makeDemo(app, config);
    terminal.show({ url: address, mode: config.mode, demo }, () => welcome(address, config, demo));
    await toldToStop;
  } finally {
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
