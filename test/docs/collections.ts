import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolsOnDemand } from '../../tools/tools-on-demand.ts';
import { newFolder } from '../process/environment.ts';
import { type DemoGateway, startDemo } from './demo.ts';

const OPERATOR_TOKEN = 'the-operator-token-of-the-collection';
/** Sends are a second apart. */
const LONGEST_MS = 180_000;
const execute = promisify(execFile);

interface Collection {
  readonly variable: { readonly key: string; value: string }[];
  readonly item: readonly { readonly name: string; readonly item: readonly unknown[] }[];
}

/** A fresh gateway, and its collection with the values of its owner. */
async function fresh(): Promise<{ demo: DemoGateway; collection: Collection; requests: number }> {
  const demo = await startDemo({ PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN });
  const answer = await fetch(`${demo.url}/docs/parley.postman_collection.json`);
  const collection = (await answer.json()) as Collection;
  const filled: Record<string, string> = { api_key: demo.apiKey, operator_token: OPERATOR_TOKEN };
  for (const variable of collection.variable) variable.value = filled[variable.key] ?? variable.value;
  const requests = collection.item.slice(0, -1).reduce((sum, { item }) => sum + item.length, 0);
  return { demo, collection, requests };
}

/** The number is still linked, and no terms are pending. */
async function assertUnharmed({ url, apiKey, sessionId }: DemoGateway): Promise<void> {
  const answer = await fetch(`${url}/v1/sessions`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { sessions } = (await answer.json()) as { sessions: { session_id: string; status: string }[] };
  assert.equal(answer.status, 200);
  assert.deepEqual(
    sessions.map(({ session_id, status }) => [session_id, status]),
    [[sessionId, 'connected']],
  );
}

/** In parallel: most of the time passes between two sends. */
export async function collectionsCase(): Promise<string> {
  const runners = await toolsOnDemand(path.join(import.meta.dirname, 'collection-runners'));
  const [requests] = await Promise.all([runInNewman(runners), runInBruno(runners)]);
  return `${requests} requests`;
}

async function runInNewman(runners: string): Promise<number> {
  const { demo, collection, requests } = await fresh();
  const folder = newFolder();
  const [file, report] = [path.join(folder, 'collection.json'), path.join(folder, 'report.json')];
  writeFileSync(file, JSON.stringify(collection));
  const args = ['run', file, '--reporters', 'cli,json', '--reporter-json-export', report, '--color', 'off'];
  await run(path.join(runners, 'newman', 'bin', 'newman.js'), args, folder);
  const { run: newmanResult } = JSON.parse(readFileSync(report, 'utf8'));
  assert.equal(newmanResult.stats.assertions.total, requests);
  assert.deepEqual(newmanResult.failures, []);
  await assertUnharmed(demo);
  return requests;
}

async function runInBruno(runners: string): Promise<number> {
  const { demo, collection, requests } = await fresh();
  const folder = path.join(newFolder(), 'collection');
  mkdirSync(folder);
  // As Bruno imports the file.
  const requireThere = createRequire(path.join(runners, 'x.js'));
  const { postmanToBruno } = requireThere('@usebruno/converters');
  const { createCollectionFromBrunoObject } = requireThere('@usebruno/cli/src/utils/collection.js');
  const read = await postmanToBruno(collection);
  await createCollectionFromBrunoObject(read.collection ?? read, folder);
  const report = path.join(folder, 'report.json');
  const args = ['run', '-r', '--sandbox', 'developer', '--reporter-json', report];
  await run(path.join(runners, '@usebruno', 'cli', 'bin', 'bru.js'), args, folder);
  const [{ summary }] = JSON.parse(readFileSync(report, 'utf8'));
  assert.deepEqual(
    { failed: summary.failedRequests + summary.errorRequests, passed: summary.passedRequests },
    { failed: 0, passed: requests },
  );
  await assertUnharmed(demo);
  return requests;
}

async function run(program: string, args: string[], cwd: string): Promise<void> {
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: cwd };
  await execute(process.execPath, [program, ...args], {
    cwd,
    env,
    timeout: LONGEST_MS,
    maxBuffer: 64 * 1024 ** 2,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${path.basename(program)} failed:\n${error.stdout}\n${error.stderr}`);
  });
}
