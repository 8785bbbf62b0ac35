import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { initAuthCreds } from 'baileys';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';
import { installGuards } from '../../packages/gateway/src/network/whatsapp/guards/index.ts';
import { createMemoryKeys } from '../../packages/gateway/src/network/whatsapp/link/socket.ts';
import { bundleOf, startSignal } from '../../packages/gateway/src/network/whatsapp/testing/signal-ends.ts';
import { TestVaults, vaultCommands } from '../../packages/gateway/src/network/whatsapp/testing/vaults.ts';
import { migrations, openStore } from '../../packages/gateway/src/platform/store/index.ts';
import { median, medianRatio } from '../lib/median.ts';
import { cpuSeconds } from '../lib/usage.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * Cost of a message by the length of its chat: processor time of the driver's Signal layer, with its record read, sealed and
 * committed on SQLite, in a chat of many turns against one of few. Each round begins another short one.
 *
 * npm run bench -- turns [--turns 2000] [--rounds 16]
 */
const { values } = parseArgs({
  options: { turns: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '16' } },
});
const many = Number(values.turns);
const rounds = Number(values.rounds);
const FEW = 50;
const TURNS_PER_ROUND = 25;
const MOST_OF_FEW = 1.2;
const HERE = '15550001001@s.whatsapp.net';
const THERE = '15550002001@s.whatsapp.net';
const THERE_ADDRESS = '15550002001.0';

installGuards();
const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-turns-'));
const store = await openStore({
  url: `sqlite:${join(dataDir, 'parley.db')}`,
  commandModules: vaultCommands,
  migrations,
  clock: createSystemClock(),
});
const vaults = new TestVaults({ store });

/** Milliseconds of processor time per message of the next turns. */
type Chat = () => Promise<number>;

/** A chat of so many turns. They pass in memory, which is faster, and its session is then stored in the vault. */
async function createChat(linkId: string, turns: number): Promise<Chat> {
  await vaults.newLink(linkId);
  const { vault } = await vaults.ownerOf(linkId);
  const theirs = initAuthCreds();
  const there = startSignal(theirs, createMemoryKeys());
  const keys = createMemoryKeys();
  const before = startSignal(vault.creds, keys);
  await before.injectE2ESession({ jid: THERE, session: bundleOf(theirs) as never });
  await takeTurns(before, turns);
  await vault.keys.set({ session: await keys.get('session', [THERE_ADDRESS]) });
  const here = startSignal(vault.creds, vault.keys);

  async function takeTurns(signal: typeof here, count: number): Promise<number> {
    let spent = 0;
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      const begun = cpuSeconds();
      const result = await work();
      spent += cpuSeconds() - begun;
      return result;
    };
    for (let turn = 0; turn < count; turn++) {
      const sent = await counted(() =>
        signal.encryptMessage({ jid: THERE, data: Buffer.from('Is it ready?') }),
      );
      await there.decryptMessage({ jid: HERE, ...sent });
      const answer = await there.encryptMessage({ jid: HERE, data: Buffer.from('At five.') });
      await counted(() => signal.decryptMessage({ jid: THERE, ...answer }));
    }
    return (1_000 * spent) / (2 * count);
  }

  return () => takeTurns(here, TURNS_PER_ROUND);
}

const cpuMs = { few: [] as number[], many: [] as number[] };
try {
  const long = await createChat('long', many);
  for (let round = 0; round <= rounds; round++) {
    const chats = { few: await createChat(`short ${round}`, FEW), many: long };
    // Each goes first by turns: the next one pays for the garbage of the one before.
    const order = round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const);
    for (const name of order) {
      const ms = await chats[name]();
      // Round 0 warms up the compilers and is not counted.
      if (round > 0) cpuMs[name].push(ms);
    }
  }
} finally {
  await store.close();
  rmSync(dataDir, { recursive: true });
}

console.log(`a message after ${FEW} turns: ${median(cpuMs.few).toFixed(2)} ms of processor time`);
console.log(`a message after ${many} turns: ${median(cpuMs.many).toFixed(2)} ms`);
verdict({
  name: `a message after ${many} turns over one after ${FEW}`,
  figure: medianRatio(cpuMs.many, cpuMs.few, Number),
  atMost: MOST_OF_FEW,
});
