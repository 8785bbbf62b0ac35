import { strict as assert } from 'node:assert';
import { get } from 'node:https';
import { newFolder } from './environment.ts';
import { type Parley, runParley, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

/** A network of its own, which outlives the gateways on it. */
export async function startSandbox(dataDir: string, env: Record<string, string> = {}): Promise<Parley> {
  const sandbox = await startParley({
    ...{ dataDir, args: ['sandbox'] },
    env: { PARLEY_PORT: `${somePort()}`, ...env },
  });
  await sandbox.until(() => sandbox.output.stdout.includes('The sandbox is ready'));
  return sandbox;
}

let ports = 0;
/** The next ports must be free too: the network itself listens there. */
function somePort(): number {
  ports += 3;
  return 20_000 + (process.pid % 10_000) + ports;
}

export const sandboxCases: Cases = {
  async 'the sandbox runs alone in a folder that no gateway may share, and a gateway creates its demo on its own network only'() {
    const folder = newFolder();
    const sandbox = await startSandbox(folder);
    const phones = await fetch(`${sandbox.url}/sandbox/v1/phones`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone: '15550003001', name: 'Nina' }),
    });
    assert.equal(phones.status, 201);
    const refused = await runParley({ dataDir: folder });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^parley: Another Parley uses the data directory .*\n$/);

    const gateway = await startParley({ dataDir: newFolder(), env: { PARLEY_SANDBOX_URL: sandbox.url } });
    await gateway.until(() => gateway.output.stdout.includes(`${sandbox.url}/sandbox/v1`));
    assert.doesNotMatch(gateway.output.stdout, /curl/);
    const forwarded = await fetch(`${gateway.url}/sandbox/v1/phones/15550003001`);
    assert.equal(((await forwarded.json()) as { name: string }).name, 'Nina');
    for (const each of [gateway, sandbox]) {
      each.kill('SIGTERM');
      const { code, stderr } = await each.ended();
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    }
  },

  async 'a sandbox on all addresses of its machine gives addresses, with certificates, for the name that it is asked by'() {
    const sandbox = await startSandbox(newFolder(), { PARLEY_HOST: '0.0.0.0' });
    // Another address of this machine, as a container's.
    const byName = sandbox.url.replace('127.0.0.1', '127.0.0.2');
    const { url, media_host, media_ca } = (await (
      await fetch(`${byName}/sandbox/v1/endpoint`)
    ).json()) as Record<string, string>;
    assert.match(`${url} ${media_host}`, /^ws:\/\/127\.0\.0\.2:\d+\/ws\/chat 127\.0\.0\.2:\d+$/);
    const status = await new Promise((resolve, reject) => {
      const asked = get(`https://${media_host}/mms/image/none`, { ca: media_ca ?? '' }, ({ statusCode }) =>
        resolve(statusCode),
      );
      asked.on('error', reject);
    });
    assert.equal(status, 404);
    sandbox.kill('SIGTERM');
    await sandbox.ended();
  },

  async 'on the real network there is no sandbox, and no demo'() {
    const parley = await startParley({ dataDir: newFolder(), env: { PARLEY_NETWORK: 'whatsapp' } });
    await parley.until(() => parley.output.stdout.includes('Parley is ready'));
    assert.doesNotMatch(parley.output.stdout, /Sandbox|curl/);
    for (const path of ['phones', 'clock', 'endpoint']) {
      const answer = await fetch(`${parley.url}/sandbox/v1/${path}`);
      assert.deepEqual([answer.status, await answer.json()], [404, { error: 'not found' }]);
    }
  },

  async 'a gateway whose sandbox does not answer reports it in one line'() {
    const env = { PARLEY_SANDBOX_URL: `http://127.0.0.1:${somePort()}` };
    const { code, stderr } = await runParley({ dataDir: newFolder(), env });
    const line = `parley: no sandbox answers at ${env.PARLEY_SANDBOX_URL}; start one (parley sandbox) or correct PARLEY_SANDBOX_URL\n`;
    assert.deepEqual({ code, stderr }, { code: 1, stderr: line });
  },
};
