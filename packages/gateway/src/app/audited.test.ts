import { operations } from '@parley/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config';
import { createSystemClock } from '#kernel';
import { databaseNames, type Method, startGateway, type TestGateway } from '../testing/index.ts';
import { type Demo, firstRun } from './first-run.ts';

/** Rooms record a change of an account in the transaction of the change: no crash comes between the two. */
describe.each(databaseNames)('the audit log and the changes that it records (%s)', (database) => {
  let gateway: TestGateway;
  let demo: Demo;
  beforeAll(async () => {
    gateway = await startGateway({ database, clock: createSystemClock() });
    const made = await firstRun(gateway.app, loadConfig({}));
    if (!made) throw new Error('a new gateway makes its demo');
    demo = made;
  });
  afterAll(() => gateway.close());

  const entries = () =>
    gateway.app.store.read.selectFrom('audit_log').selectAll().orderBy('number').execute();

  /** The data that these changes affect, without data that also changes otherwise. */
  async function everything(): Promise<unknown> {
    const { read } = gateway.app.store;
    return Promise.all([
      read.selectFrom('webhooks').selectAll().execute(),
      read.selectFrom('sessions').select(['slot_id', 'link_id']).execute(),
      read.selectFrom('onboardings').select(['id', 'ended_at']).orderBy('id').execute(),
      read.selectFrom('histories').selectAll().execute(),
      // The health of a number is written when the network reports it.
      read
        .selectFrom('number_health')
        .select(['slot_id', 'pacing'])
        .where('pacing', 'is not', null)
        .execute(),
    ]);
  }

  async function refuseEntries(): Promise<void> {
    const statement =
      gateway.app.store.dialect === 'postgres'
        ? sql`alter table audit_log add constraint refused check (false) not valid`
        : sql`create trigger refused before insert on audit_log begin select raise(abort, 'refused'); end`;
    await gateway.app.store.transaction((trx) => statement.execute(trx));
  }

  async function takeEntries(): Promise<void> {
    const statement =
      gateway.app.store.dialect === 'postgres'
        ? sql`alter table audit_log drop constraint refused`
        : sql`drop trigger refused`;
    await gateway.app.store.transaction((trx) => statement.execute(trx));
  }

  it('are committed together, or neither of them', async () => {
    const [linked] = (await entries()).filter(({ action }) => action === 'session.linked');
    expect(linked).toMatchObject({ actor: 'system', subject: demo.sessionId });
    const { slot_id } = await gateway.app.store.read
      .selectFrom('sessions')
      .select('slot_id')
      .executeTakeFirstOrThrow();

    const session = `/v1/sessions/${demo.sessionId}`;
    const ids = { webhook: '', pairing: '' };
    const urls = { session_id: demo.sessionId, messages_url: 'http://127.0.0.1:8099/hook' };
    const changes: [action: string, method: Method, url: () => string, body?: object][] = [
      ['webhook.created', 'POST', () => operations.createWebhook.path, urls],
      ['webhook.changed', 'PUT', () => `/v1/webhooks/${ids.webhook}`, { paused: true }],
      ['webhook.secret_rotated', 'POST', () => `/v1/webhooks/${ids.webhook}/rotate-secret`],
      ['webhook.removed', 'DELETE', () => `/v1/webhooks/${ids.webhook}`],
      ['history.chosen', 'PUT', () => `${session}/history`, { enabled: true }],
      ['history.chosen', 'PUT', () => `${session}/history`, { enabled: false }],
      ['pacing.chosen', 'PUT', () => `${session}/pacing`, { daily_new_chats: 7 }],
      ['session.ended', 'DELETE', () => session],
      ['pairing.started', 'POST', () => operations.startQrPairing.path, { slot_id }],
      ['pairing.canceled', 'DELETE', () => `/v1/onboard/${ids.pairing}`],
    ];
    for (const [action, method, url, body] of changes) {
      const change = () => gateway.request({ method, url: url(), key: demo.apiKey, body });
      const before = await everything();
      const recorded = await entries();

      await refuseEntries();
      const refused = await change();
      expect(refused.statusCode, `${action}: ${refused.body}`).toBe(500);
      await takeEntries();
      expect(await everything(), action).toEqual(before);
      expect(await entries(), action).toEqual(recorded);

      const answer = await change();
      expect(answer.statusCode, `${action}: ${answer.body}`).toBeLessThan(300);
      expect(await everything(), action).not.toEqual(before);
      const added = (await entries()).slice(recorded.length);
      expect(added, action).toMatchObject([{ action, actor: expect.stringMatching(/^key:/) }]);
      expect(JSON.parse(added[0]?.detail ?? ''), action).toHaveProperty('phone');

      const made: { id?: string; onboard_id?: string } = JSON.parse(answer.body || '{}');
      if (action === 'webhook.created') ids.webhook = made.id ?? '';
      if (action === 'pairing.started') ids.pairing = made.onboard_id ?? '';
    }
  });

  it('get no entry for a request that changes nothing', async () => {
    const recorded = (await entries()).length;
    const answers = [
      await gateway.request({ method: 'DELETE', url: `/v1/sessions/${demo.sessionId}`, key: demo.apiKey }),
      await gateway.request({ method: 'PUT', url: '/v1/webhooks/wh_none', key: demo.apiKey, body: {} }),
    ];
    for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500);
    expect(await entries()).toHaveLength(recorded);
  });
});
