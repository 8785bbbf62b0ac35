import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../services/processes.ts';
import { newFolder } from './environment.ts';
import { clock, type Parley, startParley, WITHOUT_DEMO } from './parley.ts';
import type { Cases } from './run-cases.ts';

const PRELOAD = new URL('../chaos/threads/break-threads.ts', import.meta.url);
const LONGEST_END_MS = 20_000;
const ERRORS = {
  uncaughtException: "setImmediate(() => { throw new Error('a bug') })",
  unhandledRejection: "void Promise.reject(new Error('a bug'))",
};

export const crashCases: Cases = {
  async 'an uncaught error is logged, numbers are handed over, and the process exits with 1'() {
    for (const [origin, script] of Object.entries(ERRORS)) {
      const { parley, run } = await startBreakable();
      await parley.until(() => parley.output.stdout.includes('A demo account was made'));
      const hosted = (): unknown =>
        one(parley, 'SELECT count(*) AS value FROM sessions WHERE worker IS NOT NULL');
      assert.equal(hosted(), 1);
      await run('main', script);
      const { code, stdout } = await parley.ended();
      assert.equal(code, 1);
      const lines = logOf(stdout);
      const at = lines.findIndex(({ level }) => level === 'fatal');
      assert.equal(lines[at]?.origin, origin);
      assert.match(lines[at]?.err?.stack ?? '', /^Error: a bug\n/);
      assert.equal(lines.slice(at).at(-1)?.msg, 'stopped');
      assert.equal(hosted(), 0);
      assert.equal(one(parley, 'SELECT count(*) AS value FROM workers'), 0);
      // The store was closed gracefully: its log is merged into the file.
      assert.equal(one(parley, 'PRAGMA quick_check(1)', 'quick_check'), 'ok');
    }
  },

  async 'it exits in time although a hanging database prevents the handover'() {
    const { parley, run } = await startBreakable(WITHOUT_DEMO);
    await parley.ready();
    await run('store-writer', 'for (;;);');
    const brokenAt = clock.monotonic();
    await run('main', ERRORS.uncaughtException);
    const { code, stdout } = await parley.ended();
    const tookMs = clock.monotonic() - brokenAt;
    assert.equal(code, 1);
    assert.ok(tookMs < LONGEST_END_MS, `ended only after ${tookMs} ms`);
    const said = logOf(stdout).map(({ msg }) => msg);
    assert.ok(said.includes('exits after an uncaught error'));
    assert.ok(said.includes('ends without having handed over'));
    return `after ${(tookMs / 1_000).toFixed(1)} s`;
  },
};

/** A gateway in whose threads a test can run code. */
async function startBreakable(env: Record<string, string> = {}) {
  const port = await freePort();
  const parley = await startParley({
    dataDir: newFolder(),
    env: { NODE_OPTIONS: `--import ${PRELOAD}`, PARLEY_TEST_BREAK_PORT: `${port}`, ...env },
  });
  const run = async (thread: string, script: string): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/?thread=${thread}`, {
      method: 'POST',
      body: script,
    });
    assert.ok(answer.ok, `there is no thread ${thread}`);
  };
  return { parley, run };
}

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly origin?: string;
  readonly err?: { readonly stack: string };
}

function logOf(stdout: string): Line[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

function one({ dataDir }: Parley, sql: string, column = 'value'): unknown {
  const db = new DatabaseSync(join(dataDir, 'parley.db'), { timeout: 5_000 });
  try {
    return db.prepare(sql).get()?.[column];
  } finally {
    db.close();
  }
}
