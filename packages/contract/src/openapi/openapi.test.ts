import { Validator } from '@seriousme/openapi-schema-validator';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { sampleError } from '../errors.ts';
import { EVENT_CATEGORIES, EVENT_KINDS, eventKindsOf } from '../events/kinds.ts';
import { SEND_KINDS } from '../messages/kinds.ts';
import { errorsOf } from '../operations/operation.ts';
import { Webhook } from '../resources/webhooks.ts';
import { exampleOf } from './example.ts';
import { buildOpenApi } from './index.ts';
import { V1_OPERATIONS } from './paths.ts';

const document = buildOpenApi({ version: '0.5.0', serverUrl: 'https://gateway.example.com' });
const asJson = JSON.stringify(document);

/** Every method and path of the specification's endpoint tables. */
const SPECIFIED = [
  'POST /v1/sessions/onboard',
  'POST /v1/sessions/paircode',
  'GET /v1/onboard/{id}',
  'DELETE /v1/sessions/{id}',
  'POST /v1/sessions/{id}/typing',
  'POST /v1/sessions/{id}/presence/subscribe',
  'PUT /v1/sessions/{id}/presence-policy',
  'GET /v1/sessions/{id}/health',
  'PUT /v1/sessions/{id}/pacing',
  'POST /v1/sessions/{id}/calls/auto-reject',
  'GET /v1/sessions/{id}/calls/auto-reject',
  'POST /v1/sessions/{id}/validate',
  'GET /v1/sessions/{id}/groups',
  'POST /v1/sessions/{id}/groups',
  'GET /v1/sessions/{id}/groups/{group_id}',
  'POST /v1/sessions/{id}/groups/{group_id}/participants',
  'POST /v1/sessions/{id}/groups/{group_id}/name',
  'POST /v1/sessions/{id}/groups/{group_id}/description',
  'POST /v1/sessions/{id}/groups/{group_id}/photo',
  'GET /v1/sessions/{id}/groups/{group_id}/invite-link',
  'POST /v1/sessions/{id}/groups/join',
  'POST /v1/sessions/{id}/groups/{group_id}/settings',
  'POST /v1/sessions/{id}/groups/{group_id}/leave',
  'GET /v1/sessions/{id}/contacts',
  'GET /v1/sessions/{id}/contacts/{jid}',
  'GET /v1/sessions/{id}/contacts/{jid}/photo',
  'POST /v1/sessions/{id}/profile/status',
  'GET /v1/sessions/{id}/blocklist',
  'POST /v1/sessions/{id}/blocklist',
  'POST /v1/sessions/{id}/newsletters',
  'GET /v1/sessions/{id}/newsletters',
  'GET /v1/sessions/{id}/newsletters/{nl}',
  'POST /v1/sessions/{id}/newsletters/{nl}/mute',
  'POST /v1/sessions/{id}/newsletters/follow',
  'POST /v1/sessions/{id}/newsletters/{nl}/unfollow',
  'POST /v1/sessions/{id}/newsletters/{nl}/messages',
  'POST /v1/sessions/{id}/newsletters/{nl}/react',
  'POST /v1/messages',
  'POST /v1/webhooks',
  'PUT /v1/webhooks/{id}',
  'GET /v1/webhooks',
  'DELETE /v1/webhooks/{id}',
  'GET /v1/tos',
];

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(asJson));
    expect(result).toMatchObject({ valid: true });
  });

  test('has every endpoint of the specification, and each operation under /v1 once', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented).toEqual(expect.arrayContaining(SPECIFIED));
    expect(documented.sort()).toEqual(V1_OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test('names the permission of each operation', () => {
    const { description } = document.paths['/v1/sessions/{id}/groups']?.post ?? {};
    expect(description).toContain('Permission: `groups`.');
    for (const { id, method, path, permission } of V1_OPERATIONS)
      if (permission === 'none')
        expect(JSON.stringify(document.paths[path]?.[method.toLowerCase()]), id).not.toContain('Permission:');
  });

  test('offers events as a page and as a stream', () => {
    const { responses } = document.paths['/v1/events']?.get ?? {};
    expect(responses).toHaveProperty(['200', 'content', 'application/json']);
    expect(responses).toHaveProperty(['200', 'content', 'text/event-stream']);
  });

  test('lists the event kinds of each address of a webhook', () => {
    for (const category of EVENT_CATEGORIES) {
      const { description } = Webhook.properties[`${category}_url`] as { description?: string };
      const named = [...(description ?? '').matchAll(/`(\w+)`/g)].map(([, kind]) => kind);
      expect(named).toEqual(eventKindsOf(category));
    }
  });

  test('has every kind of event as a webhook, with its headers and signature', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_KINDS);
    for (const { post } of Object.values(document.webhooks)) {
      expect(post.requestBody).toMatchObject({ required: true });
      expect(JSON.stringify(post.parameters)).toMatch(
        /X-Webhook-ID.*X-Message-ID.*X-Timestamp.*X-Webhook-Signature/,
      );
    }
  });

  test('refers to existing components only, and to each of them', () => {
    const referred = new Set(
      [...asJson.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas ?? {}).sort());
  });

  test('shows an example of each kind of message', () => {
    const send = JSON.stringify(document.paths['/v1/messages']?.post);
    for (const { kind, example } of Object.values(SEND_KINDS)) {
      expect(send).toContain(`"${kind}":{`);
      expect(send).toContain(JSON.stringify(example));
    }
  });

  test('gives the exact text of every error', () => {
    for (const operation of V1_OPERATIONS) {
      for (const code of errorsOf(operation)) {
        const { status, text } = sampleError(code);
        expect(document.components.examples).toHaveProperty(code, { value: { error: text } });
        const responses = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses;
        expect(responses).toHaveProperty([String(status), 'content', 'application/json', 'examples', code]);
      }
    }
  });

  test('documents Retry-After exactly where one of the errors carries it', () => {
    for (const operation of V1_OPERATIONS) {
      const responses = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses;
      const byStatus = Map.groupBy(errorsOf(operation).map(sampleError), ({ status }) => status);
      for (const [status, errors] of byStatus) {
        const header = [String(status), 'headers', 'Retry-After'];
        if (errors.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined))
          expect(responses, operation.id).toHaveProperty(header);
        else expect(responses, operation.id).not.toHaveProperty(header);
      }
    }
  });

  test('omits internal annotations', () => {
    expect(asJson).not.toMatch(/x-expects|x-keeps-empty|x-content/);
  });
});

describe('examples', () => {
  const schemas = V1_OPERATIONS.flatMap(({ id, body, answers, answerType }) => {
    const own = answerType === undefined ? Object.values(answers) : [];
    return [body, ...own]
      .filter((schema) => schema !== undefined && schema !== null)
      .map((schema) => ({ id, schema }));
  });

  test.each(schemas)('of $id satisfy their schema', ({ schema }: { schema: TSchema }) => {
    expect(Check(schema, exampleOf(schema))).toBe(true);
  });
});
