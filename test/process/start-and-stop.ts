import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findOldNode, newFolder } from './environment.ts';
import { answersReady, clock, startParley, WITHOUT_DEMO } from './parley.ts';
import type { Cases } from './run-cases.ts';

const LONGEST_STOP_MS = 10_000;

export const lifeCases: Cases = {
  async 'starts on an empty folder, and again after a stop, after Ctrl-C and after a kill -9'() {
    const dataDir = `${newFolder()}/new/data`;
    const first = await startParley({ dataDir });
    const readyMs = await first.ready();
    // After that it creates the demo of the first run.
    await first.until(() => first.output.stdout.includes('Parley is ready'));
    for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
      assert.equal(statSync(join(dataDir, name)).mode & 0o077, 0, `${name} is for this user alone`);
    const stopMs = await stop(first, 'SIGTERM');

    const second = await startParley({ dataDir, env: WITHOUT_DEMO });
    await second.ready();
    await stop(second, 'SIGINT');

    const killed = await startParley({ dataDir, env: WITHOUT_DEMO });
    await killed.ready();
    killed.kill('SIGKILL');
    await assert.rejects(killed.ended());

    // On a Node.js that is too old, where this machine has one: the launcher switches to the one from npm.
    const node = findOldNode();
    const last = await startParley({ dataDir, env: WITHOUT_DEMO, ...(node && { node }) });
    await last.ready();
    await stop(last, 'SIGTERM');
    assert.equal(await answersReady(last.url), false, 'the process behind the launcher is gone too');
    const bare = bareNodeMs();
    const own = readyMs - bare;
    return `ready in ${own.toFixed(0)} ms beyond the ${bare.toFixed(0)} ms of node -e 0, ended in ${stopMs.toFixed(0)} ms${node ? '' : ', without a Node.js that is too old'}`;
  },

  async 'stops cleanly during its start too'() {
    const parley = await startParley({ dataDir: newFolder() });
    // Its lock is the first file that it creates.
    await parley.until(() => existsSync(join(parley.dataDir, 'parley.lock')));
    parley.kill('SIGTERM');
    const { code, stderr } = await parley.ended();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  },

  async 'treats one Ctrl-C as one, although launcher and gateway both get it'() {
    const node = findOldNode() ?? process.execPath;
    const spawnOptions = { detached: true };
    const parley = await startParley({ dataDir: newFolder(), node, env: WITHOUT_DEMO, spawnOptions });
    await parley.ready();
    process.kill(-parley.pid, 'SIGINT');
    const { code } = await parley.ended();
    assert.equal(code, 0);
    assert.equal(await answersReady(parley.url), false);
  },
};

async function stop(parley: Awaited<ReturnType<typeof startParley>>, signal: 'SIGTERM' | 'SIGINT') {
  const stoppedAt = clock.monotonic();
  parley.kill(signal);
  const { code, stderr } = await parley.ended();
  const tookMs = clock.monotonic() - stoppedAt;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.ok(tookMs < LONGEST_STOP_MS, `ended only after ${tookMs} ms`);
  return tookMs;
}

/** Current start time of an empty program on this machine: the median of five. */
export function bareNodeMs(): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = clock.monotonic();
    execFileSync(process.execPath, ['-e', '0']);
    return clock.monotonic() - startedAt;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}
