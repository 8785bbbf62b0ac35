import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { everyRow, moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import {
  allCompatClients,
  attemptCompat,
  type CompatClient,
  REFUSAL_KEYS,
} from './testing/compat-clients.ts';

const doors = allCompatClients.map((door) => [door.title, door] as const);
const guarded = doors.filter(([, { endpoint }]) => !endpoint.open);
/** Endpoints that name an instance or an id in their path. */
const named = guarded.filter(([, { endpoint }]) => /:(?:instance|id)/.test(endpoint.path));

/** Fields that the surfaces know, and an unknown one. */
const FIELDS = [
  ...['number', 'text', 'media', 'mediatype', 'caption', 'fileName', 'audio', 'sticker', 'content', 'type'],
  ...['latitude', 'longitude', 'contact', 'key', 'reaction', 'name', 'values', 'selectableCount', 'buttons'],
  ...['sections', 'title', 'buttonText', 'quoted', 'mentioned', 'messageId', 'where', 'page', 'offset'],
  ...['numbers', 'presence', 'delay', 'readMessages', 'chat', 'lastMessage', 'archive', 'id', 'remoteJid'],
  ...['message', 'picture', 'status', 'subject', 'participants', 'groupJid', 'action', 'expiration'],
  ...['webhook', 'url', 'events', 'headers', 'enabled', 'rejectCall', 'instanceName', 'integration'],
  ...['messaging_product', 'to', 'recipient', 'image', 'template', 'interactive', 'location', 'contacts'],
  ...['message_id', 'typing_indicator', 'context', 'phone_number_id', 'webhook_configuration', 'about'],
  ...['components', 'language', 'category', 'block_users', 'pin', 'unknown_field'],
];
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }),
  },
  fc.jsonValue({ maxDepth: 2 }),
);
const RUNS_PER_ENDPOINT = 12;

describe('the interfaces of other programs', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  let eve: Tenant;
  let evesRestricted: string;
  let adas: { readonly waba: string; readonly media: string };

  beforeAll(async () => {
    gateway = await startGateway({
      environment: {
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_COMPAT: 'evolution,cloud',
        PARLEY_DEMO: 'off',
      },
      // Heartbeats would change rows in the background.
      machineClock: createSteppedClock(),
    });
    [ada, eve] = [await moveIn(gateway), await moveIn(gateway)];
    evesRestricted = await eve.makeKey({ phone: eve.phone });
    const made = await ask(doorOf('create'), '/evolution/instance/create', ada.apiKey, {
      instanceName: 'shop',
    });
    expect(made.statusCode, made.body).toBe(201);
    const upload = { method: 'POST', url: '/v1/media', key: ada.apiKey, body: 'a file' } as const;
    const debug = `/cloud/debug_token?input_token=${ada.apiKey}`;
    const token = await ask(doorOf('debugToken'), debug, ada.apiKey);
    adas = {
      waba: token.json().data.granular_scopes[0].target_ids[0],
      media: (await gateway.request(upload)).json().media_id,
    };
  });
  afterAll(() => gateway.close());

  function doorOf(id: string): CompatClient {
    const [, found] = doors.find(([, { endpoint }]) => endpoint.id === id) ?? [];
    if (!found) throw new Error(`There is no endpoint ${id}.`);
    return found;
  }

  function ask(door: CompatClient, url: string, key: string | undefined, sent?: unknown) {
    return attemptCompat(gateway, door, { url, key, body: sent });
  }

  /** Paths of an endpoint with each of Ada's names and ids. */
  function pathsTo({ surface, endpoint }: CompatClient): string[] {
    const path = surface.prefix + endpoint.path.replace(':instance', 'shop').replace(':bot', 'any');
    return [ada.phone, adas.waba, adas.media].map((id) => path.replace(':id', id));
  }

  it.each(guarded)('need a key for %s', async (_title, door) => {
    for (const key of [undefined, OPERATOR_TOKEN, `${ada.apiKey}x`])
      expect((await ask(door, pathsTo(door)[0] ?? '', key)).statusCode).toBe(401);
  });

  it.each(named)('give a tenant no access to another tenant’s number by %s', async (_title, door) => {
    const before = await everyRow(gateway);
    for (const key of [eve.apiKey, evesRestricted])
      for (const url of pathsTo(door)) {
        const { statusCode, body: said } = await ask(door, url, key, { number: '15550002001', text: 'Mine' });
        expect([400, 403, 404], `${url} ${said}`).toContain(statusCode);
      }
    expect(await everyRow(gateway)).toEqual(before);
  });

  it('refuse a name for another tenant’s number, and list none', async () => {
    const before = await everyRow(gateway);
    const sent = { instanceName: 'mine', number: ada.phone };
    expect((await ask(doorOf('create'), '/evolution/instance/create', eve.apiKey, sent)).statusCode).toBe(
      400,
    );
    expect(await everyRow(gateway)).toEqual(before);
    const list = await ask(doorOf('fetchInstances'), '/evolution/instance/fetchInstances', eve.apiKey);
    expect(list.json()).toEqual([]);
  });

  const taking = doors.filter(
    ([, { endpoint }]) => endpoint.method !== 'GET' && !endpoint.path.includes('delete'),
  );
  it.each(taking)('answer every input to %s with a well-formed answer', async (_title, door) => {
    const property = fc.asyncProperty(body, fc.nat(2), async (sent, place) => {
      const url = pathsTo(door)[place] ?? '';
      const answer = await ask(door, url, ada.apiKey, sent);
      const what = `${url} ${JSON.stringify(sent)} → ${answer.statusCode} ${answer.body}`;
      expect(answer.statusCode, what).toBeLessThan(500);
      if (answer.statusCode < 400) return;
      expect(Object.keys(answer.json()), what).toEqual(REFUSAL_KEYS[door.surface.name]);
    });
    await fc.assert(property, { numRuns: RUNS_PER_ENDPOINT });
  });

  it('log no bug and no secret', () => {
    const log = gateway.log();
    expect(log).not.toContain('internal_error');
    for (const secret of [ada.apiKey, eve.apiKey, OPERATOR_TOKEN]) expect(log).not.toContain(secret);
  });
});
