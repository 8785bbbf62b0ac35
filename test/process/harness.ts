import { strict as assert } from 'node:assert';
import { clock, type Ended, type Parley, runParley, startParley } from './parley.ts';
import { newFolder } from './surroundings.ts';

const TOKEN = 'token-of-the-operator';
const PATIENCE_MS = 30_000;

/** A gateway with a demo, and the commands of whoever runs it and of the demo's owner. */
export interface CliHarness {
  readonly gateway: Parley;
  readonly demoAccount: string;
  /** What the commands are told by the environment. */
  readonly env: Record<string, string>;
  run(...args: string[]): Promise<Ended>;
  /** Fails unless the command succeeds; gives the JSON that it prints. */
  json<T>(...args: string[]): Promise<T>;
  /** A command that goes on until it is told to stop. */
  begin(...args: string[]): Promise<Parley>;
  /** Somebody does something with a virtual phone, or looks at it. */
  onPhone<T = unknown>(path: string, body?: object): Promise<T>;
  eventually(condition: () => Promise<boolean>): Promise<void>;
}

let opened: Promise<CliHarness> | undefined;

/** The same for all: each case makes what it works with, and leaves the demo with its one session and without a webhook. */
export function openHarness(): Promise<CliHarness> {
  opened ??= open();
  return opened;
}

async function open(): Promise<CliHarness> {
  const dataDir = newFolder();
  const gateway = await startParley({ dataDir, env: { PARLEY_OPERATOR_TOKEN: TOKEN }, shared: true });
  await gateway.until(() => /^ {2}curl .*\n/m.test(gateway.output.stdout));
  const [key = ''] = /pk_\w+/.exec(gateway.output.stdout) ?? [];
  const env = { PARLEY_URL: gateway.url, PARLEY_API_KEY: key, PARLEY_OPERATOR_TOKEN: TOKEN };
  const run = (...args: string[]): Promise<Ended> => runParley({ dataDir, args, env });
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(...args, '--json');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const { accounts } = await json<{ accounts: { account_id: string }[] }>('account', 'list');
  assert.equal(accounts.length, 1);
  return {
    gateway,
    demoAccount: accounts[0]?.account_id ?? '',
    env,
    run,
    json,
    begin: (...args) => startParley({ dataDir, args, env }),
    async onPhone(path, body) {
      const answer = await fetch(`${gateway.url}/sandbox/v1${path}`, {
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, text);
      return text === '' ? undefined : JSON.parse(text);
    },
    async eventually(condition) {
      const giveUpAt = clock.monotonic() + PATIENCE_MS;
      while (!(await condition())) {
        assert.ok(clock.monotonic() < giveUpAt, 'it never happened');
        await clock.sleep(50);
      }
    },
  };
}
