import { strict as assert } from 'node:assert';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './environment.ts';
import { runParley, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

const TOKEN = 'operator-token-of-the-tests';
const ENOUGH_TO_FILL_IT = 500;

/** A Node.js whose files cannot grow beyond a megabyte: the same as a full disk to SQLite, without privileges. */
function nodeOnASmallDisk(): string {
  const wrapper = join(newFolder(), 'node');
  // In blocks of 512 bytes, or of 1,024 in some shells.
  writeFileSync(wrapper, `#!/bin/sh\nulimit -S -f 2048\nexec ${JSON.stringify(process.execPath)} "$@"\n`);
  chmodSync(wrapper, 0o755);
  return wrapper;
}

export const fullDiskCases: Cases = {
  async 'keeps running on a full disk, reports the part that is not ready, and stops cleanly'() {
    const dataDir = newFolder();
    const env = { PARLEY_OPERATOR_TOKEN: TOKEN };
    // The file has its schema already, so that the log of the next run begins empty.
    await runParley({ dataDir, args: ['migrate'], env });
    const parley = await startParley({ dataDir, env, node: nodeOnASmallDisk() });
    const ask = (path: string, init?: RequestInit) =>
      fetch(`${parley.url}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}` } });
    const write = async (surface: string, body: object): Promise<number> => {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${parley.url}${surface}`, init)).status;
    };
    await parley.until(async () => (await ask('/healthz').catch(() => undefined))?.status === 200);

    let status = 201;
    for (let number = 0; status < 500 && number < ENOUGH_TO_FILL_IT; number++)
      status = await write('/operator/v1/accounts', { name: `${number}`, email: `${number}@example.com` });
    assert.equal(status, 502);
    // The virtual network has a file of its own, which is full soon too.
    for (let number = 0; status !== 500 && number < ENOUGH_TO_FILL_IT; number++)
      status = await write('/sandbox/v1/phones', {
        phone: `1555${1_000_000 + number}`,
        name: 'x'.repeat(100),
      });

    await parley.until(async () => (await ask('/readyz')).status === 503);
    assert.match(await (await ask('/readyz')).text(), /store/);
    assert.equal((await ask('/healthz')).status, 200);
    assert.equal((await ask('/operator/v1/accounts')).status, 200);
    parley.kill('SIGTERM');
    const { signal } = await parley.ended();
    assert.equal(signal, null);
  },
};
