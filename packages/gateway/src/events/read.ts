import { type SealedBox, UnopenableBox } from '#kernel';
import type { Store } from '#store';
import type { EventReader } from '#webhooks';
import { sealContext } from './prepare.ts';
import { readerOfPayloads, type StoredPayload, storedBodies } from './store.ts';

/** Reads logged events back. */
export function createEventReader({
  store,
  sealedBox,
  log,
}: {
  store: Pick<Store, 'read' | 'dialect'>;
  sealedBox: Pick<SealedBox, 'open'>;
  log: { error(details: object, message: string): void };
}): EventReader {
  /** An event that cannot be opened is as good as gone; that happens when its master key is no longer configured. */
  function open({ seq, slot_id, key, body, sealed }: StoredPayload): string | undefined {
    if (!sealed) return body ?? undefined;
    try {
      const full = sealedBox.open(sealed, sealContext(slot_id, key));
      return Buffer.from(full.buffer, full.byteOffset, full.byteLength).toString();
    } catch (error) {
      if (!(error instanceof UnopenableBox)) throw error;
      log.error({ err: error, event: seq }, 'a logged event cannot be opened');
      return undefined;
    }
  }

  const readPayloads = readerOfPayloads(store);
  return {
    async payloads(seqs) {
      const payloads = new Map<number, string>();
      if (seqs.length === 0) return payloads;
      for (const stored of await readPayloads(seqs)) {
        const payload = open(stored);
        if (payload !== undefined) payloads.set(stored.seq, payload);
      }
      return payloads;
    },
  };
}

/** Reads logged events back without their content. */
export function createRedactedReader({ store }: { store: Pick<Store, 'read' | 'dialect'> }): EventReader {
  return {
    async payloads(seqs) {
      if (seqs.length === 0) return new Map();
      return new Map((await storedBodies(store, seqs)).map(({ seq, body }) => [seq, body]));
    },
  };
}
