import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proto } from 'baileys';
import { packHistory, readerOf } from './packed-history.ts';

/**
 * In a process of its own: reads a history of `contacts` people and `bytes` of text that hardly
 * compresses, generated while it is read, and reports the peak of memory. Memory is sampled between the pieces.
 */
export interface Figures {
  readonly peak: number;
  readonly contacts: number;
  readonly mappings: number;
  readonly messages: number;
  readonly sealedBytes: number;
}

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
              messageTimestamp: 1,
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
  const figures = { peak: 0, contacts: 0, mappings: 0, messages: 0, sealedBytes: 0 };

  function look(): void {
    globalThis.gc?.();
    // Frees the garbage of warming up.
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    figures.peak = Math.max(figures.peak, (heapUsed + external) / MB);
  }

  let lookedAt = 0;
  const { transport, entry } = await packHistory({
    pieces: () => history(contacts, bytes),
    syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP,
    onChunk(chunk) {
      figures.sealedBytes += chunk.length;
      if (figures.sealedBytes - lookedAt < LOOK_EVERY_BYTES) return;
      lookedAt = figures.sealedBytes;
      look();
    },
  });
  const reader = readerOf(transport, {
    folder,
    async commit({ puts }) {
      figures.mappings += puts.length / 2;
      look();
    },
    async learnContacts(people) {
      figures.contacts += people.length;
      look();
    },
    takerOf: () => ({
      async take({ messages }) {
        figures.messages += messages.length;
        if (figures.messages % 5 === 0) look();
      },
      async end() {},
    }),
  });
  look();
  await reader.take(entry);
  rmSync(folder, { recursive: true });
  return figures;
}

const [contacts, bytes] = process.argv.slice(2).map(Number);
if (contacts && bytes) process.stdout.write(JSON.stringify(await measure(contacts, bytes)));
