import type { BoxOpener } from '#kernel';

/** A logged event as far as its payload is concerned. */
export interface StoredPayload {
  readonly seq: number;
  readonly slot_id: string;
  readonly key: string;
  /** Null where it is sealed. */
  readonly body: string | null;
  readonly sealed: Uint8Array | null;
}

/** What names an event inside of its box. */
export function sealContext(slotId: string, key: string): string {
  return `event ${slotId} ${key}`;
}

/** The full payload, as JSON. Throws `UnopenableBox` when its master key is no longer configured. */
export function openPayload(boxes: BoxOpener, { slot_id, key, body, sealed }: StoredPayload): string {
  if (!sealed) return body ?? '';
  const full = boxes.open(sealed, sealContext(slot_id, key));
  return Buffer.from(full.buffer, full.byteOffset, full.byteLength).toString();
}
