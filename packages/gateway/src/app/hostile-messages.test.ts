import { randomBytes } from 'node:crypto';
import type { AuditLog, QuarantineEntry, QuarantineRetry } from '@parley/contract';
import { userJid } from '@parley/sandbox/world';
import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '#config';
import { createSystemClock } from '#kernel';
import type { Store } from '#platform/store';
import {
  type DatabaseName,
  databaseNames,
  OPERATOR_TOKEN,
  startGateway,
  type TestGateway,
} from '../testing/index.ts';
import { firstRun } from './first-run.ts';

const ADA = '15550002001';
const ME = '15550001001';
const WAIT = { timeout: 20_000, interval: 20 };

const gateways: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

/** A gateway with a linked number, a virtual friend who writes to it, and the texts of the published events. */
async function linkedGateway(database: DatabaseName) {
  const gateway = await startGateway({ database, clock: createSystemClock() });
  gateways.push(gateway);
  const demo = await firstRun(gateway.app, loadConfig({}));
  const world = gateway.app.sandbox?.world;
  if (!demo || !world) throw new Error('a new gateway makes its demo');
  const url = '/v1/events?kind=message&limit=10';
  return {
    gateway,
    adaWrites(id: string, text: string): void {
      const content = { type: 'text', text } as const;
      world.messages.send({ phone: ADA, device: 0 }, { id, to: userJid(ME), content });
    },
    async receivedMessages(): Promise<{ text: string; message_id: string }[]> {
      const page = await gateway.request({ method: 'GET', url, key: demo.apiKey });
      return page.json().events.map(({ event }: { event: unknown }) => event);
    },
  };
}

/** Characters that PostgreSQL refuses in text, ids too long for its indexes, and invalid Unicode. */
const HOSTILE_IDS = {
  'a NUL': 'ID\u0000WITH\u0000NUL',
  '8,000 characters': randomBytes(6_000).toString('base64'),
  'half a character': 'ID\ud800HALF',
};

describe.each(databaseNames)('messages that no client makes (%s)', (database) => {
  test('block nothing: they are published in a form that can be stored, and so are later messages', async () => {
    const { adaWrites, receivedMessages } = await linkedGateway(database);

    for (const [what, id] of Object.entries(HOSTILE_IDS)) adaWrites(id, `with ${what}\u0000`);
    adaWrites('FOLLOWING', 'what follows');

    const texts = [...Object.keys(HOSTILE_IDS).map((what) => `with ${what}\ufffd`), 'what follows'];
    await vi.waitFor(
      async () => expect((await receivedMessages()).map(({ text }) => text)).toEqual(texts),
      WAIT,
    );
    const ids = (await receivedMessages()).map(({ message_id }) => message_id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[^\p{C}]{1,255}$/u);
  });

  test('go to quarantine when they cannot be stored, sealed and counted, and block nothing', async () => {
    const { gateway, adaWrites, receivedMessages } = await linkedGateway(database);
    await refuseEventsNamed('UNSTORABLE', gateway.app.store);

    adaWrites('UNSTORABLE', 'a private text');
    adaWrites('FOLLOWING', 'what follows');

    await vi.waitFor(
      async () => expect(await receivedMessages()).toMatchObject([{ text: 'what follows' }]),
      WAIT,
    );
    const { entries } = await gateway.operate<{ entries: QuarantineEntry[] }>('GET', '/quarantine');
    expect(entries).toMatchObject([
      { kind: 'message', phone: ME, reason: expect.stringContaining('refused') },
    ]);
    const metrics = await gateway.request({ method: 'GET', url: '/metrics' });
    expect(metrics.body).toContain('parley_quarantined_events_total{kind="message"} 1');
    expect(gateway.log()).toContain('an event could not be stored');
    const rows = await gateway.app.store.read.selectFrom('quarantine').selectAll().execute();
    const shown = [JSON.stringify(entries), gateway.log(), ...rows.map(({ sealed }) => String(sealed))];
    for (const text of shown) expect(text).not.toContain('a private text');

    const [entry] = entries;
    const older = await gateway.operate('GET', `/quarantine?before=${entry?.quarantine_id}`);
    expect(older).toEqual({ entries: [] });
  });

  test('leave quarantine once they can be stored, and are published once', async () => {
    const { gateway, adaWrites, receivedMessages } = await linkedGateway(database);
    const { store } = gateway.app;
    await refuseEventsNamed('UNSTORABLE', store);
    adaWrites('UNSTORABLE', 'late words');
    adaWrites('FOLLOWING', 'what follows');
    await vi.waitFor(async () => expect(await receivedMessages()).toHaveLength(1), WAIT);
    const listed = async () =>
      (await gateway.operate<{ entries: QuarantineEntry[] }>('GET', '/quarantine')).entries;
    const [entry] = await listed();
    const retry = () => gateway.operate<QuarantineRetry>('POST', `/quarantine/${entry?.quarantine_id}/retry`);

    await store.transaction((trx) => trx.updateTable('quarantine').set({ reason: 'an older one' }).execute());
    expect(await retry()).toEqual({ stored: false, reason: expect.stringContaining('refused') });
    expect(await listed()).toEqual([entry]);

    await allowEvents(store);
    const [before] = await store.read.selectFrom('quarantine').selectAll().execute();
    expect(await retry()).toEqual({ stored: true, reason: null });
    expect(await listed()).toEqual([]);
    // A process killed between the two leaves the entry behind.
    await store.transaction((trx) =>
      trx
        .insertInto('quarantine')
        .values(before ?? [])
        .execute(),
    );
    expect(await retry()).toEqual({ stored: true, reason: null });
    // Later events are shown once no earlier one can follow.
    await vi.waitFor(
      async () =>
        expect(await receivedMessages()).toMatchObject([{ text: 'what follows' }, { text: 'late words' }]),
      WAIT,
    );

    const { entries } = await gateway.operate<AuditLog>('GET', '/audit?limit=3');
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual(
      ['quarantine.stored', 'quarantine.stored', 'quarantine.retried'].map((action) => [
        action,
        entry?.quarantine_id,
      ]),
    );
    const gone = await gateway.request({
      method: 'POST',
      url: `/operator/v1/quarantine/${entry?.quarantine_id}/retry`,
      key: OPERATOR_TOKEN,
    });
    expect(gone.statusCode).toBe(404);
  });
});

/** Simulates a row that the database refuses. */
async function refuseEventsNamed(part: string, { dialect, transaction }: Store): Promise<void> {
  const condition = sql.raw(`key LIKE '%${part}%'`);
  const refusal =
    dialect === 'sqlite'
      ? sql`CREATE TRIGGER refused BEFORE INSERT ON events WHEN NEW.${condition}
            BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`
      : sql`ALTER TABLE events ADD CONSTRAINT refused CHECK (NOT (${condition}))`;
  await transaction((trx) => refusal.execute(trx));
}

async function allowEvents({ dialect, transaction }: Store): Promise<void> {
  const allowance =
    dialect === 'sqlite' ? sql`DROP TRIGGER refused` : sql`ALTER TABLE events DROP CONSTRAINT refused`;
  await transaction((trx) => allowance.execute(trx));
}
