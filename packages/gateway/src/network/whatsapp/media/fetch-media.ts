import { proto, type WASocket } from 'baileys';
import type { MediaRef } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { NETWORK_PATIENCE_MS, type NetworkSession } from '../../port.ts';
import { type MediaPointer, readMediaRef } from '../convert/index.ts';
import { offline } from '../errors.ts';
import { type SessionContext, untilLost } from '../session-context.ts';
import { download } from './download.ts';
import type { MediaTransport } from './transport.ts';

/** Fetches inbound media; what the network no longer has is asked of the sender's phone, once. */
export function createMediaFetcher(
  context: SessionContext,
  transport: () => MediaTransport,
): NetworkSession['download'] {
  return async (media, { maxBytes, signal }) => {
    const pointer = readMediaRef(media);
    if (!pointer || pointer.directPath === '') {
      throw new NetworkError('permanent', 'The media cannot be downloaded.', { failure: 'media' });
    }
    const { sock, lost } = context.connection();
    const over = new AbortController();
    const stop = AbortSignal.any([over.signal, lost, ...(signal ? [signal] : [])]);
    const attempt = async (where: MediaPointer): Promise<Uint8Array> => {
      const host = await mediaHost(sock);
      return download({ pointer: where, host, transport: transport(), maxBytes, signal: stop });
    };
    return untilLost(context.clock, lost, NETWORK_PATIENCE_MS, async () => {
      if (signal?.aborted) throw offline();
      try {
        return await attempt(pointer);
      } catch (error) {
        if (!(error instanceof NetworkError) || error.kind !== 'not_found') throw error;
        return attempt({ ...pointer, directPath: await uploadedAgain(sock, pointer) });
      }
    }).finally(() => over.abort());
  };
}

async function mediaHost(sock: WASocket): Promise<string> {
  const { hosts } = await sock.refreshMediaConn(false);
  const [first] = hosts;
  if (!first) throw new NetworkError('transient', 'The network names no media server.');
  return first.hostname;
}

/** Asks the phone that sent the file to upload it once more; answers where it lies now. */
async function uploadedAgain(
  sock: WASocket,
  { kind, mediaKey, directPath, message }: MediaPointer,
): Promise<string> {
  const { id, chat, fromMe, participant } = message;
  const content = { mediaKey, directPath };
  const updated = await sock.updateMediaMessage({
    key: { id, remoteJid: chat, fromMe, ...(participant ? { participant } : {}) },
    message: proto.Message.fromObject({ [messageField(kind)]: content }),
  });
  const file = updated.message?.[messageField(kind)];
  if (!file?.directPath) throw new NetworkError('not_found', 'The media is no longer on the network.');
  return file.directPath;
}

function messageField(kind: MediaRef['kind']) {
  return `${kind}Message` as const;
}
