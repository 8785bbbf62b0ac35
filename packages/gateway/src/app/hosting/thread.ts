import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Config } from '#config';
import {
  collectGarbageWhenIdle,
  createSealedBox,
  createSystemClock,
  inBackground,
  neverRejects,
  systemRandom,
} from '#kernel';
import { reachBus } from '#platform/bus';
import { guardConnections } from '#platform/egress';
import { createLog, endOnCrash, type Log, logFailureWarnings, reportWork } from '#platform/observe';
import { databaseHosts, reachStore } from '#platform/store';
import { createHost } from './create-host.ts';
import type { News, Order, ThreadStart } from './hosting-thread.ts';
import { openCommon, openTracing, traceHosts } from './open-common.ts';
import { hostsOf, openDriver } from './open-driver.ts';

if (!parentPort) throw new TypeError('This file is the entry of a worker thread.');
neverRejects(hostNumbers(parentPort, workerData));

/** A hosting thread, like a process of a cluster with the worker role; it answers no requests. */
async function hostNumbers(main: MessagePort, start: ThreadStart): Promise<void> {
  const send = (news: News): void => main.postMessage(news);
  const { config, masterKeys, fingerprintKey, version } = start;
  const random = systemRandom;
  const machineClock = createSystemClock();
  const clock = createSystemClock();
  clock.advance(start.travelledMs);
  let { publicUrl } = start;
  let leased: string | undefined;

  const opened = new AsyncDisposableStack();
  const log = createLog(config.logLevel, { write: (line) => send({ kind: 'logged', line }) });
  const warnings = logFailureWarnings(log);
  opened.defer(() => warnings.stop());
  keepToHosts(start, log);
  const work = reportWork((report) => send({ kind: 'worked', report }));
  const store = reachStore(start.store, { clock: machineClock, log, masterKeys, onCommit: work.committed });
  opened.defer(() => store.close());
  const sealedBox = createSealedBox({ masterKeys, random, fingerprintKey });
  const tracing = { version, store, clock, machineClock, log, tidies: false };
  const { traces, traced } = await openTracing(config, tracing, opened);
  const bus = traced(reachBus(start.bus, { clock: machineClock }));
  opened.defer(() => bus.close());
  const { passage } = start;
  const common = openCommon(
    config,
    {
      ...{ store, bus, sealedBox, clock, machineClock, random, log, passage },
      ...{ publicUrl: () => publicUrl, isNotifiedByStore: false },
    },
    opened,
  );
  const { endpoint } = start;
  const driver = await openDriver(
    config,
    { store, sealedBox, clock, machineClock, random, log, endpoint, passage, work },
    opened,
  );
  const host = createHost(
    common,
    {
      ...{ driver, work, traces, alone: start.alone, name: `-${start.thread}` },
      onLeased(worker) {
        if (worker !== leased) send({ kind: 'leased', worker });
        leased = worker;
      },
    },
    opened,
  );
  const thrift = collectGarbageWhenIdle({ clock: machineClock, log });
  opened.defer(() => thrift.stop());

  main.on('message', (order: Order) => inBackground(follow(order), log, 'an order could not be carried out'));
  await common.histories.start();
  await host.start();
  // Earlier failures reject the start.
  endOnCrash({ log, clock: machineClock, handOver: () => opened.disposeAsync() });
  send({ kind: 'started' });

  async function follow(order: Order): Promise<void> {
    switch (order.kind) {
      case 'travel':
        clock.advance(order.ms);
        return send({ kind: 'done', id: order.id });
      case 'figures':
        return send({
          ...{ kind: 'done', id: order.id },
          figures: { ...host.worker.figures(), clientVersion: driver.clientVersion() },
        });
      case 'answer':
        return send({ kind: 'done', id: order.id });
      case 'check':
        return host.worker.check().then(
          () => send({ kind: 'done', id: order.id }),
          (error: unknown) => {
            log.warn({ err: error }, 'a hosting thread is not ready');
            send({ kind: 'refused', id: order.id });
          },
        );
      case 'public_url':
        publicUrl = order.url;
        return;
      case 'stop':
        await opened.disposeAsync();
        // Timers of the network's library must not keep the thread alive.
        process.exit();
    }
  }
}

/** Distinct refused hosts in the log. */
const MOST_REFUSED = 100;

/**
 * Refuses connections of this thread to hosts that neither the network nor the settings name. Files from URLs of users, and the store
 * of files, have clients with checks of their own.
 */
function keepToHosts({ config, endpoint }: ThreadStart, log: Log): void {
  const refused = new Set<string>();
  guardConnections({
    hosts: [
      ...hostsOf(endpoint),
      ...proxyHosts(config),
      ...databaseHosts(config.databaseUrl),
      ...traceHosts(config),
    ],
    onRefused(host) {
      if (refused.has(host) || refused.size >= MOST_REFUSED) return;
      refused.add(host);
      log.warn({ host }, 'a connection to a host outside the network was refused');
    },
  });
}

function proxyHosts({ whatsappProxy, whatsappProxies }: Config): string[] {
  const proxies = [...whatsappProxies.values(), ...(whatsappProxy === undefined ? [] : [whatsappProxy])];
  return proxies.map((proxy) => new URL(proxy).host);
}
