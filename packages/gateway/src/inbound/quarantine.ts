import { createHash } from 'node:crypto';
import { dropExpiredEvents } from '#events';
import { type Clock, type JobLog, type PeriodicJob, type SealedBox, startPeriodicJob } from '#kernel';
import type { NetworkEvent } from '#network';
import type { OwnedNumber } from '#platform/http';
import { type Store, StoreError } from '#platform/store';
import { dropOldQuarantine, insertQuarantined } from './quarantine-queries.ts';

/**
 * Stores events of the network that cannot be published, so that later ones can be. Their content is sealed, and not shown to
 * the operator.
 */
export interface Quarantine {
  keep(
    number: Pick<OwnedNumber, 'accountId' | 'slotId'>,
    event: NetworkEvent,
    failure: unknown,
  ): Promise<void>;
}

interface QuarantineParts {
  readonly store: Pick<Store, 'transaction'>;
  readonly sealedBox: Pick<SealedBox, 'seal'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: { warn(details: object, message: string): void };
  /** Called for each quarantined event, for metrics. */
  readonly onKept?: (kind: NetworkEvent['kind']) => void;
}

export function createQuarantine({ store, sealedBox, clock, log, onKept }: QuarantineParts): Quarantine {
  return {
    async keep({ accountId, slotId }, event, failure) {
      const content = Buffer.from(JSON.stringify(event));
      const id = quarantineId(slotId, event.id);
      const reason = reasonOf(failure);
      const row = {
        id,
        account_id: accountId,
        slot_id: slotId,
        kind: event.kind,
        reason,
        size: content.length,
        at: clock.now(),
        sealed: sealedBox.seal(content, contextOfQuarantined(id)),
      };
      await store.transaction((trx) => insertQuarantined(trx, row));
      onKept?.(event.kind);
      log.warn({ slotId, kind: event.kind, quarantineId: id, reason }, 'an event could not be stored');
    },
  };
}

export function contextOfQuarantined(id: string): string {
  return `quarantine ${id}`;
}

/** Of whatever length and characters the name of the happening is. */
function quarantineId(slotId: string, eventId: string): string {
  const digest = createHash('sha256').update(`${slotId}\n`).update(eventId, 'utf16le').digest('base64url');
  return `qua_${digest.slice(0, 22)}`;
}

/** A store's own text quotes nothing that was stored; any other may. */
export function reasonOf(failure: unknown): string {
  if (failure instanceof StoreError) return failure.message;
  return failure instanceof Error ? failure.name : 'unknown';
}

const STEP = 500;
const EVERY_MS = 60_000;

interface EventRetention {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: JobLog;
}

/** Drops events from the log when their time is over, in small steps. Those that are still to be delivered stay. */
export function startEventRetention(parts: EventRetention): PeriodicJob {
  return startPeriodicJob({
    ...parts,
    everyMs: EVERY_MS,
    work: (stopping) => dropExpired(parts, stopping),
    name: 'event-retention',
  });
}

/** Drops all that can go now. */
export async function dropExpired(
  { store, clock }: Pick<EventRetention, 'store' | 'clock'>,
  stopping?: AbortSignal,
): Promise<void> {
  while (!stopping?.aborted && (await dropExpiredEvents(store, clock.now(), STEP)) === STEP);
  await dropOldQuarantine(store, clock.now());
}
