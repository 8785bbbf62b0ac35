import { type SealedBox, UnopenableBox } from '#kernel';
import type { Store } from '#store';
import type { EventReader, Payload } from '#webhooks';
import { sealContext } from './prepare.ts';
import { type StoredPayload, storedBodies, storedPayloads } from './store.ts';

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
  function open(stored: StoredPayload): Payload | undefined {
    const { seq, slot_id, key, body, sealed } = stored;
    if (!sealed) return { body, redacted: body };
    try {
      const full = sealedBox.open(sealed, sealContext(slot_id, key));
      return {
        body: Buffer.from(full.buffer, full.byteOffset, full.byteLength).toString(),
        redacted: body,
      };
    } catch (error) {
      if (!(error instanceof UnopenableBox)) throw error;
      log.error({ err: error, event: seq }, 'a logged event cannot be opened');
      return undefined;
    }
  }

  return {
    async payloads(seqs) {
      if (seqs.length === 0) return new Map();
      const opened = (await storedPayloads(store, seqs)).map((stored) => [stored.seq, open(stored)] as const);
      return new Map(opened.flatMap(([seq, payload]) => (payload ? [[seq, payload] as const] : [])));
    },
    async redacted(seqs) {
      if (seqs.length === 0) return new Map();
      return new Map((await storedBodies(store, seqs)).map(({ seq, body }) => [seq, body]));
    },
  };
}
