import type { WebhookWithSecret } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '#platform/store';
import { databaseNames, OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { type Owner, register, signIn } from './testing/owners.ts';

describe.each(databaseNames)('a list without pages (%s)', (database) => {
  let gateway: TestGateway;
  let store: Store;
  let ada: Owner;
  beforeAll(async () => {
    gateway = await startGateway({ database, environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN } });
    ({ store } = gateway.app);
    ada = await signIn(gateway);
  });
  afterAll(() => gateway.close());

  interface Listed {
    readonly has_more: boolean;
    readonly sessions?: unknown[];
    readonly exports?: unknown[];
    readonly receivers?: { url: string }[];
  }
  const list = (path: string) => ada.browser.get<Listed>(path);

  it('of browsers says when there are more than it shows', async () => {
    const other = await store.read
      .selectFrom('browser_sessions')
      .selectAll()
      .where('account_id', '=', ada.accountId)
      .executeTakeFirstOrThrow();
    const like = (place: number) => ({ ...other, token_hash: Buffer.from(`another browser ${place}`) });
    const add = (from: number, to: number) =>
      store.transaction((trx) =>
        trx
          .insertInto('browser_sessions')
          .values(Array.from({ length: to - from }, (_, place) => like(from + place)))
          .execute(),
      );
    await add(0, 99);
    const whole = await list('/me/sessions');
    expect([whole.sessions?.length, whole.has_more]).toEqual([100, false]);
    await add(99, 100);
    const beginning = await list('/me/sessions');
    expect([beginning.sessions?.length, beginning.has_more]).toEqual([100, true]);
    // Expired sessions do not count.
    await store.transaction((trx) =>
      trx
        .updateTable('browser_sessions')
        .set({ seen_at: 0, created_at: 0 })
        .where('token_hash', '=', like(99).token_hash)
        .execute(),
    );
    expect((await list('/me/sessions')).has_more).toBe(false);
  });

  it('of archives says when there are more than it shows', async () => {
    const row = {
      ...{
        account_id: ada.accountId,
        asked_by: 'mem_1',
        asked_at: gateway.clock.now(),
        state: 'failed' as const,
      },
      ...{ steps_done: 0, rows_written: 0, taken_until: 0, pieces: null, failures: 0, media_id: null },
      ...{ size: null, ready_at: null },
    } as const;
    const add = (from: number, to: number) =>
      store.transaction((trx) =>
        trx
          .insertInto('account_exports')
          .values(
            Array.from({ length: to - from }, (_, place) => ({
              ...row,
              id: `exp_${database}_${from + place}`,
            })),
          )
          .execute(),
      );
    await add(0, 100);
    const whole = await list('/exports');
    expect([whole.exports?.length, whole.has_more]).toEqual([100, false]);
    await add(100, 101);
    const beginning = await list('/exports');
    expect([beginning.exports?.length, beginning.has_more]).toEqual([100, true]);
  });

  it('of failing receivers says when there are more than it shows, of an account and of all', async () => {
    const FAILING = 501;
    const { phone } = await register(ada);
    const { id } = await ada.browser.post<WebhookWithSecret>(`/numbers/${phone}/webhook`, {
      messages_url: 'https://receiver.example/0',
    });
    const {
      secret: options,
      previous_secret,
      previous_secret_until,
      ...webhook
    } = await store.read.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const urlAt = (place: number) => `https://receiver.example/${place}`;
    const failing = (place: number) =>
      ({
        ...{ account_id: ada.accountId, url: urlAt(place), failing_since: place + 1, failed_at: place + 1 },
        ...{ cause: 'server_error' as const, status_code: 500, probe_at: null, notified_at: null },
      }) as const;
    const add = (from: number, to: number) =>
      store.transaction(async (trx) => {
        const places = Array.from({ length: to - from }, (_, index) => from + index);
        const webhooks = places.map((place) => {
          const other = { id: `${id}_${place}`, format: `of ${place}`, messages_url: urlAt(place), options };
          return { ...webhook, ...other };
        });
        await trx.insertInto('formatted_webhooks').values(webhooks).execute();
        await trx.insertInto('failing_receivers').values(places.map(failing)).execute();
      });
    const listed = async () => {
      const answer = await gateway.operate<Listed>('GET', '/failing-receivers');
      return [await list('/failing-receivers'), answer].map(({ receivers, has_more }) => ({
        ...{ shown: receivers?.length, last: receivers?.at(-1)?.url, has_more },
      }));
    };
    await add(0, FAILING - 1);
    const all = { shown: FAILING - 1, last: urlAt(FAILING - 2) };
    expect(await listed()).toEqual([all, all].map((each) => ({ ...each, has_more: false })));
    await add(FAILING - 1, FAILING);
    expect(await listed()).toEqual([all, all].map((each) => ({ ...each, has_more: true })));

    // All accounts together exceed the limit, though no single one does.
    const eve = await signIn(gateway);
    await store.transaction(async (trx) => {
      const last = urlAt(FAILING - 1);
      const account_id = eve.accountId;
      await trx
        .updateTable('formatted_webhooks')
        .set({ account_id })
        .where('messages_url', '=', last)
        .execute();
      await trx.updateTable('failing_receivers').set({ account_id }).where('url', '=', last).execute();
    });
    const [ofAda, ofAll] = await listed();
    expect([ofAda?.has_more, ofAll?.has_more]).toEqual([false, true]);
  });
});
