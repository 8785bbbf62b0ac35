import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { ContenderCalls } from '../../bench/lib/network/contender-process.ts';
import { startRemote } from '../../bench/lib/remote.ts';
import { startPostgres } from '../services/postgres.ts';
import { newFolder } from './environment.ts';
import { clock, type Parley, runParley, startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

const TOKEN = 'token-of-the-operator';
const SHOP = '15550003001';
const BEN = '15550002002';
const ADA = '15550002001';
const PATIENCE_MS = 30_000;

interface Report {
  readonly instance: string;
  readonly phone: string | null;
  readonly outcome: string;
  readonly notes: string[];
}

export const importCases: Cases = {
  async 'a number linked by Evolution continues here, without a new pairing'() {
    const dataDir = newFolder();
    const env = { PARLEY_OPERATOR_TOKEN: TOKEN, PARLEY_DEMO: 'off', PARLEY_COMPAT: 'evolution' };
    const received: string[] = [];
    const receiver = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const { event, data } = JSON.parse(text);
      if (event === 'messages.upsert') received.push(data.message.conversation);
      response.end();
    });
    await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const postgres = await startPostgres();
    const schema = `evolution_${process.pid}`;
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      let parley = await startParley({ dataDir, env });
      await parley.ready();
      const instances = newFolder();
      const creds = await linkByTheLibraryAlone(parley, join(instances, 'i1'));
      const account = await operate<{ account_id: string }>(parley, '/accounts', {
        name: 'Ada',
        email: 'ada@example.com',
      });
      await stop(parley);

      await layOut(client, schema, creds, hook);
      const from = `${postgres.url}?schema=${schema}`;
      const bring = async (...more: string[]): Promise<Report[]> => {
        const args = [
          'import',
          'evolution',
          '--from',
          from,
          '--account',
          account.account_id,
          '--keys',
          instances,

          ...more,
          '--json',
        ];
        const { code, stdout, stderr } = await runParley({ dataDir, env, args });
        assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
        return JSON.parse(stdout).instances;
      };
      const expected = [
        {
          instance: 'cloud',
          phone: null,
          outcome: 'left out',
          notes: ['its integration is WHATSAPP-BUSINESS'],
        },
        {
          instance: 'empty',
          phone: null,
          outcome: 'left out',
          notes: ['it was never linked, and has no number'],
        },
        { instance: 'shop', phone: SHOP, outcome: 'linked', notes: ['switched off here: readMessages'] },
      ];
      const withoutKeys = (reports: Report[]): Report[] => {
        assert.match(reports.at(-1)?.notes.shift() ?? '', /^\d+ keys of its chats$/);
        return reports;
      };
      assert.deepEqual(withoutKeys(await bring('--dry-run')), expected);
      assert.deepEqual(withoutKeys(await bring()), expected);
      const again = await bring();
      assert.deepEqual(again[2]?.notes.at(-1), 'its number was linked here already, and stays so');

      parley = await startParley({ dataDir, env });
      await parley.ready();
      const { api_key: apikey } = await operate<{ api_key: string }>(
        parley,
        `/accounts/${account.account_id}/api-keys`,
        { name: 'test' },
      );
      const evolution = async (method: string, path: string, body?: object) => {
        const headers = { apikey, 'content-type': 'application/json' };
        const answer = await fetch(`${parley.url}/evolution${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        return (await answer.json()) as Record<string, never>;
      };
      await eventually(async () => {
        const { instance } = await evolution('GET', '/instance/connectionState/shop');
        return (instance as { state?: string } | undefined)?.state === 'open';
      });
      const receiveText = async (from: string, text: string): Promise<void> => {
        await onPhone(parley, `/phones/${from}/messages`, { to: SHOP, text });
        await eventually(async () => received.includes(text));
      };
      await onPhone(parley, '/phones', { phone: BEN, name: 'Ben' });
      // After the messages that the network may still have had for Evolution, which read them and was stopped before its receipts.
      await receiveText(BEN, 'Are you there?');
      const before = await askedForAgain(parley, apikey);
      await receiveText(ADA, 'After the move');
      assert.equal(await askedForAgain(parley, apikey), before);
      const sent = await evolution('POST', '/message/sendText/shop', { number: ADA, text: 'From Parley' });
      assert.equal(sent.status, 'SERVER_ACK', JSON.stringify(sent));
      const texts = await textsOf(parley, ADA);
      assert.deepEqual(
        ['From Evolution', 'After the move', 'From Parley'].filter((text) => !texts.includes(text)),
        [],
      );
    } finally {
      await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await client.end();
      await postgres.stop();
      receiver.closeAllConnections();
      receiver.close();
    }
  },
};

/**
 * Links the number with the library only, as Evolution does, writes a message, and returns the credentials. The keys of its chats
 * are written into `keys`.
 */
async function linkByTheLibraryAlone(parley: Parley, keys: string): Promise<string> {
  const folder = newFolder();
  await onPhone(parley, '/phones', { phone: SHOP, name: 'Shop' });
  await onPhone(parley, '/phones', { phone: ADA, name: 'Ada' });
  const seen = await onPhone<Record<string, string>>(parley, '/endpoint');
  const address = {
    url: seen.url ?? '',
    rootPublicKey: Buffer.from(seen.root_public_key ?? '', 'base64'),
    mediaCaPem: seen.media_ca ?? '',
    mediaHost: seen.media_host ?? '',
  };
  const bare = startRemote<ContenderCalls>(
    new URL('../../bench/lib/network/contender-process.ts', import.meta.url),
  );
  await bare.call('start', 'bare', { address, folder });
  const qr = await bare.call('showQr', SHOP);
  await onPhone(parley, `/phones/${SHOP}/scan`, { qr });
  await bare.call('linked', SHOP);
  await bare.call('logIn', [SHOP]);
  // Messages to new people need a token.
  await onPhone(parley, `/phones/${ADA}/messages`, { to: SHOP, text: 'Before the move' });
  await bare.call('send', SHOP, ADA, 'From Evolution');
  await bare.call('close');
  await bare.stop();
  const kept = new DatabaseSync(join(folder, 'bare.db'));
  const rows = kept.prepare('SELECT name, value FROM records').all();
  kept.close();
  const records = new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  mkdirSync(keys);
  for (const [name, value] of records) {
    const [, kind, id] = /^\d+\/([^/]+)\/(.+)$/.exec(name) ?? [];
    if (kind && id)
      writeFileSync(join(keys, `${kind}-${id}.json`.replaceAll('/', '__').replaceAll(':', '-')), value);
  }
  return records.get(`${SHOP}/creds/`) ?? '';
}

/** How many messages could not be decrypted with the imported keys. */
async function askedForAgain({ url }: Parley, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const { sessions } = (await (await fetch(`${url}/v1/sessions`, { headers })).json()) as {
    sessions: { session_id: string }[];
  };
  const of = encodeURIComponent(sessions[0]?.session_id ?? '');
  const health = (await (await fetch(`${url}/v1/sessions/${of}/health`, { headers })).json()) as {
    last_day?: { undecryptable: number };
  };
  return health.last_day?.undecryptable ?? Number.NaN;
}

/** The tables of Evolution API 2.3.7 that the import reads, in a schema of their own. */
async function layOut(client: pg.Client, schema: string, creds: string, hook: string): Promise<void> {
  await client.query(`CREATE SCHEMA "${schema}"; SET search_path TO "${schema}";
    CREATE TABLE "Instance" ("id" TEXT PRIMARY KEY, "name" VARCHAR(255) UNIQUE NOT NULL, "ownerJid" VARCHAR(100),
      "integration" VARCHAR(100), "number" VARCHAR(100), "token" VARCHAR(255));
    CREATE TABLE "Session" ("id" TEXT PRIMARY KEY, "sessionId" TEXT UNIQUE NOT NULL, "creds" TEXT);
    CREATE TABLE "Webhook" ("id" TEXT PRIMARY KEY, "url" VARCHAR(500) NOT NULL, "headers" JSONB, "enabled" BOOLEAN,
      "events" JSONB, "webhookByEvents" BOOLEAN, "webhookBase64" BOOLEAN, "instanceId" TEXT UNIQUE NOT NULL);
    CREATE TABLE "Setting" ("id" TEXT PRIMARY KEY, "rejectCall" BOOLEAN, "msgCall" VARCHAR(100), "groupsIgnore" BOOLEAN,
      "alwaysOnline" BOOLEAN, "readMessages" BOOLEAN, "readStatus" BOOLEAN, "syncFullHistory" BOOLEAN,
      "instanceId" TEXT UNIQUE NOT NULL);
    INSERT INTO "Instance" ("id", "name", "integration") VALUES ('i1', 'shop', 'WHATSAPP-BAILEYS'),
      ('i2', 'cloud', 'WHATSAPP-BUSINESS'), ('i3', 'empty', 'WHATSAPP-BAILEYS');
    INSERT INTO "Setting" VALUES ('t1', false, '', false, false, true, false, false, 'i1')`);
  // Evolution stores the text as JSON of JSON.
  await client.query(`INSERT INTO "Session" VALUES ('s1', 'i1', $1)`, [JSON.stringify(creds)]);
  const events = JSON.stringify(['MESSAGES_UPSERT', 'AN_EVENT_OF_LATER']);
  await client.query(`INSERT INTO "Webhook" VALUES ('w1', $1, NULL, true, $2, false, false, 'i1')`, [
    hook,
    events,
  ]);
}

async function stop(parley: Parley): Promise<void> {
  parley.kill('SIGTERM');
  assert.equal((await parley.ended()).code, 0);
}

async function call<T>(url: string, body?: object): Promise<T> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text || 'null');
}

const operate = <T>({ url }: Parley, path: string, body: object): Promise<T> =>
  call(`${url}/operator/v1${path}`, body);
const onPhone = <T = unknown>({ url }: Parley, path: string, body?: object): Promise<T> =>
  call(`${url}/sandbox/v1${path}`, body);

async function textsOf(parley: Parley, phone: string): Promise<string[]> {
  const { messages } = await onPhone<{ messages: { text: string }[] }>(parley, `/phones/${phone}/messages`);
  return messages.map(({ text }) => text);
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = clock.monotonic() + PATIENCE_MS;
  while (!(await condition())) {
    assert.ok(clock.monotonic() < giveUpAt, 'it never happened');
    await clock.sleep(50);
  }
}
