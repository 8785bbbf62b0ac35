import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventOf } from '@parley/contract';
import { createDataKeys } from '../../packages/gateway/src/accounts/index.ts';
import { choose, createHistories } from '../../packages/gateway/src/conversations/index.ts';
import { readMessages } from '../../packages/gateway/src/conversations/reading.ts';
import { keepEntries } from '../../packages/gateway/src/conversations/write-commands.ts';
import {
  createIds,
  createSealedBox,
  createSystemClock,
  systemRandom,
} from '../../packages/gateway/src/kernel/index.ts';
import { createLocalBus } from '../../packages/gateway/src/platform/bus/index.ts';
import { migrations, openStore } from '../../packages/gateway/src/platform/store/index.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** A database with nothing else in it. */
const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-history-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const clock = createSystemClock();
const masterKeys = [systemRandom.bytes(32)] as const;
const commandModules = [
  new URL('../../packages/gateway/src/conversations/write-commands.ts', import.meta.url),
];
const store = await openStore({
  url: `sqlite:${join(dataDir, 'parley.db')}`,
  commandModules,
  migrations,
  clock,
});
const sealedBox = createSealedBox({ masterKeys, random: systemRandom });
const bus = createLocalBus({ clock });
const log = { debug() {}, error: (details: object, message: string) => console.error(message, details) };
const keys = createDataKeys({ store, sealedBox, random: systemRandom, clock });
const histories = createHistories({ store, bus, keys, clock, log });
const ids = createIds({ clock, random: systemRandom });
const links = { urlOf: async () => undefined };
const context = { store, bus, clock, ids, keys, histories, links, maxBytes: Number.MAX_SAFE_INTEGER };
const TEXT = 'Is my order ready? I would like to come by at five and take it with me.';
const CHAT = '15550002001@s.whatsapp.net';

const numberOf = (name: string) => ({
  slotId: `slot_${name}`,
  accountId: `acc_${name}`,
  phone: '15550001001',
});

/** Per second of processor time of all threads, which other work on the machine hardly affects. */
async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const begun = cpuSeconds();
  await work();
  return count / (cpuSeconds() - begun);
}

const calls = {
  async fill(name: string, messages: number): Promise<void> {
    const number = numberOf(name);
    await choose(context, number, { enabled: true });
    const keeper = histories.of(number.slotId);
    const at = Math.floor(clock.now() / 1_000);
    const message = (place: number): EventOf<'message'> => ({
      kind: 'message',
      message_id: `3EB0${String(place).padStart(18, '0')}`,
      session_id: '15550001001:1@s.whatsapp.net',
      ...{ sender_jid: CHAT, sender_name: 'Ada', chat_jid: CHAT, is_group: false, broadcast: false },
      ...{ type: 'text', text: TEXT, timestamp_unix: at - messages + place },
    });
    const STEP = 1_000;
    for (let from = 0; from < messages; from += STEP) {
      const step = Array.from({ length: Math.min(STEP, messages - from) }, (_, n) => message(from + n));
      await store.run(
        keepEntries,
        step.flatMap((each) => keeper?.message(each) ?? []),
      );
    }
  },

  /** Pages of 50 per second, one after the other by cursor; from the newest again at the end. */
  async readPages(name: string, pages: number): Promise<number> {
    let before: string | undefined;
    return perSecond(pages, async () => {
      for (let page = 0; page < pages; page++) {
        const read = await readMessages(context, numberOf(name).slotId, CHAT, { before, limit: 50 });
        before = read.next_cursor ?? undefined;
      }
    });
  },
};

export type KeepingCalls = typeof calls;
offer(calls);
