import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type MailServer, startMailServer } from '../../packages/gateway/src/platform/mail/testing/index.ts';
import {
  createPostgresDatabase,
  requirePostgres,
} from '../../packages/gateway/src/platform/store/testing/index.ts';
import { type Gateway, gatewayAt, OPERATOR_TOKEN } from '../conformance/gateway-access.ts';
import { type LinkedNumber, linkedNumber, someone, untilConnected } from '../conformance/numbers.ts';
import { makeTemporaryFolder } from '../services/cleanup.ts';
import { freePort } from '../services/processes.ts';
import { startNginx, type TlsProxy } from '../services/proxies.ts';
import { printed, printedInline, settingsIn, type } from './document.ts';
import { startLoad } from './load.ts';
import { startPrometheus } from './prometheus.ts';
import { type Release, type Running, run, takePreviousSchema, thisRelease } from './releases.ts';

const SOON = { timeout: 60_000, interval: 100 };
const { path: folder, remove } = makeTemporaryFolder('parley-operating-');
const postgres = requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL);
const placeOf = (name: string): string => join(folder, name);

let previous: Release;
let mail: MailServer;
let nginx: TlsProxy;
let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
let sandbox: Running;
/** Settings of every process; the master key changes in the end. */
let settings: Record<string, string>;
const ports: number[] = [];
const processes: (Running | undefined)[] = [];
let gateway: Gateway;
let number: LinkedNumber;
let ada: string;

const settingsOf = (place: number): Record<string, string> => ({
  ...settings,
  PARLEY_PORT: String(ports[place]),
  PARLEY_DATA_DIR: placeOf(`process-${place}`),
});

async function start(place: number, release: Release): Promise<void> {
  processes[place] = await run(release, 'start', settingsOf(place));
}

async function send(text: string): Promise<void> {
  const body = { session_id: number.sessionId, to: ada, text };
  await vi.waitFor(async () => {
    const sent = await number.call('POST', '/messages', body, { 'idempotency-key': text });
    expect(sent.status).toBe(202);
  }, SOON);
  await arrives(text);
}

const arrives = (text: string): Promise<void> =>
  vi.waitFor(async () => {
    const { messages } = await gateway.sandbox<{ messages: { text?: string }[] }>(
      'GET',
      `/phones/${ada}/messages?limit=500`,
    );
    expect(messages.filter((message) => message.text === text)).toHaveLength(1);
  }, SOON);

beforeAll(async () => {
  previous = takePreviousSchema();
  mail = await startMailServer();
  database = await createPostgresDatabase(postgres);
  ports.push(await freePort(), await freePort());
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  sandbox = await run(thisRelease, 'sandbox', {
    PARLEY_PORT: String(sandboxPort),
    PARLEY_DATA_DIR: placeOf('sandbox'),
  });
  nginx = await startNginx(async (url) => {
    settings = {
      ...(await settingsIn(printed('PARLEY_MODE=production'))),
      ...(await settingsIn(printed('PARLEY_TRUSTED_PROXIES='))),
      ...(await settingsIn(printed('PARLEY_MAIL_URL='))),
      // Replacements for the reader's own names and places.
      PARLEY_NETWORK: 'sandbox',
      PARLEY_SANDBOX_URL: sandboxUrl,
      PARLEY_PUBLIC_URL: url,
      PARLEY_MAIL_URL: mail.url,
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PARLEY_DATABASE_URL: database.url,
      PARLEY_BUS_URL: process.env.PARLEY_TEST_NATS_URL ?? '',
      PARLEY_BUS_SUBJECT: `parley-test.${randomBytes(6).toString('hex')}`,
      PARLEY_MEDIA_URL: `file:${placeOf('media')}`,
    };
    return ports;
  });
  await start(0, previous);
  await start(1, previous);
  const calls = gatewayAt(ports.map((port) => `http://127.0.0.1:${port}`));
  gateway = Object.assign(calls, { sandbox: gatewayAt([sandboxUrl]).sandbox });
  number = await linkedNumber(gateway);
  ada = (await someone(gateway)).phone;
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each?.stop()));
  await sandbox?.stop();
  await nginx?.stop();
  await mail?.close();
  await database?.drop();
  previous?.remove();
  remove();
});

