import { expect, test } from 'vitest';
import { CommandError } from '../command.ts';
import { readInstances } from './evolution-database.ts';

test.each([
  ['nowhere', /must be the address of a PostgreSQL database/],
  ['mysql://root@127.0.0.1/evolution', /must be the address of a PostgreSQL database/],
  ['postgres://nobody:secret@127.0.0.1:1/evolution', /cannot be read: .*ECONNREFUSED/],
])('%s is refused in one sentence that keeps the password', async (from, said) => {
  const refused = await readInstances(from).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CommandError);
  expect(String(refused)).toMatch(said);
  expect(String(refused)).not.toContain('secret');
});

test.runIf(process.env.PARLEY_TEST_POSTGRES_URL)('a database of something else is told as such', async () => {
  const reading = readInstances(`${process.env.PARLEY_TEST_POSTGRES_URL}?schema=nothing_here`);
  await expect(reading).rejects.toThrow('--from is no database of Evolution API 2.3');
});
