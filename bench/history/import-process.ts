import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proto } from 'baileys';
import { createDataKeys } from '../../packages/gateway/src/accounts/index.ts';
import { choose, createHistories, readChoice } from '../../packages/gateway/src/conversations/index.ts';
import { createEventLog } from '../../packages/gateway/src/events/index.ts';
import { createInboundWriter } from '../../packages/gateway/src/health/index.ts';
import { createPastSink } from '../../packages/gateway/src/inbound/index.ts';
import {
  createIds,
  createSealedBox,
  createSystemClock,
  systemRandom,
} from '../../packages/gateway/src/kernel/index.ts';
import { packHistory, readerOf } from '../../packages/gateway/src/network/whatsapp/testing/packed-history.ts';
import { createLocalBus } from '../../packages/gateway/src/platform/bus/index.ts';
import { migrations, openStore } from '../../packages/gateway/src/platform/store/index.ts';
import { offer } from '../lib/remote.ts';
import { peakMemory, watchMemory } from '../lib/usage.ts';

/** Imports the history of a number, from the media server to the database, with nothing else in the process. */
const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-import-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const clock = createSystemClock();
const room = (name: string): URL =>
  new URL(`../../packages/gateway/src/${name}/write-commands.ts`, import.meta.url);
const store = await openStore({
  url: `sqlite:${join(dataDir, 'parley.db')}`,
  commandModules: ['conversations', 'events', 'health'].map(room),
  migrations,
  clock,
});
const sealedBox = createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom });
const bus = createLocalBus({ clock });
const keys = createDataKeys({ store, sealedBox, random: systemRandom, clock });
const log = { debug() {}, error: (details: object, message: string) => console.error(message, details) };
const histories = createHistories({ store, bus, keys, clock, log });
const ids = createIds({ clock, random: systemRandom });
// No links are read here.
const links = { urlOf: async () => '' };
const context = { store, bus, clock, ids, keys, histories, links, maxBytes: Number.MAX_SAFE_INTEGER };
const events = createEventLog({ store, bus, sealedBox, clock });
const sink = createPastSink({
  log: createInboundWriter({ store, events, clock }),
  histories,
  clock,
  warn: (details, message) => console.error(message, details),
});

const number = { slotId: 'slot_1', accountId: 'acc_1', phone: '15550001001' };
const MB = 1024 ** 2;
/** A long text, or a short one with the thumbnail of a picture. */
const MESSAGE_BYTES = 1_000;
const MESSAGES_OF_A_CHAT = 2_000;

async function* conversations(bytes: number): AsyncGenerator<Uint8Array> {
  const now = Math.floor(clock.now() / 1_000);
  const chats = Math.ceil(bytes / MESSAGE_BYTES / MESSAGES_OF_A_CHAT);
  for (let place = 0; place < chats; place++) {
    const id = `${15_600_000_000 + place}@s.whatsapp.net`;
    const words = Buffer.from(systemRandom.bytes(MESSAGE_BYTES / 2)).toString('hex');
    const messages = Array.from({ length: MESSAGES_OF_A_CHAT }, (_, index) => ({
      message: {
        key: { remoteJid: id, id: `3EB0${place}N${index}`, fromMe: index % 2 === 0 },
        message: { conversation: `${index} ${words.slice(index % 300)}` },
        messageTimestamp: now - index,
      },
    }));
    yield proto.HistorySync.encode({
      syncType: proto.HistorySync.HistorySyncType.FULL,
      conversations: [{ id, conversationTimestamp: now, messages }],
    }).finish();
  }
}

async function take(mb: number): Promise<void> {
  const { transport, entry } = await packHistory({
    pieces: () => conversations(mb * MB),
    syncType: proto.Message.HistorySyncType.FULL,
  });
  const takerOf: Parameters<typeof readerOf>[1]['takerOf'] = (history) =>
    sink({ number, sessionId: '15550001001:1@s.whatsapp.net' }, history);
  await readerOf(transport, { folder: dataDir, takerOf }).take(entry);
}

const calls = {
  /** Imports a history of so many megabytes; returns the peak growth of the process in megabytes, and the number of stored messages. */
  async takeIn(mb: number): Promise<{ grownMb: number; messages: number; seconds: number }> {
    await choose(context, number, { enabled: true });
    // Warms up compilers and caches with a small one, which is not measured.
    await take(2);
    await choose(context, number, { enabled: false });
    await choose(context, number, { enabled: true });
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    watchMemory();
    const begun = clock.monotonic();
    await take(mb);
    const seconds = (clock.monotonic() - begun) / 1_000;
    const { rss } = peakMemory();
    const { messages } = await readChoice(context, number);
    return { grownMb: (rss - before) / MB, messages, seconds };
  },
};

export type ImportCalls = typeof calls;
offer(calls);
