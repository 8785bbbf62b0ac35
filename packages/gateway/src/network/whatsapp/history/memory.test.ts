import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Figures } from '../testing/history-memory-process.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../testing/history-memory-process.ts', import.meta.url));
/**
 * `bench/account` links a larger one. Held in memory it would be many times the size of the account; the rest is
 * noise.
 */
const MOST_MORE_MB = 16;

async function read(contacts: number, bytes: number): Promise<Figures> {
  const { stdout } = await run(process.execPath, ['--expose-gc', program, String(contacts), String(bytes)]);
  return JSON.parse(stdout);
}

test('reads the history of a large account in no more memory than that of a small one', async () => {
  const [small, large] = await Promise.all([read(200, 500_000), read(5_000, 24_000_000)]);
  expect(large).toMatchObject({ contacts: 5_000, mappings: 5_000, messages: 750 });
  expect(large.sealedBytes).toBeGreaterThan(10 * 1024 ** 2);
  expect(large.peak - small.peak).toBeLessThan(MOST_MORE_MB);
}, 180_000);
