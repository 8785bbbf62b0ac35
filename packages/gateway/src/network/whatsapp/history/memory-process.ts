import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createDeflate, constants as zlib } from 'node:zlib';
import { getMediaKeys, proto, writeRandomPadMax16 } from 'baileys';
import { createSystemClock, systemRandom } from '#kernel';
import { MAC_BYTES } from '../media/request.ts';
import { createHistoryReader } from './reader.ts';

/**
 * For tests only, as a process of its own: reads a history of `contacts` people and `bytes` of texts that hardly shrink, made while it is
 * read, and tells how much memory was held at most. Nothing else is in this process, and it is looked at between the pieces.
 */
export interface Figures {
  readonly peak: number;
  readonly contacts: number;
  readonly mappings: number;
  readonly sealedBytes: number;
}

const ME = '15550001001';
const MESSAGE_BYTES = 32_000;
const LOOK_EVERY_BYTES = 4_000_000;
const MB = 1024 ** 2;

async function* history(contacts: number, bytes: number): AsyncGenerator<Uint8Array> {
  const messages = Math.ceil(bytes / MESSAGE_BYTES / contacts);
  const talkative = Math.ceil(bytes / MESSAGE_BYTES / messages);
  for (let place = 0; place < contacts; place++) {
    const id = `${15_600_000_000 + place}@s.whatsapp.net`;
    yield proto.HistorySync.encode({
      syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
      conversations: [
        {
          id,
          name: `Contact ${place}`,
          lidJid: `${10_000_000_000_000 + place}@lid`,
          messages: Array.from({ length: place < talkative ? messages : 0 }, (_, index) => ({
            message: {
              key: { remoteJid: id, id: `M${index}` },
              message: { conversation: randomBytes(MESSAGE_BYTES / 2).toString('hex') },
            },
          })),
        },
      ],
    }).finish();
  }
}

async function measure(contacts: number, bytes: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-memory-'));
  const mediaKey = randomBytes(32);
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');
  const figures = { peak: 0, contacts: 0, mappings: 0, sealedBytes: 0 };

  function look(): void {
    globalThis.gc?.();
    // Frees what the first one has only found.
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    figures.peak = Math.max(figures.peak, (heapUsed + external) / MB);
  }

  async function* sealed(): AsyncGenerator<Uint8Array> {
    const hmac = createHmac('sha256', macKey ?? '').update(iv);
    const stream = pipeline(
      Readable.from(history(contacts, bytes)),
      createDeflate({ level: zlib.Z_BEST_SPEED }),
      createCipheriv('aes-256-cbc', cipherKey, iv),
      () => {},
    );
    let lookedAt = 0;
    for await (const chunk of stream) {
      hmac.update(chunk);
      figures.sealedBytes += chunk.length;
      if (figures.sealedBytes - lookedAt >= LOOK_EVERY_BYTES) {
        lookedAt = figures.sealedBytes;
        look();
      }
      yield chunk;
    }
    yield hmac.digest().subarray(0, MAC_BYTES);
  }

  const hosts = [{ tag: 'host', attrs: { hostname: 'media.example' } }];
  const sock = {
    query: async () => ({
      tag: 'iq',
      attrs: {},
      content: [{ tag: 'media_conn', attrs: {}, content: hosts }],
    }),
  };
  const reader = createHistoryReader({
    context: {
      linkId: 'link',
      clock: createSystemClock(),
      random: systemRandom,
      log: { debug() {}, warn: (_details, text) => process.stderr.write(text) },
      // Of both there is only what a history needs.
      vault: () =>
        ({
          read: async () => new Map(),
          async commit({ puts }: { puts: readonly unknown[] }) {
            figures.mappings += puts.length / 2;
            look();
          },
        }) as never,
      connection: () => ({ sock, lost: new AbortController().signal }) as never,
      me: () => ({ id: `${ME}:3@s.whatsapp.net` }),
      emit() {},
    },
    transport: () => ({ get: async () => ({ status: 200, body: sealed() }) }),
    folder,
    leaving: new AbortController().signal,
    async learnContacts(people) {
      figures.contacts += people.length;
      look();
    },
    learnSalt: async () => {},
    learnPeople: async () => {},
  });
  const plaintext = proto.Message.encode({
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: { syncType: 0, directPath: '/v/history', mediaKey },
    },
  }).finish();
  look();
  await reader.take({
    kind: 'message',
    attrs: { id: 'H', from: `${ME}@s.whatsapp.net`, t: '1' },
    plaintext: writeRandomPadMax16(plaintext),
  });
  rmSync(folder, { recursive: true });
  return figures;
}

const [contacts, bytes] = process.argv.slice(2).map(Number);
if (contacts && bytes) process.stdout.write(JSON.stringify(await measure(contacts, bytes)));
