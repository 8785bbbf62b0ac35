import type { Egress } from '#egress';
import type { Clock } from '#kernel';
import type { WebhooksContext } from './context.ts';
import { createCourier } from './courier.ts';
import { createDispatcher } from './dispatcher.ts';
import { createEndpoints } from './endpoints.ts';
import type { WindowReader } from './event-reader.ts';
import { createLeaseholder } from './leaseholder.ts';
import { createSettler } from './settler.ts';
import { createTrimmer } from './trim.ts';
import { createWindow } from './window.ts';

/** The part of this room that runs by itself: brings what is queued to its receivers. */
export interface Deliveries {
  start(): void;
  stop(): Promise<void>;
}

export interface DeliveriesParts
  extends Pick<WebhooksContext, 'store' | 'bus' | 'clock' | 'random' | 'sealedBox' | 'planOf'> {
  readonly events: WindowReader;
  readonly egress: Pick<Egress, 'post'>;
  /** Measures how long receivers and looks take: time travel is not their doing. The other clock when absent. */
  readonly machineClock?: Pick<Clock, 'monotonic'>;
  readonly log: { warn(details: object, message: string): void };
}

const PROCESS_NAME_BYTES = 9;

export function createDeliveries(parts: DeliveriesParts): Deliveries {
  const { random, clock, machineClock = clock } = parts;
  const claimedBy = Buffer.from(random.bytes(PROCESS_NAME_BYTES)).toString('base64url');
  const endpoints = createEndpoints(parts);
  const trimmer = createTrimmer(parts);
  const dispatcher = createDispatcher({
    ...parts,
    machineClock,
    leases: createLeaseholder({ ...parts, claimedBy }),
    window: createWindow(parts),
    courier: createCourier({ ...parts, machineClock, endpoints }),
    settler: createSettler(parts),
    onEnded: trimmer.noteEnded,
  });
  return {
    start() {
      dispatcher.start();
      trimmer.start();
    },
    async stop() {
      await dispatcher.stop();
      await trimmer.stop();
      endpoints.close();
    },
  };
}
