import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSteppedClock, systemRandom } from '@parley/gateway/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorldContext, type WorldContext } from './world-context.ts';

let folder: string;
let context: WorldContext;
const clock = createSteppedClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-full-'));
  context = createWorldContext({ file: join(folder, 'sandbox.db'), clock, random: systemRandom });
  context.db.run('CREATE TABLE notes (text TEXT)');
});
afterEach(() => {
  context.db.close();
  rmSync(folder, { recursive: true });
});

/** The file cannot grow any more: SQLite answers as on a full disk. */
function fillDisk(): void {
  const { page_count } = context.db.get<{ page_count: number }>('PRAGMA page_count') ?? { page_count: 1 };
  context.db.get(`PRAGMA max_page_count = ${page_count}`);
}

function freeDisk(): void {
  context.db.get('PRAGMA max_page_count = 1000000');
}

const write = (): void =>
  void context.db.run('INSERT INTO notes (text) VALUES (?)', randomBytes(20_000).toString('hex'));
const written = (): number => context.db.get<{ n: number }>('SELECT count(*) AS n FROM notes')?.n ?? -1;

describe('on a full disk', () => {
  test('an action fails with the cause, and the next one succeeds as soon as there is room', () => {
    fillDisk();
    expect(() => context.act(write)).toThrow('database or disk is full');
    freeDisk();
    context.act(write);
    expect(written()).toBe(1);
  });

  test('the rest of an action is not written after a part of it rolled back the whole transaction', () => {
    fillDisk();
    const act = (): void =>
      context.act(() => {
        expect(() => context.act(write)).toThrow('database or disk is full');
        context.db.run("INSERT INTO notes (text) VALUES ('alone')");
      });
    expect(act).toThrow('database or disk is full');
    freeDisk();
    expect(written()).toBe(0);
  });

  test('background work ends no process, and completes when there is room', () => {
    fillDisk();
    context.runInBackground(write);
    clock.advance(5_000);
    expect(written()).toBe(0);
    freeDisk();
    clock.advance(5_000);
    expect(written()).toBe(1);
  });
});
