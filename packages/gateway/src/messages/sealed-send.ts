import type { SendRequest } from '@parley/contract';
import { type SealedBox, sortBy } from '#kernel';

/** Canonical text of a request as parsed: independent of the order of fields and of ignored fields. */
export function canonicalJson(value: SendRequest): string {
  return canonical(value);
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = sortBy(Object.entries(value), ([name]) => name);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`;
}

/** A send as stored in the outbox: it opens only for its own row. */
export function sealSend(
  sealedBox: Pick<SealedBox, 'seal'>,
  slotId: string,
  messageId: string,
  json: string,
): Uint8Array {
  return sealedBox.seal(Buffer.from(json), contextOfSend(slotId, messageId));
}

export function openSend(
  sealedBox: Pick<SealedBox, 'open'>,
  row: { readonly slot_id: string; readonly message_id: string; readonly sealed: Uint8Array },
): SendRequest {
  const plain = sealedBox.open(row.sealed, contextOfSend(row.slot_id, row.message_id));
  return JSON.parse(new TextDecoder().decode(plain));
}

export function contextOfSend(slotId: string, messageId: string): string {
  return `outbox ${slotId} ${messageId}`;
}
