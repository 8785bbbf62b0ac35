import { type App, createApp } from '../app.ts';
import { type Config, ConfigError, loadConfig, readEnvironment, SETTINGS } from '../config.ts';
import { type Demo, firstRun } from '../first-run.ts';
import { welcome } from './welcome.ts';

/** Runs the gateway until it is told to stop. */
export async function start(): Promise<void> {
  const config = loadConfig(readEnvironment());
  // Heard from the first moment on: who is told to stop while it starts, starts and stops.
  const toldToStop = signalToStop();
  const app = await createApp(config);
  const address = await listen(app, config);
  process.stdout.write(welcome(address, config, await makeDemo(app, config)));
  await toldToStop;
  await app.close();
  // Everything of ours is closed; timers that the network's library leaves behind must not hold the process for half a minute.
  process.exit();
}

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    return await app.http.listen({ host, port });
  } catch (error) {
    await app.close();
    const { code = '' } = error as NodeJS.ErrnoException;
    const advice = LISTEN_ADVICE[code];
    throw advice ? new ConfigError(`cannot listen on ${host}:${port}: ${advice} (${code})`) : error;
  }
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

const LISTEN_ADVICE: Record<string, string> = {
  EADDRINUSE: `something else does; stop it or set ${SETTINGS.port.name}`,
  EACCES: `this user may not; set ${SETTINGS.port.name} to 1024 or more`,
  EADDRNOTAVAIL: `this machine does not have that address; set ${SETTINGS.host.name}`,
  ENOTFOUND: `that name has no address; set ${SETTINGS.host.name}`,
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** One press of Ctrl-C may arrive several times: from the terminal, from npm, from the launcher. */
const ECHO_MS = 1_000;

function signalToStop(): Promise<void> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const now = process.uptime() * 1_000;
        toldAt ??= now;
        // Somebody has lost patience.
        if (now - toldAt > ECHO_MS) process.exit(1);
        resolve();
      });
    }
  });
}
