import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Figures } from './memory-process.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./memory-process.ts', import.meta.url));
/** Whole in memory it would be the size of the account many times over; what is left is noise. */
const MOST_MORE_MB = 16;

async function read(contacts: number, bytes: number): Promise<Figures> {
  const { stdout } = await run(process.execPath, ['--expose-gc', program, String(contacts), String(bytes)]);
  return JSON.parse(stdout);
}

test('the history of a large account takes no more memory than that of a small one', async () => {
  const small = await read(500, 1_000_000);
  const large = await read(20_000, 50_000_000);
  expect(large).toMatchObject({ contacts: 20_000, mappings: 20_000 });
  expect(large.sealedBytes).toBeGreaterThan(20 * 1024 ** 2);
  expect(large.peak - small.peak).toBeLessThan(MOST_MORE_MB);
}, 180_000);
