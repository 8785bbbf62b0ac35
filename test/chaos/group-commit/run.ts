import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSeededRandom, createSystemClock, type Random, systemRandom } from '@parley/gateway/kernel';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  type TestDatabase,
} from '../../../packages/gateway/src/platform/store/testing/index.ts';
import { endWithUs } from '../../services/cleanup.ts';
import { startPostgres } from '../../services/postgres.ts';
import { openLedger, readRound } from './ledger.ts';

/**
 * Kills a writing process with SIGKILL at random moments, again and again on the same database, and checks that every
 * acknowledged write is there exactly once.
 *
 * npm test -- group-commit [--rounds 50] [--seed N] [--dialect sqlite|postgres]
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: `${systemRandom.below(2 ** 31)}` },
    dialect: { type: 'string', default: 'sqlite,postgres' },
  },
});

interface Findings {
  acknowledged: number;
  lost: number;
  doubled: number;
}

const clock = createSystemClock();
const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));
const LONGEST_LIFE_MS = 300;

/** Lets a writer run for a random time and returns the numbers that it had acknowledged when it was killed. */
async function writeUntilKilled(url: string, round: number, random: Random): Promise<number[]> {
  const child = endWithUs(
    spawn(process.execPath, [writer, url, `${round}`], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const closed = once(child, 'close');
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  // Now and then it is killed while it is still opening the database.
  if (random.below(5) > 0) await Promise.race([once(child.stdout, 'data'), closed]);
  await clock.sleep(random.below(LONGEST_LIFE_MS));
  child.kill('SIGKILL');
  const [, signal] = await closed;
  if (signal !== 'SIGKILL') throw new Error('The writer ended before it was killed.');
  // The last piece is empty, or a line that was cut off.
  return printed.split('\n').slice(0, -1).map(Number);
}

async function examine({ url }: TestDatabase, rounds: number, random: Random): Promise<Findings> {
  const findings = { acknowledged: 0, lost: 0, doubled: 0 };
  for (let round = 1; round <= rounds; round++) {
    const acknowledged = await writeUntilKilled(url, round, random);
    const store = await openLedger(url);
    const written = await readRound(store, round);
    await store.close();
    findings.acknowledged += acknowledged.length;
    findings.lost += acknowledged.filter((number) => !written.has(number)).length;
    findings.doubled += [...written.values()].filter((times) => times > 1).length;
  }
  return findings;
}

async function passes(dialect: string, createDatabase: () => Promise<TestDatabase>): Promise<boolean> {
  const database = await createDatabase();
  try {
    const rounds = Number(options.rounds);
    const { acknowledged, lost, doubled } = await examine(
      database,
      rounds,
      createSeededRandom(Number(options.seed)),
    );
    console.log(
      `${dialect}: ${rounds} rounds, ${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled`,
    );
    return acknowledged > 0 && lost === 0 && doubled === 0;
  } finally {
    await database.drop();
  }
}

async function passesOnPostgres(): Promise<boolean> {
  const server = await startPostgres();
  try {
    return await passes('postgres', () => createPostgresDatabase(server.url));
  } finally {
    await server.stop();
  }
}

console.log(`seed ${options.seed}`);
const results: boolean[] = [];
if (options.dialect.includes('sqlite')) results.push(await passes('sqlite', createSqliteDatabase));
if (options.dialect.includes('postgres')) results.push(await passesOnPostgres());
const failed = results.filter((passed) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