test('two processes of the last schema are upgraded under load, and no request fails', async () => {
  await send('before the upgrade');
  const load = startLoad(nginx, number, ada);
  await vi.waitFor(() => expect(load.answered).toBeGreaterThan(50), SOON);
  expect(await type('parley migrate', settingsOf(0))).toContain('1 applied; the database is up to date');
  for (const place of [0, 1]) {
    await processes[place]?.stop('SIGTERM');
    await start(place, thisRelease);
  }
  const before = load.answered;
  await vi.waitFor(() => expect(load.answered).toBeGreaterThan(before + 50), SOON);
  await load.stop();
  expect(load.failures).toEqual([]);
  await arrives(`under load ${load.accepted - 1}`);
  console.log(
    `upgraded under load: ${load.answered} requests, ${load.accepted} of them sends, ${load.failures.length} failed`,
  );
});

test('Prometheus scrapes both, and owners get mail about new terms', async () => {
  const prometheus = await startPrometheus(printed('scrape_configs:'), { ports, token: OPERATOR_TOKEN });
  try {
    await vi.waitFor(async () => expect(await prometheus.query('sum(up{job="parley"})')).toBe(2), SOON);
    await vi.waitFor(
      async () =>
        expect(await prometheus.query('sum(parley_sends_total{outcome="sent"})')).toBeGreaterThan(0),
      SOON,
    );
  } finally {
    await prometheus.stop();
  }
  const [publish = ''] = printed('parley terms publish').split('\n');
  const client = { PARLEY_URL: gateway.url, PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN };
  expect(await type(publish, client)).toContain('2026-07');
  await vi.waitFor(() => expect(mail.mails.map(({ text }) => text).join()).toContain('2026-07'), {
    ...SOON,
    timeout: 90_000,
  });
});

test('one process is killed, and the other takes over its number', async () => {
  await processes[0]?.stop('SIGKILL');
  processes[0] = undefined;
  const survivor = Object.assign(gatewayAt([`http://127.0.0.1:${ports[1]}`]), { sandbox: gateway.sandbox });
  gateway = survivor;
  number = { ...number, ...(await reached(survivor)) };
  await vi.waitFor(() => untilConnected(number), SOON);
  await send('after the kill');
});

test('it is backed up, restored elsewhere and given a new master key', async () => {
  const backups = placeOf('backups');
  mkdirSync(backups);
  const dump = placeOf('parley.dump');
  await type(printed('pg_dump --format=custom'), settingsOf(1), {
    'parley.dump': dump,
    '/var/backups/parley': backups,
  });
  const [file = ''] = readdirSync(backups).filter((name) => name.endsWith('.backup'));
  await processes[1]?.stop('SIGKILL');
  processes[1] = undefined;

  const elsewhere = await createPostgresDatabase(postgres);
  try {
    const { PARLEY_MASTER_KEY: old = '' } = settings;
    settings = { ...settings, PARLEY_DATABASE_URL: elsewhere.url, PARLEY_BUS_SUBJECT: 'parley-restored' };
    const target = settingsOf(1);
    target.PARLEY_DATA_DIR = placeOf('restored');
    const output = await type(printed('parley restore parley-'), target, {
      '/var/lib/parley': target.PARLEY_DATA_DIR,
      '<that of the backup>': `'${old}'`,
      'parley-2026-11-17T03-00-00Z.backup': join(backups, file),
    });
    const fill = /^\s*(pg_restore .*)$/m.exec(output)?.[1];
    expect(fill, output).toBeDefined();
    await type(fill ?? '', target);
    processes[1] = await run(thisRelease, 'start', target);
    await vi.waitFor(() => untilConnected(number), SOON);
    await send('after the restore');

    const key = randomBytes(32).toString('base64');
    const both = { ...target, PARLEY_MASTER_KEY: `${key},${old}` };
    await processes[1].stop();
    processes[1] = await run(thisRelease, 'start', both);
    await type(printedInline('parley rotate-master-key'), both, { '<new>,<old>': `${key},${old}` });
    await processes[1].stop();
    processes[1] = await run(thisRelease, 'start', { ...target, PARLEY_MASTER_KEY: key });
    await vi.waitFor(() => untilConnected(number), SOON);
    await send('under the new key');
  } finally {
    await processes[1]?.stop();
    processes[1] = undefined;
    await elsewhere.drop();
  }
});

/** The same number, at other addresses. */
async function reached(at: Gateway): Promise<Pick<LinkedNumber, 'call' | 'on'>> {
  const { ask } = await import('../conformance/ask.ts');
  const call: LinkedNumber['call'] = (method, path, body, headers) =>
    ask(at.url, { method, path: `/v1${path}`, token: number.apiKey, body, headers });
  const { sessionId } = number;
  return {
    call,
    on: (method, path, body) => call(method, `/sessions/${encodeURIComponent(sessionId)}${path}`, body),
  };
}
