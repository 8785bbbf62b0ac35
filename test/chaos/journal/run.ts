/**
 * Kills a process that holds a WhatsApp session, again and again and without warning, while twenty virtual phones write to it. In
 * the end every message must have come out under one event id: none lost, none under two. An event that was confirmed in the
 * moment of the kill may be offered again under the same id, as the port specifies; those are counted separately.
 *
 * npm test -- journal [--rounds 100] [--seed 1]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  createSeededRandom,
  createSystemClock,
  systemRandom,
} from '../../../packages/gateway/src/kernel/index.ts';
import { startWire } from '../../../packages/sandbox/src/wire/index.ts';
import { createWorld } from '../../../packages/sandbox/src/world/index.ts';
import { endWithUs, makeTemporaryFolder } from '../../services/cleanup.ts';
import type { ChildOrder, ChildReport } from './orders.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const chance = createSeededRandom(Number(values.seed));

const PHONE = '15550001001';
const WRITERS = 20;
const LONGEST_LIFE_MS = 600;
const LONGEST_SILENCE_MS = 160;
/** Enough for a busy machine as well. */
const START_PATIENCE_MS = 120_000;
/** The last run has no time limit while it makes progress. */
const STALL_PATIENCE_MS = 15_000;

const folder = makeTemporaryFolder('parley-chaos-journal-');
const clock = createSystemClock();
const world = createWorld({ file: ':memory:', clock, random: systemRandom });
const wire = await startWire({ world, clock, random: systemRandom });
const recorderFile = join(folder.path, 'recorder.db');
const order: Omit<ChildOrder, 'pair' | 'fence'> = {
  linkId: 'link_chaos',
  phone: PHONE,
  storeFile: join(folder.path, 'gateway.db'),
  recorderFile,
  masterKey: Buffer.from(systemRandom.bytes(32)).toString('base64'),
  url: wire.url,
  rootPublicKey: Buffer.from(wire.rootPublicKey).toString('base64'),
  mediaCaPem: wire.mediaCaPem,
  mediaHost: wire.mediaHost,
};

function start(pair: boolean, fence: number): ChildProcess {
  const argument = JSON.stringify({ ...order, pair, fence } satisfies ChildOrder);
  return endWithUs(fork(new URL('./child.ts', import.meta.url), [argument]));
}

async function nextReport(child: ChildProcess, fits: (report: ChildReport) => boolean): Promise<ChildReport> {
  const patience = AbortSignal.timeout(START_PATIENCE_MS);
  for (;;) {
    const [report]: ChildReport[] = await once(child, 'message', { signal: patience });
    if (report && fits(report)) return report;
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

world.phones.create(PHONE, { name: 'Parley' });
const writers = Array.from({ length: WRITERS }, (_, index) => {
  const phone = String(15_550_002_001 + index);
  world.phones.create(phone, { name: `Phone ${index}` });
  return { phone, device: 0 };
});

const pairing = start(true, 0);
const shown = await nextReport(pairing, ({ kind }) => kind === 'qr');
const paired = nextReport(pairing, ({ kind }) => kind === 'paired');
if (shown.kind === 'qr') await wire.pairing.scan(PHONE, shown.qr);
await paired;
await kill(pairing);

const sent: string[] = [];
let writing = true;
const writes = (async () => {
  while (writing) {
    const writer = writers[chance.below(WRITERS)];
    const id = world.messages.newId();
    if (writer)
      world.messages.send(writer, {
        id,
        to: PHONE,
        content: { type: 'text', text: `message ${sent.length}` },
      });
    sent.push(id);
    await sleep(chance.below(LONGEST_SILENCE_MS));
  }
})();

for (let round = 1; round <= rounds; round += 1) {
  const child = start(false, round);
  await nextReport(child, (report) => report.kind === 'state' && report.state === 'connected');
  await sleep(chance.below(LONGEST_LIFE_MS));
  await kill(child);
}
writing = false;
await writes;

const last = start(false, rounds + 1);
const recorder = new DatabaseSync(recorderFile);
const countIds = recorder.prepare('SELECT count(DISTINCT message_id) AS n FROM events');
let arrived = 0;
let lastProgress = clock.now();
while (arrived < sent.length && clock.now() - lastProgress < STALL_PATIENCE_MS) {
  await sleep(50);
  const now = Number(countIds.get()?.n);
  if (now > arrived) lastProgress = clock.now();
  arrived = now;
}
// A duplicate would arrive within the time of a reconnect.
await sleep(1_000);
await kill(last);

const events = recorder.prepare('SELECT message_id, offered FROM events').all();
const idsPerMessage = new Map<string, number>();
for (const { message_id } of events) {
  const messageId = String(message_id);
  idsPerMessage.set(messageId, (idsPerMessage.get(messageId) ?? 0) + 1);
}
const lost = sent.filter((id) => !idsPerMessage.has(id)).length;
const doubled = [...idsPerMessage.values()].filter((ids) => ids > 1).length;
const repeated = events.filter(({ offered }) => Number(offered) > 1).length;
recorder.close();
await wire.stop();
world.close();
folder.remove();

console.log(
  `rounds ${rounds}, sent ${sent.length}, lost ${lost}, doubled ${doubled}, offered again under the same id ${repeated}`,
);
process.exitCode = lost === 0 && doubled === 0 && sent.length > 0 ? 0 : 1;
