import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDirectory } from '../../packages/gateway/src/accounts/index.ts';
import {
  createIds,
  createSealedBox,
  createSystemClock,
  messageIdAt,
  systemRandom,
} from '../../packages/gateway/src/kernel/index.ts';
import type { AcceptResult } from '../../packages/gateway/src/messages/accept/batch.ts';
import { messagesRoutes } from '../../packages/gateway/src/messages/index.ts';
import { type Bus, createLocalBus } from '../../packages/gateway/src/platform/bus/index.ts';
import { connectNatsBus } from '../../packages/gateway/src/platform/bus/nats/index.ts';
import { type CompatApi, createHttpServer } from '../../packages/gateway/src/platform/http/index.ts';
import { createLog } from '../../packages/gateway/src/platform/observe/index.ts';
import { migrations, openStore, type Store } from '../../packages/gateway/src/platform/store/index.ts';
import type { CompatContext } from '../../packages/gateway/src/surfaces/compat/context.ts';
import { createEvolution } from '../../packages/gateway/src/surfaces/compat/evolution/index.ts';
import { createNames } from '../../packages/gateway/src/surfaces/compat/names/names.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';
import type { Sender } from './load-process.ts';
import { registerSenders } from './register-senders.ts';

/**
 * The part of a gateway that accepts sends: keys, accounts, limits, quota, the durable queue. All numbers count as connected and
 * no queued message is sent, as in a process that only serves the API.
 */
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-send-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'parley.db');
const clock = createSystemClock();
const random = systemRandom;
const ids = createIds({ clock, random });
const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 1)], random });

const open = (url = `sqlite:${file}`): Promise<Store> =>
  openStore({
    url,
    commandModules: [new URL('../../packages/gateway/src/messages/write-commands.ts', import.meta.url)],
    migrations,
    clock,
  });

/** Old messages and keys, as if a million had been sent within the last day. */
function fill(rows: number): void {
  const db = new DatabaseSync(file);
  const counting = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;
  const id = `'${messageIdAt(clock.now() - 3_600_000)}' || printf('%010X', i)`;
  const at = clock.now() - 3_600_000;
  db.exec(`BEGIN;
    ${counting} INSERT INTO messages (id, account_id, slot_id, session_id, request_id, to_jid, type, status, accepted_at, updated_at)
      SELECT ${id}, 'acc_' || (i % 1000), 'slot_' || (i % 5000), '15550001001:1@s.whatsapp.net', 'order-' || i,
        '15550002001@s.whatsapp.net', 'text', 'delivered', ${at}, ${at} FROM n;
    ${counting} INSERT INTO idempotency_keys (account_id, key, request_hash, message_id, created_at)
      SELECT 'acc_' || (i % 1000), 'slot_' || (i % 5000) || ' order-' || i, randomblob(32), ${id}, ${at} FROM n;
    COMMIT;`);
  db.close();
}

/** Each number under its own digits. */
async function withInstances(store: Store, bus: Bus, senders: readonly Sender[]): Promise<Sender[]> {
  const names = createNames<object>('evolution', { store, clock, sealedBox, bus, machineClock: clock });
  const devices = await store.read.selectFrom('devices').selectAll().execute();
  const settings = { rejectCall: false, groupsIgnore: false, syncFullHistory: false };
  const remembered = { settings, token: 'pk_bench', keyId: 'key_bench', permissions: null };
  for (const { slot_id: slotId, account_id: accountId, phone, plan } of devices)
    await names.give({ slotId, accountId, phone, plan }, phone, remembered);
  return senders.map((sender) => ({ ...sender, instance: sender.sessionId.replace(/:.*$/, '') }));
}

/** Every number is admitted, and nothing is stored: the cost of a send without its database. */
function withoutDatabase(store: Store): Store {
  const rate = { limit: 5, remaining: 5, resetSeconds: 0 };
  const admitted: AcceptResult = { kind: 'admitted', rate };
  return { ...store, run: async <_, O>() => admitted as O };
}

async function serve(
  store: Store,
  bus: Bus = createLocalBus({ clock }),
  surfaces: readonly CompatApi[] = [],
): Promise<string> {
  const directory = createDirectory({ store, clock });
  const http = createHttpServer({
    gatekeeper: directory,
    operatorToken: undefined,
    ids,
    log: createLog('warn'),
    surfaces,
    routes: messagesRoutes({
      addressOf: () => Promise.reject(new Error('usernames are not used here')),
      store,
      clock,
      ids,
      bus,
      media: { idOf: async () => undefined },
      sealedBox,
      terms: directory,
      pacing: { dailyNewChats: 0, observe() {} },
      sessions: {
        find: () => ({ sessionId: '15550001001:1@s.whatsapp.net', status: 'connected', since: 0 }),
      },
    }),
  });
  return http.listen({ host: '127.0.0.1', port: 0 });
}

const calls = {
  async start(accounts: number, oldRows: number): Promise<{ url: string; senders: Sender[] }> {
    if (oldRows > 0) {
      await (await open()).close();
      fill(oldRows);
    }
    const store = await open();
    const senders = await registerSenders(store, { accounts, clock, ids });
    return { url: await serve(store), senders };
  },
  /** The same route, where a send ends before the database. */
  async startWithoutDatabase(accounts: number): Promise<{ url: string; senders: Sender[] }> {
    const store = await open();
    const senders = await registerSenders(store, { accounts, clock, ids });
    return { url: await serve(withoutDatabase(store)), senders };
  },
  /** With the Evolution interface, where every number has an instance, and no answer waits for the network. */
  async startWithEvolution(accounts: number): Promise<{ url: string; senders: Sender[] }> {
    const store = await open();
    const bus = createLocalBus({ clock });
    const senders = await withInstances(store, bus, await registerSenders(store, { accounts, clock, ids }));
    const context: Partial<CompatContext> = {
      ...{ store, bus, clock, machineClock: clock, sealedBox },
      settling: { settled: async () => 'sent' },
    };
    const { surface } = createEvolution(context as CompatContext);
    return { url: await serve(store, bus, [surface]), senders };
  },
  /** One of several processes on a database and a bus. Only the first creates accounts. */
  async join(database: string, bus: string, accounts: number): Promise<{ url: string; senders: Sender[] }> {
    const store = await open(database);
    const senders = await registerSenders(store, { accounts, clock, ids });
    const withoutProof = {
      credentialsFile: undefined,
      caFile: undefined,
      certFile: undefined,
      keyFile: undefined,
    };
    const settings = { servers: [bus], ...withoutProof };
    const shared = await connectNatsBus({
      clock,
      random,
      log: createLog('warn'),
      subject: 'bench',
      settings,
    });
    return { url: await serve(store, shared), senders };
  },
  cpuSeconds,
};

export type AcceptCalls = typeof calls;

offer(calls);
