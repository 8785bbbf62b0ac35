/**
 * Restarts PostgreSQL under a writing store, gracefully and by a crash, again and again. Acknowledged writes must be there once,
 * failed ones never, unknown ones at most once; and the store must write again without a restart.
 *
 * npm test -- restart [--rounds 10]
 */
import { strict as assert } from 'node:assert';
import { parseArgs } from 'node:util';
import { createSystemClock } from '@parley/gateway/kernel';
import { isStoreError } from '@parley/gateway/store';
import { startOwnPostgres } from '../../services/postgres.ts';
import { openLedger, readRound } from '../group-commit/ledger.ts';
import { writeEntry } from '../group-commit/write-commands.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const rounds = Number(values.rounds);
const CALLERS = 32;
const BEFORE_RESTART_MS = 300;
/** Pause of a caller after a refused write, before its next one. */
const PAUSE_MS = 20;
const BACK_WITHIN_MS = 20_000;

const clock = createSystemClock();
await using opened = new AsyncDisposableStack();
const server = await startOwnPostgres();
opened.defer(() => server.stop());
const store = await openLedger(server.url);
opened.defer(() => store.close());

const totals = { acknowledged: 0, refused: 0, unknown: 0 };
let slowestMs = 0;

async function writeThrough(round: number, how: 'in order' | 'by a crash'): Promise<void> {
  const outcomes = { acknowledged: [] as number[], refused: [] as number[], unknown: [] as number[] };
  let last = 0;
  let isOver = false;
  const keepWriting = async (): Promise<void> => {
    while (!isOver) {
      const number = ++last;
      await store.run(writeEntry, { round, number }).then(
        () => outcomes.acknowledged.push(number),
        async (error: unknown) => {
          outcomes[isStoreError(error, 'commit_unknown') ? 'unknown' : 'refused'].push(number);
          await clock.sleep(PAUSE_MS);
        },
      );
    }
  };
  const writing = Promise.all(Array.from({ length: CALLERS }, keepWriting));
  await clock.sleep(BEFORE_RESTART_MS);
  await server.restart(how);
  const readyAt = clock.monotonic();
  const before = outcomes.acknowledged.length;
  while (outcomes.acknowledged.length === before) {
    assert.ok(clock.monotonic() - readyAt < BACK_WITHIN_MS, 'it writes again');
    await clock.sleep(10);
  }
  slowestMs = Math.max(slowestMs, clock.monotonic() - readyAt);
  isOver = true;
  await writing;
  await store.check();

  const written = await readRound(store, round);
  assert.deepEqual(
    outcomes.acknowledged.filter((number) => written.get(number) !== 1),
    [],
    'acknowledged, so there once',
  );
  assert.deepEqual(
    outcomes.refused.filter((number) => written.has(number)),
    [],
    'refused, so not there',
  );
  assert.deepEqual(
    outcomes.unknown.filter((number) => (written.get(number) ?? 0) > 1),
    [],
    'unknown, so there once at most',
  );
  for (const name of ['acknowledged', 'refused', 'unknown'] as const) totals[name] += outcomes[name].length;
}

for (let round = 1; round <= rounds; round++)
  await writeThrough(round, round % 2 === 0 ? 'in order' : 'by a crash');
console.log(
  `${rounds} restarts: ${totals.acknowledged} acknowledged, ${totals.refused} refused, ${totals.unknown} unknown; 0 lost, 0 doubled; ` +
    `wrote again within ${slowestMs.toFixed(0)} ms of the server`,
);
