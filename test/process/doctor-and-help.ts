import { strict as assert } from 'node:assert';
import { freePort } from '../services/processes.ts';
import { findOldNode, newFolder } from './environment.ts';
import { runParley, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

const SECRETS = {
  PARLEY_OPERATOR_TOKEN: 'token-that-must-stay-secret',
  PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};

export const wordCases: Cases = {
  async 'doctor shows the configuration without its secrets, and passes every check'() {
    const dataDir = newFolder();
    const { code, stdout, stderr } = await runParley({ dataDir, args: ['doctor'], env: SECRETS });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /PARLEY_MODE +development/);
    assert.match(stdout, new RegExp(`PARLEY_DATA_DIR +${dataDir}`));
    assert.match(stdout, /PARLEY_OPERATOR_TOKEN +\*\*\*/);
    assert.match(stdout, /^CHECK +RESULT +FOUND$/m);
    assert.match(stdout, /^store +ok +SQLite [\d.]+, schema \d+, a commit takes [\d.]+ ms$/m);
    for (const secret of Object.values(SECRETS)) assert.ok(!stdout.includes(secret));
  },

  async 'doctor and start print JSON on request, and doctor also while the gateway runs'() {
    const dataDir = newFolder();
    const { code, stdout } = await runParley({ dataDir, args: ['doctor', '--json'], env: SECRETS });
    const { settings, checks } = JSON.parse(stdout);
    assert.deepEqual([code, checks.every(({ ok }: { ok: boolean }) => ok)], [0, true]);
    assert.ok(
      settings.some(
        ({ name, value }: { name: string; value: string }) =>
          name === 'PARLEY_OPERATOR_TOKEN' && value === '***',
      ),
    );
    const env = { PARLEY_LOG_LEVEL: 'silent' };
    const parley = await startParley({ dataDir, args: ['start', '--json'], env });
    await parley.until(() => parley.output.stdout.endsWith('\n'));
    const ready = JSON.parse(parley.output.stdout);
    assert.equal(ready.url, parley.url);
    assert.match(ready.demo.apiKey, /^pk_/);
    const meanwhile = await runParley({ dataDir, args: ['doctor'] });
    assert.equal(meanwhile.code, 0, meanwhile.stdout);
  },

  async 'doctor names the failed checks, and exits with an error'() {
    const url = `postgres://parley:hunter2@127.0.0.1:${await freePort()}/parley`;
    const env = { PARLEY_DATABASE_URL: url };
    const { code, stdout, stderr } = await runParley({ dataDir: newFolder(), args: ['doctor'], env });
    assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
    assert.match(stdout, /postgres:\/\/\*\*\*@127\.0\.0\.1/);
    assert.match(stdout, /^store +FAIL +\S/m);
    assert.doesNotMatch(stdout, /hunter2/);
  },

  async 'doctor reports a wrong setting in one line'() {
    const env = { PARLEY_MODE: 'prod' };
    const { code, stderr } = await runParley({ dataDir: newFolder(), args: ['doctor'], env });
    assert.deepEqual(
      { code, stderr },
      { code: 1, stderr: 'parley: PARLEY_MODE must be development or production\n' },
    );
  },

  async 'help lists every command and every setting'() {
    for (const words of [['help'], ['--help'], ['help', '--help']]) {
      const { code, stdout, stderr } = await runParley({ dataDir: newFolder(), args: words });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      for (const each of [
        'start',
        'doctor',
        'sandbox',
        'help',
        'PARLEY_MODE',
        'PARLEY_MASTER_KEY',
        'PARLEY_LOG_LEVEL',
      ])
        assert.ok(stdout.includes(each), `${words} says nothing about ${each}`);
    }
  },

  async 'it prints its own version'() {
    const { code, stdout } = await runParley({ dataDir: newFolder(), args: ['--version'] });
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  },

  async 'an unknown command is refused in one line'() {
    const meant = await runParley({ dataDir: newFolder(), args: ['strat'] });
    assert.equal(meant.stderr, 'parley: parley has no command "strat"; did you mean parley start?\n');
    for (const word of ['anchor', 'constructor', '__proto__', '--jsn']) {
      const { code, stdout, stderr } = await runParley({ dataDir: newFolder(), args: [word] });
      const line = `parley: parley has no command "${word}"; try parley help\n`;
      assert.deepEqual({ code, stdout, stderr }, { code: 1, stdout: '', stderr: line });
    }
  },

  async 'the output is the same with a Node.js that is too old'() {
    const node = findOldNode();
    if (!node) return 'skipped: this machine has none';
    const { code, stderr } = await runParley({ dataDir: newFolder(), args: ['anchor'], node });
    assert.deepEqual(
      { code, stderr },
      { code: 1, stderr: 'parley: parley has no command "anchor"; try parley help\n' },
    );
  },
};
