import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import {
  databaseNames,
  everyRow,
  moveIn,
  OPERATOR_TOKEN,
  startGateway,
  type Tenant,
  type TestGateway,
} from '#testing';
import { leastCpuMs, meanCpuMs } from '#testing/cpu';
import {
  allCompatClients,
  attemptCompat,
  type CompatClient,
  compatClientFor,
  REFUSAL_KEYS,
} from './testing/compat-clients.ts';
import { type Attack, attacksOn, sampleOf } from './testing/hostile.ts';

/** CPU time limit of one request, on a machine where the floor takes a twentieth of it. */
const CPU_MAX_MS = 50;
const FLOORS = 20;

const PATHS = [
  '%00',
  '%0a',
  'x'.repeat(101),
  'x'.repeat(600),
  '%e2%80%aegnp',
  '%ed%a0%80',
  '%E0%A4%A',
  '__proto__',
];

/** Texts that the two databases treat differently; all other attacks are refused before a query. */
const DIFFERING = /NUL|half a character|direction|UTF-8/;

/** Last, because a deleted instance cannot be attacked. */
const inOrder = allCompatClients
  .filter(({ endpoint }) => !endpoint.open)
  .sort(
    (one, other) =>
      Number(one.title.includes('/instance/delete')) - Number(other.title.includes('/instance/delete')),
  );

