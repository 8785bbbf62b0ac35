import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf, newFolder } from './environment.ts';
import { openLinkedGateway } from './linked-gateway.ts';
import { runParley, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

export const safekeepingCases: Cases = {
  async 'a busy gateway is backed up, killed and restored elsewhere: its number continues, and nothing is missing'() {
    const { gateway, env, dataDir, send, ada, hasReceived, restart } = await openLinkedGateway();
    const sent = await send(5);
    const received = await Promise.all([1, 2, 3, 4, 5].map(ada.writes));
    await hasReceived(received);
    let busy = true;
    const flood = (async () => {
      for (let count = 0; busy && count < 60; count++) await ada.writes();
    })();
    const file = join(newFolder(), 'today.backup');
    const made = await runParley({ dataDir, env, args: ['backup', file, '--json'] });
    assert.deepEqual({ code: made.code, stderr: made.stderr }, { code: 0, stderr: '' });
    const { rows, schema_version } = JSON.parse(made.stdout);
    assert.ok(rows.network_links === 1 && schema_version > 0, made.stdout);

    const elsewhere = { ...env, PARLEY_DATA_DIR: join(newFolder(), 'data') };
    const putBack = (...options: string[]) =>
      runParley({ dataDir: '', env: elsewhere, args: ['restore', file, ...options] });
    const refused = await putBack('--original-is-gone');
    assert.match(refused.stderr, /^parley: the original still runs; stop it first\n$/);
    assert.equal(refused.code, 1);
    assert.equal(existsSync(elsewhere.PARLEY_DATA_DIR), false);

    busy = false;
    gateway.kill('SIGKILL');
    await assert.rejects(gateway.ended());
    await flood;
    const restored = await putBack();
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(restored.stdout, /Everything is in place/);
    const old = await runParley({ dataDir, env });
    assert.match(old.stderr, /^parley: This database was restored elsewhere from a backup/);

    const again = await restart(elsewhere);
    assert.equal(await again.status(), 'connected');
    const [after] = await again.send(1);
    await ada.hasExactlyOnce([...sent.map(({ text }) => text), after?.text ?? '']);
    for (const { id } of sent) assert.equal((await again.messageOf(id)).message_id, id);
    await again.hasReceived([...received, await ada.writes()]);
  },

  async 'the master key is changed under a running gateway, by a command that is killed and resumed'() {
    const { gateway, env, dataDir, send, ada, restart } = await openLinkedGateway();
    const sent = await send(2);
    const key = randomBytes(32).toString('base64');
    const both = { ...env, PARLEY_MASTER_KEY: `${key},${env.PARLEY_MASTER_KEY}` };
    const rotate = () => runParley({ dataDir, env: both, args: ['rotate-master-key', '--json'] });
    const tooEarly = await rotate();
    assert.match(tooEarly.stderr, /^parley: \S+ runs without the new key; restart it with PARLEY_MASTER_KEY/);
    assert.equal(tooEarly.code, 1);
    gateway.kill('SIGTERM');
    await gateway.ended();

    const changing = await restart(both);
    const killed = await startParley({ dataDir, env: both, args: ['rotate-master-key'] });
    await killed.until(() => /network_records\.value: [1-9]/.test(killed.output.stderr));
    killed.kill('SIGKILL');
    await assert.rejects(killed.ended());
    sent.push(...(await changing.send(1)));
    const half = await runParley({
      dataDir: newFolder(),
      env: { ...env, PARLEY_DATABASE_URL: `sqlite:${join(dataDir, 'parley.db')}` },
      args: ['doctor', '--json'],
    });
    assert.match(half.stdout, /The master key of this database is being changed/);
    const done = await rotate();
    assert.equal(done.code, 0, done.stderr);
    const { resealed, unopened } = JSON.parse(done.stdout);
    assert.ok(resealed > 0 && unopened === 0, done.stdout);
    assert.equal(await changing.status(), 'connected');
    changing.gateway.kill('SIGKILL');
    await assert.rejects(changing.gateway.ended());

    const old = await runParley({ dataDir, env });
    assert.match(old.stderr, /^parley: The master key is not the one that this database is sealed under/);
    const after = await restart({ PARLEY_MASTER_KEY: key });
    assert.equal(await after.status(), 'connected');
    sent.push(...(await after.send(1)));
    await ada.hasExactlyOnce(sent.map(({ text }) => text));
    return `${resealed} boxes after the kill`;
  },

  async 'a killed backup leaves nothing that looks complete, and a restore refuses what does not fit'() {
    const dataDir = newFolder();
    const key = randomBytes(32).toString('base64');
    const env = { PARLEY_MASTER_KEY: key };
    const gateway = await startParley({ dataDir, env });
    await gateway.until(() => gateway.output.stdout.includes('curl'));
    const folder = newFolder();
    // After a late kill the backup is finished, or only its rename is missing.
    let isCutOff = false;
    for (let attempt = 0; !isCutOff; attempt++) {
      assert.ok(attempt < 10, 'none was killed before it was whole');
      isCutOff = await backUpAndKill();
    }

    async function backUpAndKill(): Promise<boolean> {
      // The lock of the killed process, which would count as this one's own.
      rmSync(join(dataDir, 'backing-up'), { recursive: true, force: true });
      const killed = await startParley({ dataDir, env, args: ['backup', folder] });
      await killed.until(() => existsSync(join(dataDir, 'backing-up', 'parley.db')));
      killed.kill('SIGKILL');
      const wasKilled = await killed.ended().then(
        () => false,
        () => true,
      );
      const left = readdirSync(folder);
      if (wasKilled)
        assert.deepEqual(
          left.filter((name) => !name.endsWith('.part')),
          [],
        );
      const checks = left.map((part) =>
        runParley({ dataDir, env, args: ['restore', join(folder, part), '--check'] }),
      );
      const refused = (await Promise.all(checks)).filter(({ code }) => code !== 0);
      for (const { stderr } of refused) assert.match(stderr, /^parley: .*(damaged|is not a backup)/);
      for (const part of left) rmSync(join(folder, part));
      return refused.length === left.length;
    }

    const whole = join(folder, 'whole.backup');
    assert.equal((await runParley({ dataDir, env, args: ['backup', whole] })).code, 0);
    assert.equal(existsSync(join(dataDir, 'backing-up')), false);
    const target = newFolder();
    const stranger = { ...env, PARLEY_MASTER_KEY: randomBytes(32).toString('base64') };
    for (const [surroundings, words] of [
      [{ dataDir: target, env: stranger }, /does not open with this master key/],
      [{ dataDir, env }, /is not empty/],
      [{ dataDir: target, env }, /the original still runs/],
    ] as const) {
      const before = contentsOf(surroundings.dataDir === dataDir ? folder : target);
      const { code, stderr } = await runParley({ ...surroundings, args: ['restore', whole] });
      assert.match(stderr, /^parley: [^\n]+\n$/);
      assert.match(stderr, words);
      assert.equal(code, 1);
      assert.deepEqual(contentsOf(surroundings.dataDir === dataDir ? folder : target), before);
    }
    for (const [file, words] of [
      [folder, /is no file; name the backup itself/],
      [join(folder, 'none'), /there is no file/],
    ] as const) {
      const { code, stderr } = await runParley({ dataDir: target, env, args: ['restore', file] });
      assert.match(stderr, /^parley: [^\n]+\n$/);
      assert.match(stderr, words);
      assert.equal(code, 1);
    }
    const wordless = await runParley({ dataDir: target, args: ['restore', whole] });
    assert.match(wordless.stderr, /^parley: PARLEY_MASTER_KEY is missing/);
  },
};
