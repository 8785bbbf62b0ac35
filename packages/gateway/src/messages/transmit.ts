import type { SendRequest } from '@parley/contract';
import type { NetworkSession } from '#network';
import { contentOf, mediaOf } from './kinds/index.ts';
import type { FetchedFile, MediaSpool } from './media.ts';

/** A send as it was accepted and sealed. */
export function openSend(plain: Uint8Array): SendRequest {
  return JSON.parse(Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString('utf8'));
}

/** Puts a send on the network under its id and waits for the network's ack. Rejects with a `NetworkError`. */
export async function transmit(
  session: Pick<NetworkSession, 'send'>,
  messageId: string,
  send: SendRequest,
  spool: MediaSpool,
): Promise<void> {
  const deliver = (file?: FetchedFile): Promise<void> =>
    session.send({ messageId, ...('to' in send ? { to: send.to } : {}), content: contentOf(send, file) });
  const need = mediaOf(send);
  return need ? spool.withFile(messageId, need, deliver) : deliver();
}
