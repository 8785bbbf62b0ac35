import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CommandError } from '../command.ts';
import { keyNamed, readInstances, readKeys } from './evolution-source.ts';

test.each([
  ['pre-key-12.json', 'pre-key', '12'],
  ['session-15550002001.0.json', 'session', '15550002001.0'],
  ['session-245100123456789_1.3.json', 'session', '245100123456789_1.3'],
  ['sender-key-120363-77@g.us--15550002001--3.json', 'sender-key', '120363-77@g.us::15550002001::3'],
  ['sender-key-status@broadcast--245100_1--0.json', 'sender-key', 'status@broadcast::245100_1::0'],
  ['sender-key-memory-120363-77@g.us.json', 'sender-key-memory', '120363-77@g.us'],
  ['app-state-sync-key-AAAA__+A=.json', 'app-state-sync-key', 'AAAA/+A='],
  ['lid-mapping-245100_reverse.json', 'lid-mapping', '245100_reverse'],
  ['identity-key-15550002001.0.json', 'identity-key', '15550002001.0'],
])('%s holds a key', (file, kind, id) => {
  expect(keyNamed(file)).toEqual({ kind, id });
});

test.each([
  // The account's state is read again from the start, because Parley never published it.
  'app-state-sync-version-regular.json',
  'creds.json',
  'session-1.0.json.swp',
  'notes.txt',
])('%s does not', (file) => {
  expect(keyNamed(file)).toBeUndefined();
});

test('keys are read as the library wrote them; files that cannot be read as such are left', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-keys-'));
  try {
    await mkdir(path.join(folder, 'i1'));
    const write = (name: string, text: string): Promise<void> =>
      writeFile(path.join(folder, 'i1', name), text);
    await write('identity-key-1.0.json', '{"type":"Buffer","data":"AQID"}');
    await write('session-1.0.json', '{"version":"v1","_sessions":{}}');
    await write('session-2.0.json', '{"version":"v');
    await write('session-3.0.json', 'null');
    expect(await readKeys(folder, 'i1')).toEqual([
      { kind: 'identity-key', id: '1.0', value: Buffer.from([1, 2, 3]) },
      { kind: 'session', id: '1.0', value: { version: 'v1', _sessions: {} } },
    ]);
    expect(await readKeys(folder, 'i2')).toBeUndefined();
    expect(await readKeys(path.join(folder, 'i1'), '../../i1')).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['nowhere', /must be the address of a PostgreSQL database/],
  ['mysql://root@127.0.0.1/evolution', /must be the address of a PostgreSQL database/],
  ['postgres://unknown:secret@127.0.0.1:1/evolution', /cannot be read: .*ECONNREFUSED/],
])('%s is refused in one sentence that keeps the password', async (from, said) => {
  const refused = await readInstances(from).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CommandError);
  expect(String(refused)).toMatch(said);
  expect(String(refused)).not.toContain('secret');
});

test.runIf(process.env.PARLEY_TEST_POSTGRES_URL)('reports a database of another program', async () => {
  const reading = readInstances(`${process.env.PARLEY_TEST_POSTGRES_URL}?schema=nothing_here`);
  await expect(reading).rejects.toThrow('--from is no database of Evolution API 2.3');
});
