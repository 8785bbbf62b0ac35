import type { Clock } from '#kernel';
import type { Store } from '#store';
import { type ClaimedDelivery, claimDeliveries } from './claim.ts';
import type { EventReader, Payload } from './event-reader.ts';
import type { Held } from './lane.ts';
import { redactJson } from './redact.ts';
import type { LaneName } from './topics.ts';

/** Brings deliveries from the database into memory, and never much at a time. */
export interface Window {
  claim(lane: LaneName, limit: number): Promise<Held[]>;
  /** The payload of a delivery whose turn has come; undefined when it is gone. */
  payloadOf(held: Held): Promise<Payload | undefined>;
}

/** Longer than an attempt and its wait for a slot; what waits longer than this is claimed again. */
export const CLAIM_MS = 30_000;
/** Larger payloads are fetched one by one when they are sent. */
export const LIGHT_BYTES = 64 * 1024;

export function createWindow({
  store,
  events,
  clock,
  claimedBy,
}: {
  store: Pick<Store, 'run' | 'dialect'>;
  events: Pick<EventReader, 'payloads'>;
  clock: Pick<Clock, 'now'>;
  claimedBy: string;
}): Window {
  return {
    async claim({ accountId, url }, limit) {
      const now = clock.now();
      const claimed = await store.run(claimDeliveries, {
        accountId,
        url,
        now,
        claimedBy,
        until: now + CLAIM_MS,
        limit,
        // A data directory belongs to one process.
        alone: store.dialect === 'sqlite',
      });
      const light = claimed.flatMap(({ event_seq, size }) =>
        event_seq !== null && size <= LIGHT_BYTES ? [event_seq] : [],
      );
      const payloads = light.length > 0 ? await events.payloads(light) : new Map<number, Payload>();
      return claimed.map((delivery) => ({
        delivery,
        payload: sampleOf(delivery) ?? payloads.get(delivery.event_seq ?? 0),
      }));
    },

    async payloadOf({ delivery: { event_seq }, payload }) {
      if (payload || event_seq === null) return payload;
      return (await events.payloads([event_seq])).get(event_seq);
    },
  };
}

/** A sample is in no event log: it is its own payload. */
function sampleOf({ event_seq, event }: ClaimedDelivery): Payload | undefined {
  return event_seq === null && event !== null ? { body: event, redacted: redactJson(event) } : undefined;
}
