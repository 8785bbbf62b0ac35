import type { SendRequest } from '@parley/contract';
import type { SealedBox } from '#kernel';

/** The same text for the same request as understood: the order of fields makes no difference, nor do those that were ignored. */
export function canonicalJson(value: SendRequest): string {
  return canonical(value);
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`;
}

/** A send as it waits in the outbox: only the row that it was sealed for opens it. */
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
