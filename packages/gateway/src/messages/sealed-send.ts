import type { SendRequest } from '@parley/contract';
import type { SealedBox } from '#kernel';

/** A send as it waits in the outbox: only the row that it was sealed for opens it. */
export function sealSend(
  sealedBox: Pick<SealedBox, 'seal'>,
  slotId: string,
  messageId: string,
  send: SendRequest,
): Uint8Array {
  return sealedBox.seal(Buffer.from(JSON.stringify(send)), sealContext(slotId, messageId));
}

export function openSend(
  sealedBox: Pick<SealedBox, 'open'>,
  row: { readonly slot_id: string; readonly message_id: string; readonly sealed: Uint8Array },
): SendRequest {
  const plain = sealedBox.open(row.sealed, sealContext(row.slot_id, row.message_id));
  return JSON.parse(new TextDecoder().decode(plain));
}

function sealContext(slotId: string, messageId: string): string {
  return `outbox ${slotId} ${messageId}`;
}