describe.each(databaseNames)('hostile input to an interface of another program (%s)', (database) => {
  let gateway: TestGateway;
  let tenant: Tenant;
  let stranger: Tenant;
  let account: string;
  let floorMs: number;
  let dearest = { ms: 0, what: '' };

  beforeAll(async () => {
    gateway = await startGateway({
      database,
      environment: {
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_COMPAT: 'evolution,cloud',
        PARLEY_DEMO: 'off',
      },
      // Heartbeats would change rows in the background.
      machineClock: createSteppedClock(),
    });
    [tenant, stranger] = [await moveIn(gateway), await moveIn(gateway)];
    const create = compatClientFor('POST /evolution/instance/create');
    const made = await attemptCompat(gateway, create, {
      url: '/evolution/instance/create',
      key: tenant.apiKey,
      body: { instanceName: 'shop' },
    });
    expect(made.statusCode, made.body).toBe(201);
    const debug = compatClientFor('GET /cloud/debug_token');
    const url = `/cloud/debug_token?input_token=${tenant.apiKey}`;
    account = (await attemptCompat(gateway, debug, { url, key: tenant.apiKey })).json().data
      .granular_scopes[0].target_ids[0];
    floorMs = await measureFloor();
  });
  afterAll(async () => {
    await gateway.close();
    console.log(`dearest: ${dearest.ms.toFixed(1)} ms (${dearest.what}), floor ${floorMs.toFixed(1)} ms`);
  });

  /** Floor: the CPU time of a large JSON body that a surface of our own refuses. */
  async function measureFloor(): Promise<number> {
    const body = JSON.stringify({ unknown: 'x'.repeat(100_000) });
    return meanCpuMs(50, () =>
      gateway.request({ method: 'POST', url: '/v1/messages', key: tenant.apiKey, body }),
    );
  }

  function urlTo(
    { surface, endpoint }: CompatClient,
    { instance = 'shop', id }: { instance?: string; id?: string } = {},
  ) {
    const isOfAccount = /^\/:id\/(?:phone_numbers|subscribed_apps|message_templates)$/.test(endpoint.path);
    const path = endpoint.path
      .replace(':instance', instance)
      .replace(':bot', 'any')
      .replace(':id', id ?? (isOfAccount ? account : tenant.phone));
    return surface.prefix + path;
  }

  async function strike(
    door: CompatClient,
    { what, query, body, contentType }: Omit<Attack, 'isRefused'>,
    url = urlTo(door),
  ) {
    const whole = query === undefined ? url : `${url}?${query}`;
    const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
    let answer = { status: 0, body: '' };
    const mayTakeMs = Math.max(CPU_MAX_MS, FLOORS * floorMs);
    const ms = await leastCpuMs(mayTakeMs, async () => {
      const { statusCode, body: text } = await attemptCompat(gateway, door, {
        url: whole,
        key: tenant.apiKey,
        body,
        headers,
      });
      answer = { status: statusCode, body: text };
    });
    if (ms > dearest.ms) dearest = { ms, what: `${door.title} ${what}` };
    expect(ms, `${what}: CPU`).toBeLessThanOrEqual(mayTakeMs);
    expect(answer.status, `${what}: ${answer.body.slice(0, 300)}`).toBeLessThan(500);
    if (answer.status >= 400) {
      expect(Object.keys(JSON.parse(answer.body)), what).toEqual(REFUSAL_KEYS[door.surface.name]);
      expect(answer.body.length, what).toBeLessThan(2_000);
    }
    return answer;
  }

  it.each(inOrder.map((door) => [door.title, door] as const))(
    'to %s is refused in the format of the surface, at low CPU cost, and changes nothing',
    async (_title, door) => {
      const { input } = door.endpoint;
      const attacks = attacksOn(door.endpoint).filter(
        ({ what }) => database === 'SQLite' || DIFFERING.test(what),
      );
      // A refusal for another reason would not show that the attack is refused.
      const isComparable = (input?.body || input?.query) && !waits(door);
      const good = isComparable
        ? await strike(door, { what: 'good', body: input.body && sampleOf(input.body) })
        : undefined;
      const before = await everyRow(gateway);
      for (const attack of attacks.filter(({ isRefused }) => isRefused)) {
        const { status, body } = await strike(door, attack);
        expect(status, `${attack.what}: ${body}`).toBeGreaterThanOrEqual(400);
        if (good) expect(reasonOf(body), attack.what).not.toEqual(reasonOf(good.body));
      }
      if (/:(?:instance|id)/.test(door.endpoint.path))
        for (const place of PATHS) {
          const { status } = await strike(
            door,
            { what: `path ${place}` },
            urlTo(door, { instance: place, id: place }),
          );
          expect(status, place).toBeGreaterThanOrEqual(400);
        }
      expect(await everyRow(gateway)).toEqual(before);
      if (waits(door)) return;
      for (const attack of attacks.filter(({ isRefused }) => !isRefused)) await strike(door, attack);
    },
  );

  it.each(
    inOrder
      .filter(({ endpoint }) => database === 'SQLite' && /:(?:instance|id)/.test(endpoint.path))
      .map((door) => [door.title, door] as const),
  )('to %s by another tenant gets the answer for an unknown name', async (_title, door) => {
    const before = await everyRow(gateway);
    const body = door.endpoint.input?.body && sampleOf(door.endpoint.input.body);
    const ask = async (names: { instance: string; id: string }) => {
      const answer = await attemptCompat(gateway, door, {
        url: urlTo(door, names),
        key: stranger.apiKey,
        body,
      });
      const said = answer.body.replaceAll(names.instance, 'NAME').replaceAll(names.id, 'ID');
      return [answer.statusCode, reasonOf(said)];
    };
    const nothing = await ask({ instance: 'none', id: '999999999999999' });
    expect(nothing[0]).toBeGreaterThanOrEqual(400);
    for (const id of [tenant.phone, account]) expect(await ask({ instance: 'shop', id })).toEqual(nothing);
    expect(await everyRow(gateway)).toEqual(before);
  });

  it('logs no bug', () => {
    expect(gateway.log()).not.toContain('internal_error');
  });
});

/** A request that is accepted waits for a code, by a clock that does not advance here. */
function waits({ title }: CompatClient): boolean {
  return title.startsWith('GET /evolution/instance/connect/');
}

/** Answer without the parts that differ each time. */
function reasonOf(body: string): unknown {
  return JSON.parse(body.replaceAll(/"fbtrace_id":"[^"]*"/g, '"fbtrace_id":""'));
}
