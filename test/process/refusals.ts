import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../services/processes.ts';
import { contentsOf, newFolder, ordinaryUser } from './environment.ts';
import { answersReady, runParley, type Setup, startParley, WITHOUT_DEMO } from './parley.ts';
import type { Cases } from './run-cases.ts';

/** Asserts exactly one line of error text, exit code 1, and an unchanged folder. */
async function assertRefusal(setup: Setup, words: RegExp, folder = setup.dataDir): Promise<void> {
  const before = contentsOf(folder);
  const { code, stderr, stdout } = await runParley(setup);
  assert.match(stderr, /^parley: [^\n]+\n$/, `one line, not ${JSON.stringify({ stderr, stdout })}`);
  assert.match(stderr, words);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.deepEqual(contentsOf(folder), before);
}

let lived: Promise<string> | undefined;

/** A folder that a gateway has used: one gateway runs, and the others get copies. */
async function usedFolder(): Promise<string> {
  lived ??= liveIn(newFolder());
  const dataDir = newFolder();
  cpSync(await lived, dataDir, { recursive: true });
  return dataDir;
}

async function liveIn(dataDir: string): Promise<string> {
  const parley = await startParley({ dataDir, env: WITHOUT_DEMO });
  await parley.ready();
  parley.kill('SIGTERM');
  await parley.ended();
  return dataDir;
}

