import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Device } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { everyRow, moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import {
  allCompatClients,
  attemptCompat,
  type CompatClient,
  compatClientFor,
} from './testing/compat-clients.ts';

const named = allCompatClients.filter(({ endpoint }) => /:(?:instance|id)/.test(endpoint.path));
const SIBLINGS_ID = '102290129340398';
const SIBLINGS_WABA = '202290129340398';

describe('a key for one number of an account, on the interfaces of other programs', () => {
  let gateway: TestGateway;
  let tenant: Tenant;
  let own: string;
  let key: string;
  let closeReceiver: () => void;

  beforeAll(async () => {
    const receiver = createServer((request, response) => {
      response.end(new URL(request.url ?? '', 'http://x').searchParams.get('hub.challenge'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    closeReceiver = () => receiver.close();
    const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/siblings`;
    gateway = await startGateway({
      environment: {
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_COMPAT: 'evolution,cloud',
        PARLEY_DEMO: 'off',
      },
      // Heartbeats would change rows in the background.
      machineClock: createSteppedClock(),
    });
    tenant = await moveIn(gateway);
    own = `${tenant.phone}9`;
    const device = { phone: own, plan: 'pro' };
    await gateway.operate<Device>('POST', `/accounts/${tenant.accountId}/devices`, device);
    key = await tenant.makeKey({ phone: own });
    const asOwner = async (title: string, url: string, body: object) => {
      const answer = await attemptCompat(gateway, compatClientFor(title), { url, key: tenant.apiKey, body });
      expect(answer.statusCode, answer.body).toBeLessThan(300);
    };
    await asOwner('POST /cloud/:id', `/cloud/${tenant.phone}`, {
      phone_number_id: SIBLINGS_ID,
      whatsapp_business_account_id: SIBLINGS_WABA,
      webhook_configuration: { override_callback_uri: callback, verify_token: 'x' },
    });
    for (const [instanceName, number] of [
      ['siblings', tenant.phone],
      ['own', own],
    ])
      await asOwner('POST /evolution/instance/create', '/evolution/instance/create', {
        instanceName,
        number,
      });
  });
  afterAll(async () => {
    await gateway.close();
    closeReceiver();
  });

  const ask = (door: CompatClient, url: string, body?: object) =>
    attemptCompat(gateway, door, { url, key, body });
  const see = async (title: string, url: string) => (await ask(compatClientFor(title), url)).json();

  it.each(named.map((door) => [door.title, door] as const))(
    'reaches no other number by %s',
    async (_title, door) => {
      const before = await everyRow(gateway);
      const path =
        door.surface.prefix + door.endpoint.path.replace(':instance', 'siblings').replace(':bot', 'any');
      for (const id of [tenant.phone, SIBLINGS_ID, SIBLINGS_WABA]) {
        const answer = await ask(door, path.replace(':id', id), {
          number: '15550002001',
          text: 'Mine',
          about: 'x',
        });
        expect([400, 403, 404], `${path} ${answer.body}`).toContain(answer.statusCode);
        // The Graph API answers the same for another number's id and for an unknown one.
        const stranger = await ask(door, path.replace(':id', '999999999999999'), { text: 'Mine' });
        if (door.surface.name === 'cloud')
          expect(withoutIds(answer.json(), id)).toEqual(withoutIds(stranger.json(), '999999999999999'));
      }
      expect(await everyRow(gateway)).toEqual(before);
    },
  );

  it('lists only its own number', async () => {
    const { data } = await see('GET /cloud/debug_token', `/cloud/debug_token?input_token=${key}`);
    const [waba] = data.granular_scopes[0].target_ids;
    const numbers = await see('GET /cloud/:id/phone_numbers', `/cloud/${waba}/phone_numbers`);
    expect(numbers.data.map(({ id }: { id: string }) => id)).toEqual([own]);
    expect((await see('GET /cloud/:id/subscribed_apps', `/cloud/${waba}/subscribed_apps`)).data).toEqual([]);
    const instances = await see(
      'GET /evolution/instance/fetchInstances',
      '/evolution/instance/fetchInstances',
    );
    expect(instances.map(({ name }: { name: string }) => name)).toEqual(['own']);
  });

  it('changes only its own number through paths of the account', async () => {
    const { data } = await see('GET /cloud/debug_token', `/cloud/debug_token?input_token=${key}`);
    const url = `/cloud/${data.granular_scopes[0].target_ids[0]}/subscribed_apps`;
    const callbacks = async () =>
      (
        await attemptCompat(gateway, compatClientFor('GET /cloud/:id/subscribed_apps'), {
          url,
          key: tenant.apiKey,
        })
      ).json().data;
    const before = await callbacks();
    expect(before).toHaveLength(1);
    expect((await ask(compatClientFor('DELETE /cloud/:id/subscribed_apps'), url)).statusCode).toBe(200);
    expect(await callbacks()).toEqual(before);
  });

  it('cannot give its number the name of another one', async () => {
    const before = await everyRow(gateway);
    for (const phone_number_id of [tenant.phone, SIBLINGS_ID]) {
      const answer = await ask(compatClientFor('POST /cloud/:id'), `/cloud/${own}`, { phone_number_id });
      expect([answer.statusCode, answer.json().error.code], phone_number_id).toEqual([400, 100]);
    }
    expect(await everyRow(gateway)).toEqual(before);
  });

  function withoutIds({ error }: { error: { fbtrace_id: string } }, id: string): unknown {
    return JSON.parse(JSON.stringify({ ...error, fbtrace_id: '' }).replaceAll(id, 'ID'));
  }
});
