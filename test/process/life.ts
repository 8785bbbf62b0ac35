import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { answersReady, clock, startParley, WITHOUT_DEMO } from './parley.ts';
import type { Cases } from './run-cases.ts';
import { findOldNode, newFolder } from './surroundings.ts';

const LONGEST_STOP_MS = 10_000;

export const lifeCases: Cases = {
  async 'starts on an empty folder, gets ready, and again after it was told to end, after Ctrl-C and after a kill -9'() {
    const dataDir = `${newFolder()}/new/data`;
    const first = await startParley({ dataDir });
    const readyMs = await first.ready();
    // Behind that it makes the demo of the first run.
    await first.until(() => first.output.stdout.includes('Parley is ready'));
    const stopMs = await stop(first, 'SIGTERM');

    const second = await startParley({ dataDir, env: WITHOUT_DEMO });
    await second.ready();
    await stop(second, 'SIGINT');

    const killed = await startParley({ dataDir, env: WITHOUT_DEMO });
    await killed.ready();
    killed.kill('SIGKILL');
    await assert.rejects(killed.ended());

    // On a Node.js that is too old, where this machine has one: it runs through the one that npm brought.
    const node = findOldNode();
    const last = await startParley({ dataDir, env: WITHOUT_DEMO, ...(node && { node }) });
    await last.ready();
    await stop(last, 'SIGTERM');
    assert.equal(await answersReady(last.url), false, 'the process behind the launcher is gone too');
    const bare = bareNodeMs();
    const own = readyMs - bare;
    return `ready in ${own.toFixed(0)} ms beyond the ${bare.toFixed(0)} ms of node -e 0, ended in ${stopMs.toFixed(0)} ms${node ? '' : ', without a Node.js that is too old'}`;
  },

  async 'ends well also when it is told to while it is still starting'() {
    const parley = await startParley({ dataDir: newFolder() });
    // Its lock is the first thing that it makes.
    await parley.until(() => existsSync(join(parley.dataDir, 'parley.lock')));
    parley.kill('SIGTERM');
    const { code, stderr } = await parley.ended();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  },

  async 'takes one Ctrl-C for one, although launcher and gateway both hear it'() {
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
  const toldAt = clock.monotonic();
  parley.kill(signal);
  const { code, stderr } = await parley.ended();
  const tookMs = clock.monotonic() - toldAt;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.ok(tookMs < LONGEST_STOP_MS, `ended only after ${tookMs} ms`);
  return tookMs;
}

/** What this machine takes at the moment to start a program that does nothing: the middle of five. */
export function bareNodeMs(): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = clock.monotonic();
    execFileSync(process.execPath, ['-e', '0']);
    return clock.monotonic() - startedAt;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}
