import { strict as assert } from 'node:assert';
import { newFolder } from './environment.ts';
import { clock, type Ended, type Parley, runParley, startParley } from './parley.ts';

const TOKEN = 'token-of-the-operator';
const PATIENCE_MS = 30_000;

/** A gateway with a demo, and the commands of its operator and of the demo's owner. */
export interface CliHarness {
  readonly gateway: Parley;
  readonly demoAccount: string;
  /** The environment of the commands. */
  readonly env: Record<string, string>;
  run(...args: string[]): Promise<Ended>;
  /** Fails unless the command succeeds; returns the JSON that it prints. */
  json<T>(...args: string[]): Promise<T>;
  /** A command that runs until it is stopped. */
  begin(...args: string[]): Promise<Parley>;
  /** The same with an input that a person types. */
  beginTyped(...args: string[]): Promise<Parley>;
  /** An action or a view of a virtual phone. */
  onPhone<T = unknown>(path: string, body?: object): Promise<T>;
  eventually(condition: () => Promise<boolean>): Promise<void>;
}

let opened: Promise<CliHarness> | undefined;

/** Shared: each case creates its own data, and leaves the demo with its one session and without a webhook. */
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
    beginTyped: (...args) => startParley({ dataDir, args, env, isTyped: true }),
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
