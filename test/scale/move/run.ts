/**
 * Moves a gateway with many linked numbers from SQLite to PostgreSQL, with sends and deliveries pending, and kills the move in
 * the middle. Afterwards every number must be connected without a new pairing, and accepted messages must arrive once.
 *
 * npm test -- move [--sessions 50]
 */
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import type { HostedSession } from '@parley/contract';
import { createSystemClock } from '@parley/gateway/kernel';
import { createPostgresDatabase } from '../../../packages/gateway/src/platform/store/testing/index.ts';
import { type LinkedNumber, linkNumber, newPhone, until } from '../../chaos/linked-number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../../conformance/gateway-access.ts';
import { type Launched, launch } from '../../conformance/launch.ts';
import { runParley, startParley } from '../../process/parley.ts';
import { startPostgres } from '../../services/postgres.ts';
import { stopProcess } from '../../services/processes.ts';
import { startReceiver } from './receiver.ts';

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '50' } } });
const wanted = Number(values.sessions);
/** Creating keys for a link keeps one core busy. */
const LINKED_AT_ONCE = 4;
/** Points of the kill: somewhere in the middle, and among the credentials. */
const KILLED_AT = ['devices', 'network_records'];

const clock = createSystemClock();
await using opened = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'parley-move-'));
opened.defer(() => rmSync(folder, { recursive: true, force: true }));
const dataDir = join(folder, 'gateway');
const server = await startPostgres();
opened.defer(() => server.stop());
const database = await createPostgresDatabase(server.url);
opened.defer(() => database.drop());
const receiver = await startReceiver();
opened.defer(() => receiver.stop());

const common = { PARLEY_PORT: '0', PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_LOG_LEVEL: 'error' };
const sandbox = await launch('sandbox', { ...common, PARLEY_DATA_DIR: join(folder, 'sandbox') });
opened.defer(() => stopProcess(sandbox.child, 'SIGTERM'));
const settings = { ...common, PARLEY_DATA_DIR: dataDir, PARLEY_SANDBOX_URL: sandbox.url };

const urls: string[] = [];
const gateway = gatewayAt(urls);

async function start(environment: Record<string, string>): Promise<Launched> {
  const launched = await launch('start', { ...settings, ...environment });
  urls.splice(0, urls.length, launched.url);
  return launched;
}

async function connected(): Promise<string[]> {
  const { sessions } = await gateway.operator<{ sessions: HostedSession[] }>('GET', '/sessions');
  const here = sessions.filter(({ status, worker }) => status === 'connected' && worker !== null);
  return here.map(({ session_id }) => session_id).sort();
}

async function linkAll(): Promise<LinkedNumber[]> {
  const numbers: LinkedNumber[] = [];
  let begun = 0;
  const linkOneByOne = async (): Promise<void> => {
    while (begun++ < wanted) numbers.push(await linkNumber(gateway));
  };
  await Promise.all(Array.from({ length: LINKED_AT_ONCE }, linkOneByOne));
  return numbers;
}

async function sendFromAll(numbers: readonly LinkedNumber[], to: string, word: string): Promise<string[]> {
  const texts = numbers.map(({ phone }) => `${word} from ${phone}`);
  const answers = await Promise.all(
    numbers.map(({ sessionId, call }, n) =>
      call<unknown>('POST', '/messages', { session_id: sessionId, to, text: texts[n] }, texts[n]),
    ),
  );
  for (const { status, body } of answers) assert.equal(status, 202, JSON.stringify(body));
  return texts;
}

async function textsOn(phone: string): Promise<string[]> {
  const { messages } = await gateway.sandbox<{ messages: { text: string }[] }>(
    'GET',
    `/phones/${phone}/messages`,
  );
  return messages.map(({ text }) => text).sort();
}

function countIn(table: string): number {
  const db = new DatabaseSync(join(dataDir, 'parley.db'));
  const row = db.prepare(`SELECT count(*) AS count FROM ${table}`).get();
  db.close();
  return Number(row?.count);
}

/** Webhook deliveries stay queued: no process has that role. */
const old = await start({ PARLEY_ROLES: 'api,worker,portal' });
opened.defer(() => stopProcess(old.child, 'SIGKILL'));
const numbers = await linkAll();
const recipient = await newPhone(gateway);
for (const { sessionId, call } of numbers) {
  const { status } = await call<unknown>('POST', '/webhooks', {
    session_id: sessionId,
    status_url: receiver.url,
    messages_url: receiver.url,
  });
  assert.equal(status, 201);
}
const first = await sendFromAll(numbers, recipient, 'Before');
await until(
  'the first messages',
  () => textsOn(recipient),
  (texts) => texts.length === first.length,
);
const linked = await until('all sessions', connected, (sessions) => sessions.length === wanted);

const move = { dataDir, args: ['migrate-store', '--to', database.url] };
const refused = await runParley(move);
assert.match(refused.stderr, /^parley: Another Parley uses the data directory/);
const pending = await sendFromAll(numbers, recipient, 'Under way');
await stopProcess(old.child, 'SIGKILL');
const [sends, deliveries] = [countIn('outbox'), countIn('deliveries')];
assert.ok(sends > 0 && deliveries >= wanted, `${sends} sends and ${deliveries} deliveries wait`);

for (const table of KILLED_AT) {
  const killed = await startParley(move);
  await killed.until(() => killed.output.stderr.includes(`  ${table} `));
  killed.kill('SIGKILL');
  await killed.ended().catch(() => {});
  const started = await runParley({ dataDir, env: { PARLEY_DATABASE_URL: database.url } });
  assert.match(started.stderr, /^parley: This database is being filled by parley migrate-store/);
}
const movedAt = clock.monotonic();
const moved = await runParley(move);
assert.equal(moved.code, 0, moved.stderr);
const moveSeconds = (clock.monotonic() - movedAt) / 1_000;
const onOld = await runParley({ dataDir });
assert.match(onOld.stderr, /^parley: This database was moved to another one/);

const fresh = await start({ PARLEY_DATABASE_URL: database.url });
opened.defer(() => stopProcess(fresh.child, 'SIGTERM'));
const startedAt = clock.monotonic();
const back = await until('all sessions again', connected, (sessions) => sessions.length === wanted);
const backSeconds = (clock.monotonic() - startedAt) / 1_000;
assert.deepEqual(back, linked, 'the same links as before');
const all = [...first, ...pending].sort();
await until(
  'the pending messages',
  () => textsOn(recipient),
  (texts) => texts.length >= all.length,
);
assert.deepEqual(await textsOn(recipient), all, 'each message once');
const hasEvent = (text: string): boolean => receiver.requestIds.has(text);
await until('the events of each message', () => all.every(hasEvent), Boolean);

const [some] = numbers;
await gateway.sandbox('POST', `/phones/${recipient}/messages`, { to: some?.phone, text: 'Still there?' });
await until('an answer', () => receiver.texts.has('Still there?'), Boolean);
console.log(
  `${wanted} numbers moved with ${sends} sends and ${deliveries} deliveries under way, after ${KILLED_AT.length} kills: ` +
    `the rest in ${moveSeconds.toFixed(1)} s, all connected ${backSeconds.toFixed(1)} s after the start, nothing lost, nothing twice`,
);
