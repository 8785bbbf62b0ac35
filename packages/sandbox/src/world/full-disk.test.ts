import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSteppedClock, systemRandom } from '@parley/gateway/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGround, type Ground } from './ground.ts';

let folder: string;
let ground: Ground;
const clock = createSteppedClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-full-'));
  ground = createGround({ file: join(folder, 'sandbox.db'), clock, random: systemRandom });
  ground.db.run('CREATE TABLE notes (text TEXT)');
});
afterEach(() => {
  ground.db.close();
  rmSync(folder, { recursive: true });
});

/** From here on the file cannot grow: SQLite answers as it does when the disk is full. */
function fillDisk(): void {
  const { page_count } = ground.db.get<{ page_count: number }>('PRAGMA page_count') ?? { page_count: 1 };
  ground.db.get(`PRAGMA max_page_count = ${page_count}`);
}

function freeDisk(): void {
  ground.db.get('PRAGMA max_page_count = 1000000');
}

const write = (): void =>
  void ground.db.run('INSERT INTO notes (text) VALUES (?)', randomBytes(20_000).toString('hex'));
const written = (): number => ground.db.get<{ n: number }>('SELECT count(*) AS n FROM notes')?.n ?? -1;

describe('on a full disk', () => {
  test('an action fails with what is wrong, and the next one works as soon as there is room', () => {
    fillDisk();
    expect(() => ground.act(write)).toThrow('database or disk is full');
    freeDisk();
    ground.act(write);
    expect(written()).toBe(1);
  });

  test('the rest of an action does not outlive a part of it that took all of it along', () => {
    fillDisk();
    const act = (): void =>
      ground.act(() => {
        expect(() => ground.act(write)).toThrow('database or disk is full');
        ground.db.run("INSERT INTO notes (text) VALUES ('alone')");
      });
    expect(act).toThrow('database or disk is full');
    freeDisk();
    expect(written()).toBe(0);
  });

  test('what nobody waits for ends nothing, and is done when there is room', () => {
    fillDisk();
    ground.eventually(write);
    clock.advance(5_000);
    expect(written()).toBe(0);
    freeDisk();
    clock.advance(5_000);
    expect(written()).toBe(1);
  });
});
