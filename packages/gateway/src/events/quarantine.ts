import { createHash } from 'node:crypto';
import type { OwnedNumber } from '#http';
import type { Clock, SealedBox } from '#kernel';
import type { NetworkEvent } from '#network';
import { type Store, StoreError } from '#store';
import { insertQuarantined } from './store.ts';

/**
 * Where something goes that the network told and that cannot be told on, so that what follows can be. It is sealed like every content,
 * and shown to the operator without it.
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
  /** Told of everything that is put here, for whoever counts. */
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
