import { createDeliveryQueue } from '#events';
import type { Clock, DeliveryTraces, LineLog } from '#kernel';
import type { Egress } from '#platform/egress';
import type { WebhooksContext } from '../context.ts';
import { createEndpointCache } from '../endpoints/endpoint-cache.ts';
import { createAnswerKeeper } from '../history/answers.ts';
import { createHistoryRetention } from '../history/retention.ts';
import { createDeliveryAttempt } from './delivery-attempt.ts';
import { type DeliveryFigures, Dispatcher } from './dispatcher.ts';
import type { WebhookFormats } from './formats.ts';
import { createLeaseManager } from './lease-manager.ts';
import { createResultWriter } from './result-writer.ts';

/** Background part of this room: sends queued deliveries to their receivers. */
export interface Deliveries {
  start(): void;
  stop(): Promise<void>;
  /** How many receivers this process has paused because they fail. */
  paused(): number;
}

export interface DeliveriesParts
  extends Pick<WebhooksContext, 'store' | 'bus' | 'clock' | 'random' | 'sealedBox' | 'planOf'> {
  readonly egress: Pick<Egress, 'post'>;
  /** Signs, and measures how long receivers and looks take: they know nothing of time travel. The other clock when absent. */
  readonly machineClock?: Pick<Clock, 'monotonic' | 'now'>;
  /** Formats of other APIs that endpoints may use. */
  readonly formats?: WebhookFormats;
  readonly log: LineLog<'debug' | 'info' | 'warn' | 'error'>;
  /** The store emits every queued delivery, because no other thread or process queues any. */
  readonly isNotifiedByStore?: boolean;
  readonly figures?: DeliveryFigures;
  readonly traces?: DeliveryTraces | undefined;
}

const PROCESS_NAME_BYTES = 9;

export function createDeliveries(parts: DeliveriesParts): Deliveries {
  const { random, clock, machineClock = clock } = parts;
  const claimedBy = Buffer.from(random.bytes(PROCESS_NAME_BYTES)).toString('base64url');
  const endpoints = createEndpointCache(parts);
  const queue = createDeliveryQueue(parts);
  const historyRetention = createHistoryRetention(parts);
  const dispatcher = new Dispatcher({
    ...parts,
    machineClock,
    leases: createLeaseManager({ ...parts, claimedBy }),
    queue,
    deliveryAttempt: createDeliveryAttempt({
      ...{ ...parts, machineClock, endpoints, queue },
      answerKeeper: createAnswerKeeper(parts),
    }),
    resultWriter: createResultWriter(parts),
    onEnded: historyRetention.noteEnded,
  });
  return {
    paused: () => dispatcher.paused,
    start() {
      dispatcher.start();
      historyRetention.start();
    },
    async stop() {
      await dispatcher.stop();
      await historyRetention.stop();
      endpoints.close();
    },
  };
}
