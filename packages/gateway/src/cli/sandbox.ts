import { createCallServer, openSandbox, startVirtualNetwork } from '#app/sandbox';
import { createSystemClock, systemRandom } from '#kernel';
import { createEgress } from '#platform/egress';
import { createLog, endOnCrash } from '#platform/observe';
import { lockDataDir } from '#platform/store';
import { loadConfig, readEnvironment, SETTINGS } from '../config/config.ts';
import type { Input } from './command.ts';
import { listen, signalToStop } from './serving.ts';
import type { SANDBOX } from './specs.ts';

/** Runs the network of virtual phones in its own process, for several gateways to share, until a signal stops it. */
export async function sandbox({ terminal }: Input<typeof SANDBOX>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const stopSignal = signalToStop();
  const { host, port, dataDir } = config;
  const log = createLog(config.logLevel);
  const machineClock = createSystemClock();
  await using opened = new AsyncDisposableStack();
  endOnCrash({ log, clock: machineClock, handOver: () => opened.disposeAsync() });
  const lock = lockDataDir(dataDir);
  opened.defer(() => lock.release());
  const clock = createSystemClock();
  const egress = createEgress({ clock, publicOnly: config.mode === 'production' });
  opened.defer(() => egress.close());
  const parts = {
    config,
    clock,
    machineClock,
    random: systemRandom,
    egress,
    log,
  };
  // Fixed ones: a gateway that has found the network must find it again after a restart.
  const ports = port === 0 ? {} : { port: port + 1, mediaPorts: [port + 2, port + 3] };
  const announcedHost = config.publicUrl && new URL(config.publicUrl).hostname;
  const network = await startVirtualNetwork(parts, { host, announcedHost, ...ports });
  opened.defer(() => network.stop());
  const http = createCallServer(log);
  openSandbox(network, parts).mount(http);
  opened.defer(() => http.close());
  const address = await listen(http, config);
  log.info({ url: address }, 'ready');
  if (terminal.json || terminal.isWatched || config.mode !== 'production')
    terminal.show({ url: address }, () => welcome(address));
  await stopSignal;
}

function welcome(address: string): string {
  return [
    '',
    '  The sandbox is ready.',
    '',
    `  Its phones       ${address}/sandbox/v1`,
    `  For gateways     ${SETTINGS.sandboxUrl.name}=${address}`,
    '',
  ].join('\n');
}
