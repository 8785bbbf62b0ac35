import type { Role } from '#config';
import { healthFigures } from '#health';
import type { Clock } from '#kernel';
import { outboxBacklog } from '#messages';
import { journalBacklog } from '#network';
import {
  type Metrics,
  registerBacklogMetrics,
  registerClientVersionMetrics,
  registerHealthMetrics,
  registerHostingMetrics,
  registerPausedEndpoints,
} from '#ops';
import { sessionsByState } from '#sessions';
import type { Store } from '#store';
import { deliveryBacklog } from '#webhooks';
import type { HostingPlace } from './hosting/place.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly deliveries: { readonly paused: Parameters<typeof registerPausedEndpoints>[1] };
  readonly hosting: Pick<HostingPlace, 'figures'>;
  readonly heldBack: Parameters<typeof registerHealthMetrics>[1]['heldBack'];
}

/** Each room's own figures, for `/metrics`. What rooms count while they work is given to them. */
export function registerFigures({ registry }: Metrics, roles: ReadonlySet<Role>, parts: Parts): void {
  const { store, clock, machineClock, deliveries, hosting, heldBack } = parts;
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