export const refusalCases: Cases = {
  async 'refuses a folder or a database that another gateway uses, by whatever path, and leaves that one alone'() {
    const dataDir = newFolder();
    const first = await startParley({ dataDir, env: WITHOUT_DEMO });
    await first.until(() => first.output.stdout.includes('Parley is ready'));
    assert.doesNotMatch(first.output.stdout, /pk_|curl|Sign in/, 'an unwanted demo');
    const { code, stderr } = await runParley({ dataDir });
    assert.equal(
      stderr,
      `parley: Another Parley uses the data directory ${dataDir}; stop it or choose another directory.\n`,
    );
    assert.equal(code, 1);
    const link = join(newFolder(), 'linked.db');
    symlinkSync(join(dataDir, 'parley.db'), link);
    for (const path of [join(dataDir, 'parley.db'), link]) {
      const env = { PARLEY_DATABASE_URL: `sqlite:${path}` };
      const fromElsewhere = await runParley({ dataDir: newFolder(), env });
      assert.match(
        fromElsewhere.stderr,
        /^parley: Another Parley uses the database .*parley\.db; stop it .*\n$/,
      );
      assert.equal(fromElsewhere.code, 1);
    }
    assert.ok(await answersReady(first.url));
  },

  async 'refuses a value that a setting does not take'() {
    const env = { PARLEY_PORT: 'eighty' };
    await assertRefusal({ dataDir: newFolder(), env }, /PARLEY_PORT must be a number from 0 to 65535/);
  },

  async 'refuses a setting that does not exist'() {
    const env = { PARLEY_PROT: '80' };
    await assertRefusal({ dataDir: newFolder(), env }, /PARLEY_PROT is not a setting of Parley/);
  },

  async 'refuses production without its secrets'() {
    const env = { PARLEY_MODE: 'production' };
    await assertRefusal({ dataDir: newFolder(), env }, /PARLEY_MASTER_KEY is required in production/);
  },

  async 'refuses a file in place of its folder'() {
    const folder = newFolder();
    writeFileSync(join(folder, 'data'), 'precious');
    const dataDir = join(folder, 'data');
    await assertRefusal(
      { dataDir },
      /The data directory .* cannot be written to \((ENOTDIR|EEXIST)\)/,
      folder,
    );
  },

  async 'refuses a folder where none can be made, and media there'() {
    const dataDir = newFolder();
    await assertRefusal(
      { dataDir: '/proc/parley/data' },
      /The data directory .* cannot be written to \(/,
      dataDir,
    );
    const env = { PARLEY_MEDIA_URL: 'file:/proc/parley/media' };
    const { code, stderr } = await runParley({ dataDir, env });
    assert.match(
      stderr,
      /^parley: The media directory \/proc\/parley\/media cannot be written to \([A-Z]+\)\.\n$/,
    );
    assert.equal(code, 1);
  },

  async 'refuses a folder that it may not write to'() {
    const dataDir = join(newFolder(), 'locked');
    mkdirSync(dataDir);
    chmodSync(join(dataDir, '..'), 0o755);
    chmodSync(dataDir, 0o555);
    await assertRefusal(
      { dataDir, spawnOptions: { ...ordinaryUser() } },
      /The data directory .* cannot be written to \(EACCES\)/,
    );
  },

  async 'refuses a port in use, and a master key that does not fit the database, and releases its folder'() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const dataDir = await usedFolder();
    const { code, stderr } = await runParley({ dataDir, env: { PARLEY_PORT: `${port}` } });
    server.close();
    assert.match(stderr, /^parley: cannot listen on 127\.0\.0\.1:\d+: .*PARLEY_PORT \(EADDRINUSE\)\n$/);
    assert.equal(code, 1);

    const env = { PARLEY_MASTER_KEY: randomBytes(32).toString('base64') };
    const words =
      /The master key is not the one that this database is sealed under; set PARLEY_MASTER_KEY to that/;
    const locked = await runParley({ dataDir, env });
    assert.match(locked.stderr, /^parley: [^\n]+\n$/);
    assert.match(locked.stderr, words);
    assert.equal(locked.code, 1);
    const { stdout } = await runParley({ dataDir, env, args: ['doctor'] });
    assert.match(stdout, new RegExp(`master key +FAIL +${words.source}`));
    await (await startParley({ dataDir, env: WITHOUT_DEMO })).ready();
  },

  async 'refuses an address that the machine does not have'() {
    // Reserved for documentation: no machine has it.
    const { code, stderr } = await runParley({ dataDir: newFolder(), env: { PARLEY_HOST: '192.0.2.1' } });
    assert.match(stderr, /^parley: cannot listen on 192\.0\.2\.1:\d+: .*PARLEY_HOST \(EADDRNOTAVAIL\)\n$/);
    assert.equal(code, 1);
  },

  async 'refuses the database of a newer Parley'() {
    const dataDir = await usedFolder();
    const database = new DatabaseSync(join(dataDir, 'parley.db'));
    database.exec("insert into schema_version (version, name, applied_at) values (9999, 'tomorrow', 0)");
    database.close();
    const before = readFileSync(join(dataDir, 'parley.db'));
    const { code, stderr } = await runParley({ dataDir });
    assert.match(
      stderr,
      /^parley: The database has schema version 9999 and this Parley knows only up to \d+; .*\n$/,
    );
    assert.equal(code, 1);
    assert.deepEqual(readFileSync(join(dataDir, 'parley.db')), before);
  },

  async 'refuses a file that is not a database'() {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'parley.db'), 'Dear diary, '.repeat(1_000));
    const { code, stderr } = await runParley({ dataDir });
    assert.match(stderr, /^parley: .*parley\.db is not a SQLite database; .*\n$/);
    assert.equal(code, 1);
    assert.equal(readFileSync(join(dataDir, 'parley.db'), 'utf8'), 'Dear diary, '.repeat(1_000));
  },

  async 'refuses a database server out of reach, without showing its password'() {
    const url = `postgres://parley:hunter2@127.0.0.1:${await freePort()}/parley`;
    const { code, stderr } = await runParley({ dataDir: newFolder(), env: { PARLEY_DATABASE_URL: url } });
    assert.match(stderr, /^parley: [^\n]*127\.0\.0\.1[^\n]*\n$/);
    assert.doesNotMatch(stderr, /hunter2/);
    assert.equal(code, 1);
  },

  async 'refuses a database with damaged pages, and doctor reports it too'() {
    const dataDir = await usedFolder();
    const file = openSync(join(dataDir, 'parley.db'), 'r+');
    for (let page = 5; page < 25; page++) writeSync(file, randomBytes(512), 0, 512, page * 4_096);
    closeSync(file);
    const words = /The database .*parley\.db has damaged pages; restore it from your backup\./;
    const { code, stderr } = await runParley({ dataDir });
    assert.match(stderr, /^parley: [^\n]+\n$/);
    assert.match(stderr, words);
    assert.equal(code, 1);
    const { stdout } = await runParley({ dataDir, args: ['doctor'] });
    assert.match(stdout, new RegExp(`store +FAIL +${words.source}`));
  },

  async 'refuses a master key that was damaged, rather than making another'() {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'master.key'), 'half a key');
    const { code, stderr } = await runParley({ dataDir });
    assert.match(stderr, /^parley: .*master\.key does not hold a master key; restore it from your backup\n$/);
    assert.equal(code, 1);
    assert.equal(readFileSync(join(dataDir, 'master.key'), 'utf8'), 'half a key');
  },
};
