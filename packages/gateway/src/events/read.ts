import { type SealedBox, UnopenableBox } from '#kernel';
import type { Store } from '#store';
import { type EventReader, held, type WindowReader } from '#webhooks';
import { deliveryWindows } from './delivery-windows.ts';
import { openPayload } from './payload.ts';
import { readerOfPayloads, storedBodies } from './store.ts';

/** Reads logged events back. */
export function createEventReader({
  store,
  sealedBox,
  log,
}: {
  store: Pick<Store, 'read' | 'ask' | 'dialect'>;
  sealedBox: Pick<SealedBox, 'open'>;
  log: { error(details: object, message: string): void };
}): WindowReader {
  const readPayloads = readerOfPayloads(store);

  /** It is as good as gone; that happens when its master key is no longer configured. */
  function reportUnopenable(event: number, why: string): void {
    log.error({ event, why }, 'a logged event cannot be opened');
  }

  return {
    async payloads(seqs) {
      const payloads = new Map<number, string>();
      if (seqs.length === 0) return payloads;
      for (const stored of await readPayloads(seqs)) {
        try {
          payloads.set(stored.seq, openPayload(sealedBox, stored));
        } catch (error) {
          if (!(error instanceof UnopenableBox)) throw error;
          reportUnopenable(stored.seq, error.message);
        }
      }
      return payloads;
    },

    async windows(wanted) {
      const windows = await store.ask(deliveryWindows, wanted);
      for (const { unopenable } of windows)
        for (const [event, why] of unopenable) reportUnopenable(event, why);
      return wanted.map(({ lane }, place) => {
        const { rows = [], end } = windows[place] ?? {};
        return {
          held: rows.map((row) => held(lane, row)),
          end: end ? { dueAt: end[0], seq: end[1] } : undefined,
        };
      });
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
