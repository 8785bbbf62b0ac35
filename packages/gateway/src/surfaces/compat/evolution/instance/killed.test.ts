import type { ApiKey } from '@parley/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseNames } from '#testing';
import { type Client, startClient } from '../testing/client.ts';

/** More transactions than a request and its background jobs have. */
const MOST_COMMITS = 40;

describe.each(databaseNames)('a process that is killed during a change of an instance (%s)', (database) => {
  let client: Client;
  afterEach(() => client.close());

  /** Fails every commit from the given transaction on, as if the process died in it. */
  async function dyingAt<T>(commit: number, work: () => Promise<T>): Promise<T> {
    const { store } = client.gateway.app;
    const { transaction } = store;
    let begun = 0;
    const dying: typeof transaction = (change) =>
      transaction(async (trx) => {
        const mine = begun++;
        const result = await change(trx);
        if (mine >= commit) throw new Error('killed');
        return result;
      });
    Object.assign(store, { transaction: dying });
    try {
      return await work();
    } finally {
      Object.assign(store, { transaction });
    }
  }

  async function seen() {
    const { gateway, tenant, ask } = client;
    const path = `/accounts/${tenant.accountId}/api-keys`;
    const { api_keys } = await gateway.operate<{ api_keys: ApiKey[] }>('GET', path);
    const { body } = await ask('GET', '/instance/fetchInstances');
    return {
      tokens: api_keys.filter(({ name }) => name === 'evolution shop').length,
      instances: body.length as number,
    };
  }

  const create = () => client.ask('POST', '/instance/create', { instanceName: 'shop' });
  const remove = () => client.ask('DELETE', '/instance/delete/shop');

  it('leaves both instance and key or neither, at any transaction of the creation', async () => {
    client = await startClient(database);
    let status = 0;
    for (let commit = 0; status !== 201 && commit < MOST_COMMITS; commit++) {
      ({ status } = await dyingAt(commit, create));
      const { tokens, instances } = await seen();
      expect(tokens, `dead in transaction ${commit}`).toBe(instances);
      if (instances === 1 && status !== 201) expect((await remove()).status).toBe(200);
    }
    expect(status).toBe(201);
  });

  it('leaves both instance and key or neither, at any transaction of the deletion', async () => {
    client = await startClient(database);
    expect((await create()).status).toBe(201);
    let status = 0;
    for (let commit = 0; status !== 200 && commit < MOST_COMMITS; commit++) {
      ({ status } = await dyingAt(commit, remove));
      const { tokens, instances } = await seen();
      expect(tokens, `dead in transaction ${commit}`).toBe(instances);
      if (instances === 0) break;
    }
    expect(await seen()).toEqual({ tokens: 0, instances: 0 });
  });
});
