import { strict as assert } from 'node:assert';
import { newFolder } from '../process/environment.ts';
import { type Parley, startParley } from '../process/parley.ts';

/** A gateway on an empty folder, and the output of its first run. */
export interface DemoGateway {
  readonly parley: Parley;
  readonly url: string;
  readonly apiKey: string;
  readonly sessionId: string;
}

const started = new Map<string, Promise<DemoGateway>>();

/** The gateway with these settings: guides with the same settings share it, because starting it takes most of their time. */
export function sharedDemo(env: Readonly<Record<string, string>> = {}): Promise<DemoGateway> {
  const key = JSON.stringify(env);
  const demo = started.get(key) ?? startDemo(env);
  started.set(key, demo);
  return demo;
}

export async function startDemo(env: Readonly<Record<string, string>> = {}): Promise<DemoGateway> {
  // Guides of other programs' interfaces use the same gateway.
  const parley = await startParley({
    dataDir: newFolder(),
    env: { PARLEY_COMPAT: 'evolution,cloud', ...env },
  });
  await parley.until(() => /^ {2}curl .*\n/m.test(parley.output.stdout));
  const { stdout } = parley.output;
  return { parley, url: parley.url, apiKey: shown(stdout, 'API key'), sessionId: shown(stdout, 'Session') };
}

export async function moveTime({ url }: DemoGateway, seconds: number, operatorToken?: string): Promise<void> {
  const answer = await fetch(`${url}/sandbox/v1/clock`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(operatorToken !== undefined && { authorization: `Bearer ${operatorToken}` }),
    },
    body: JSON.stringify({ advance_seconds: seconds }),
  });
  assert.equal(answer.status, 200);
}

/** The value of a name in the greeting of the first run. */
function shown(stdout: string, name: string): string {
  const [, value] = new RegExp(`^ {2}${name} +(\\S+)`, 'm').exec(stdout) ?? [];
  if (value === undefined) throw new Error(`The first run does not show “${name}”:\n${stdout}`);
  return value;
}
