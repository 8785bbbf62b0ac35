import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createDeflate, constants as zlib } from 'node:zlib';
import { createCodecs } from '@parley/codecs';
import { getMediaKeys, proto, writeRandomPadMax16 } from 'baileys';
import { createSystemClock, systemRandom } from '#kernel';
import { createHistoryReader } from '../history/reader.ts';
import type { JournalEntry } from '../journal/journal.ts';
import { MAC_BYTES, type MediaTransport } from '../media/request.ts';

const ME = '15550001001';

/**
 * For tests and benchmarks: a history that is packed and encrypted while it is fetched, so that it is never
 * whole in memory.
 */
export async function packHistory({
  pieces,
  syncType,
  onChunk = () => {},
}: {
  pieces: () => AsyncIterable<Uint8Array>;
  syncType: proto.Message.HistorySyncType;
  /** Called with each encrypted piece before it is fetched. */
  onChunk?: (chunk: Uint8Array) => void;
}): Promise<{ readonly transport: Pick<MediaTransport, 'get'>; readonly entry: JournalEntry }> {
  const mediaKey = randomBytes(32);
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');

  async function* sealed(): AsyncGenerator<Uint8Array> {
    const hmac = createHmac('sha256', macKey ?? '').update(iv);
    const stream = pipeline(
      Readable.from(pieces()),
      createDeflate({ level: zlib.Z_BEST_SPEED }),
      createCipheriv('aes-256-cbc', cipherKey, iv),
      () => {},
    );
    for await (const chunk of stream) {
      hmac.update(chunk);
      onChunk(chunk);
      yield chunk;
    }
    yield hmac.digest().subarray(0, MAC_BYTES);
  }

  const plaintext = proto.Message.encode({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: { syncType, directPath: '/v/history', mediaKey },
    },
  }).finish();
  return {
    transport: { get: async () => ({ status: 200, body: sealed() }) },
    entry: {
      kind: 'message',
      attrs: { id: 'H', from: `${ME}@s.whatsapp.net`, t: '1' },
      plaintext: writeRandomPadMax16(plaintext),
    },
  };
}

/** A history reader with the given dependencies only. */
export function readerOf(
  transport: Pick<MediaTransport, 'get'>,
  {
    commit = async () => {},
    folder,
    ...parts
  }: Partial<Pick<Parameters<typeof createHistoryReader>[0], 'learnContacts' | 'takerOf'>> & {
    readonly folder: string;
    readonly commit?: (change: { readonly puts: readonly unknown[] }) => Promise<void>;
  },
) {
  const hosts = [{ tag: 'host', attrs: { hostname: 'media.example' } }];
  const query = async () => ({
    tag: 'iq',
    attrs: {},
    content: [{ tag: 'media_conn', attrs: {}, content: hosts }],
  });
  return createHistoryReader({
    context: {
      linkId: 'link',
      clock: createSystemClock(),
      random: systemRandom,
      log: { debug() {}, warn: (_details, text) => process.stderr.write(text) },
      codecs: createCodecs(),
      folder,
      mediaTransport: () => ({ ...transport, post: () => Promise.reject(new Error('nothing is uploaded')) }),
      // Both have only what a history needs.
      vault: () => ({ read: async () => new Map(), commit }) as never,
      connection: () => ({ sock: { query }, lost: new AbortController().signal }) as never,
      me: () => ({ id: `${ME}:3@s.whatsapp.net` }),
      emit() {},
    },
    leaving: new AbortController().signal,
    learnContacts: async () => {},
    learnSalt: async () => {},
    learnPeople: async () => {},
    takerOf: () => undefined,
    ...parts,
  });
}
