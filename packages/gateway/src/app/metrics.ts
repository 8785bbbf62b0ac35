import { recordKeyUses } from '#accounts';
import type { Config } from '#config';
import { healthFigures } from '#health';
import type { Clock } from '#kernel';
import { outboxBacklog } from '#messages';
import { journalBacklog } from '#network';
import {
  type Metrics,
  registerBacklogMetrics,
  registerClientVersionMetrics,
  registerDiskMetrics,
  registerHealthMetrics,
  registerHostingMetrics,
  registerPausedEndpoints,
} from '#platform/observe';
import { createRequestLog, type RequestLog } from '#platform/request-log';
import type { Store } from '#platform/store';
import { sessionsByState } from '#sessions';
import { deliveryBacklog } from '#webhooks';
import type { Foundation } from './foundation.ts';
import type { HostingPlace } from './hosting/hosting-place.ts';
import type { Common } from './hosting/open-common.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly deliveries: { readonly paused: Parameters<typeof registerPausedEndpoints>[1] };
  readonly hosting: Pick<HostingPlace, 'figures'>;
  readonly heldBack: Parameters<typeof registerHealthMetrics>[1]['heldBack'];
}

/** Registers the gauges of each room, and returns the recorders that rooms use while they work. */
export function registerMetrics(
  { registry }: Metrics,
  { roles, dataDir, mediaUrl }: Pick<Config, 'roles' | 'dataDir' | 'mediaUrl'>,
  parts: Parts,
): void {
  const { store, clock, machineClock, deliveries, hosting, heldBack } = parts;
  const mediaFolder = mediaUrl.startsWith('file:')
    ? [['media', mediaUrl.slice('file:'.length)] as const]
    : [];
  registerDiskMetrics(registry, new Map([['data', dataDir], ...mediaFolder]));
  registerHealthMetrics(registry, { ...healthFigures({ store, clock }), heldBack });
  if (roles.has('webhooks')) registerPausedEndpoints(registry, deliveries.paused);
  if (roles.has('worker')) {
    registerHostingMetrics(registry, hosting.figures);
    const clientVersions = async () =>
      (await hosting.figures()).flatMap(({ clientVersion }) => clientVersion ?? []);
    registerClientVersionMetrics(registry, clientVersions, clock);
  }
  registerBacklogMetrics(
    registry,
    async () => {
      const moment = { now: clock.now(), machineNow: machineClock.now() };
      const [outbox, waiting, journal, states] = await Promise.all([
        outboxBacklog(store),
        deliveryBacklog(store),
        journalBacklog(store),
        sessionsByState(store, moment),
      ]);
      return { outbox, deliveries: waiting, journal, sessions: states };
    },
    { clock, machineClock },
  );
}

/** Records uses of keys, throughput and requests, each in batches. */
export function openRecorders(base: Foundation, common: Common, opened: AsyncDisposableStack): RequestLog {
  const { store, clock, machineClock, log, throughput } = base;
  const keyUses = recordKeyUses({ store, clock, directory: common.directory, log });
  opened.defer(() => keyUses.stop());
  const counting = throughput.start({ clock: machineClock, log });
  opened.defer(() => counting.stop());
  const requestLog = createRequestLog({ store, clock, machineClock, log });
  opened.defer(() => requestLog.stop());
  return requestLog;
}
