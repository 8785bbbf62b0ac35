import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, operation } from '@parley/contract';
import Fastify from 'fastify';
import Type from 'typebox';
import { createAccount, createApiKey, createDirectory } from '../../packages/gateway/src/accounts/index.ts';
import { createIds, createSystemClock, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import { createHttpServer, serve } from '../../packages/gateway/src/platform/http/index.ts';
import { createLog, createMetrics } from '../../packages/gateway/src/platform/observe/index.ts';
import { type Migration, migrations, openStore } from '../../packages/gateway/src/platform/store/index.ts';
import { offer } from '../lib/remote.ts';
import { insertFloorRow } from './write-commands.ts';

/**
 * Runs as a process of its own: a bare Fastify with the same schemas, or the gateway, with its database or with an empty handler
 * behind the same route.
 */
const BENCH_PATH = '/v1/bench/rows';

export interface Started {
  readonly url: string;
  readonly key?: string;
}

const Body = Type.Object(
  {
    session_id: Type.String(),
    to: Type.String(),
    text: Type.String(),
    quoted_text: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const Accepted = Type.Object({ message_id: Type.String(), status: Type.String() });
const Item = Type.Object({ id: Type.String(), name: Type.String() });

const common = {
  tag: 'Messages',
  surface: 'v1',
  sdk: 'messages',
  mcp: { tool: false, because: 'It is measured only.' },
  permission: 'messages',
  limits: [],
  errors: [],
} as const satisfies Partial<Operation>;

const writeRow = operation({
  ...common,
  id: 'writeRow',
  method: 'POST',
  path: BENCH_PATH,
  summary: '',
  body: Body,
  answers: { 202: Accepted },
});
const readRow = operation({
  ...common,
  id: 'readRow',
  method: 'GET',
  path: BENCH_PATH,
  summary: '',
  answers: { 200: Item },
});

const benchTable: Migration = {
  version: 1_000_000,
  name: 'bench',
  async up(trx) {
    await trx.schema
      .createTable('bench_floor')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text')
      .addColumn('content', 'text')
      .execute();
  },
};

async function bare(): Promise<Started> {
  const server = Fastify();
  const ids = createIds({ clock: createSystemClock(), random: systemRandom });
  server.post(
    BENCH_PATH,
    { schema: { body: Body, response: { 202: Accepted } } },
    async (_request, reply) => {
      reply.status(202);
      return { message_id: ids.message(), status: 'accepted' };
    },
  );
  server.get(BENCH_PATH, { schema: { response: { 200: Item } } }, async () => ({ id: 'row', name: 'a row' }));
  return { url: `${await server.listen({ host: '127.0.0.1', port: 0 })}${BENCH_PATH}` };
}

async function parley({ keepsRows }: { keepsRows: boolean }): Promise<Started> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const clock = createSystemClock();
  const ids = createIds({ clock, random: systemRandom });
  const store = await openStore({
    url: `sqlite:${join(dir, 'bench.db')}`,
    commandModules: [new URL('./write-commands.ts', import.meta.url)],
    migrations: [...migrations, benchTable],
    clock,
  });
  const context = { store, clock, ids, random: systemRandom };
  const account = await createAccount(context, 'system', { name: 'bench', email: 'bench@example.com' });
  const { api_key: key } = await createApiKey(context, 'system', account.account_id, { name: 'bench' });
  const http = createHttpServer({
    gatekeeper: createDirectory({ store, clock }),
    operatorToken: undefined,
    ids,
    log: createLog('info'),
    onAnswered: createMetrics().observeAnswer,
    routes: [
      serve(writeRow, async ({ caller, body }) => {
        const id = ids.message();
        if (keepsRows)
          await store.run(insertFloorRow, { id, accountId: caller.accountId, content: body.text });
        return { message_id: id, status: 'accepted' };
      }),
      serve(readRow, async () => ({ id: 'row', name: 'a row' })),
    ],
  });
  return { url: `${await http.listen({ host: '127.0.0.1', port: 0 })}${BENCH_PATH}`, key };
}

const calls = {
  startBare: bare,
  startParley: parley,
};

export type FloorCalls = typeof calls;

offer(calls);
