import type { Role } from '#config';
import { healthFigures } from '#health';
import type { Clock } from '#kernel';
import { outboxBacklog } from '#messages';
import { journalBacklog } from '#network/whatsapp';
import {
  type Metrics,
  registerBacklogMetrics,
  registerHealthMetrics,
  registerHostingMetrics,
  registerPausedEndpoints,
  registerQuarantineMetrics,
} from '#ops';
import { sessionsByState } from '#sessions';
import type { Store } from '#store';
import { deliveryBacklog } from '#webhooks';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly quarantine: { readonly counts: Parameters<typeof registerQuarantineMetrics>[1] };
  readonly deliveries: { readonly paused: Parameters<typeof registerPausedEndpoints>[1] };
  readonly sessions: { readonly figures: Parameters<typeof registerHostingMetrics>[1] };
  readonly heldBack: Parameters<typeof registerHealthMetrics>[1]['heldBack'];
}

/** Each room's own figures, for `/metrics`. What rooms count while they work is given to them. */
export function registerFigures({ registry }: Metrics, roles: ReadonlySet<Role>, parts: Parts): void {
  const { store, clock, machineClock, quarantine, deliveries, sessions, heldBack } = parts;
  registerQuarantineMetrics(registry, quarantine.counts);
  registerHealthMetrics(registry, { ...healthFigures({ store, clock }), heldBack });
  if (roles.has('webhooks')) registerPausedEndpoints(registry, deliveries.paused);
  if (roles.has('worker')) registerHostingMetrics(registry, sessions.figures);
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
