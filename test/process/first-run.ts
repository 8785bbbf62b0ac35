import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { newFolder } from './environment.ts';
import { type Parley, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

const inShell = promisify(execFile);

const isReady = (parley: Parley) => parley.until(() => parley.output.stdout.includes('/sandbox/v1\n'));
const hasDemo = (parley: Parley) => parley.until(() => /^ {2}curl .*\n/m.test(parley.output.stdout));

/** The messages on Ada's phone. */
async function textsOf(parley: Parley, phone: string): Promise<string[]> {
  const answer = await fetch(`${parley.url}/sandbox/v1/phones/${phone}/messages`);
  const { messages } = (await answer.json()) as { messages: { text: string }[] };
  return messages.map(({ text }) => text);
}

export const firstRunCases: Cases = {
  async 'the first run creates a demo with a working command line, the second run prints none'() {
    const dataDir = newFolder();
    const parley = await startParley({ dataDir });
    await hasDemo(parley);
    const { stdout } = parley.output;
    assert.match(stdout, new RegExp(`Portal +${parley.url}/portal`));
    assert.match(stdout, /Sign in +demo@parley\.local +\S{10,}/);
    assert.match(stdout, /Session +15550001001:\d+@s\.whatsapp\.net/);
    const [key = ''] = /pk_\w+/.exec(stdout) ?? [];
    const [line = ''] = /^ {2}curl .*$/m.exec(stdout) ?? [];

    const answer = JSON.parse((await inShell('sh', ['-c', line])).stdout);
    assert.equal(answer.status, 'accepted');
    await parley.until(async () => (await textsOf(parley, '15550002001')).length === 1);
    assert.deepEqual(await textsOf(parley, '15550002001'), ['Hello Ada']);
    // Its people are in each other's address books.
    for (const [phone, others] of [
      ['15550001001', ['15550002001', '15550002002']],
      ['15550002001', ['15550001001', '15550002002']],
    ] as const) {
      const found = await fetch(`${parley.url}/sandbox/v1/phones/${phone}`);
      const { contacts } = (await found.json()) as { contacts: { phone: string }[] };
      assert.deepEqual(contacts.map((contact) => contact.phone).sort(), others);
    }
    parley.kill('SIGTERM');
    assert.equal((await parley.ended()).code, 0);

    const again = await startParley({ dataDir });
    await isReady(again);
    assert.doesNotMatch(again.output.stdout, /pk_|curl|Sign in/);
    const sessions = async (): Promise<{ status: string }[]> => {
      const headers = { authorization: `Bearer ${key}` };
      const listed = await (await fetch(`${again.url}/v1/sessions`, { headers })).json();
      return (listed as { sessions: { status: string }[] }).sessions;
    };
    await again.until(async () => (await sessions())[0]?.status === 'connected');
    assert.deepEqual(await textsOf(again, '15550002001'), ['Hello Ada']);
  },

  async 'production creates no demo, and its output is lines of JSON'() {
    const env = {
      PARLEY_MODE: 'production',
      PARLEY_OPERATOR_TOKEN: 'token-that-must-stay-secret',
      PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const parley = await startParley({ dataDir: newFolder(), env });
    await parley.until(() => parley.output.stdout.includes('"ready"'));
    assert.doesNotMatch(parley.output.stdout, /pk_|curl|Sign in/);
    const headers = { authorization: `Bearer ${env.PARLEY_OPERATOR_TOKEN}` };
    const accounts = await (await fetch(`${parley.url}/operator/v1/accounts`, { headers })).json();
    assert.deepEqual(accounts, { accounts: [], next_cursor: null });
    assert.equal((await fetch(`${parley.url}/sandbox/v1/phones`)).status, 401);
    assert.equal((await fetch(`${parley.url}/sandbox/v1/phones`, { headers })).status, 200);
    parley.kill('SIGTERM');
    const { stdout, stderr } = await parley.ended();
    for (const line of stdout.trimEnd().split('\n')) assert.equal(typeof JSON.parse(line), 'object');
    assert.equal(stderr, '');
  },
};
