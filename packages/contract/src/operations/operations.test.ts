import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { errorsOf, type Operation, operations, successStatuses } from './index.ts';

const all = Object.entries<Operation>(operations);

test.each(all)('gives %s its key as id', (key, { id }) => {
  expect(id).toBe(key);
});

test('has one operation per request', () => {
  const requests = all.map(([, { method, path }]) => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`);
  expect(new Set(requests).size).toBe(requests.length);
});

test.each(all)('declares exactly the path parameters of %s', (_key, { path, params }) => {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  expect(Object.keys(params?.properties ?? {}).sort()).toEqual(names.sort());
});

test.each(all)('puts %s under the base path of its surface', (_key, { surface, path }) => {
  const base = {
    v1: '/v1/',
    signed: '/v1/',
    operator: '/operator/v1/',
    portal: '/portal/api/',
    portal_entrance: '/portal/api/',
    public: '/',
  }[surface];
  expect(path.startsWith(base)).toBe(true);
});

test.each(all)('gives %s a permission exactly when it is part of /v1', (_key, { surface, permission }) => {
  expect(permission !== undefined).toBe(surface === 'v1');
});

test.each(all)(
  'gives %s known successes, with a body except for 204, and known errors only',
  (_key, operation) => {
    const statuses = successStatuses(operation);
    expect(statuses).not.toEqual([]);
    for (const status of statuses) {
      expect([200, 201, 202, 204]).toContain(status);
      expect(operation.answers[status] === null).toBe(status === 204);
    }
    for (const code of errorsOf(operation)) expect(ERRORS).toHaveProperty(code);
  },
);

test.each(all)('gives %s a session where it needs a live one', (_key, { sessionMustBe, subject }) => {
  if (sessionMustBe !== undefined) expect(['session', 'body_session']).toContain(subject);
});

function* objectsIn(schema: TSchema): Generator<TSchema> {
  if (Type.IsObject(schema)) {
    yield schema;
    for (const property of Object.values(schema.properties)) yield* objectsIn(property);
  }
  if (Type.IsArray(schema)) yield* objectsIn(schema.items);
  if (Type.IsUnion(schema)) for (const option of schema.anyOf) yield* objectsIn(option);
}

test.each(all)('refuses unknown fields everywhere in a request of %s', (_key, { params, query, body }) => {
  for (const schema of [params, query, body]) {
    if (schema === undefined) continue;
    for (const object of objectsIn(schema)) expect(object).toHaveProperty('additionalProperties', false);
  }
});

test.each(all)(
  '%s takes a slot for actions exactly where the host of its number answers',
  (_key, operation) => {
    const { limits, sessionMustBe } = operation;
    expect(limits.includes('network_action')).toBe(sessionMustBe === 'online');
  },
);

const paged = all.flatMap(([key, { query }]): [string, TSchema][] => {
  const limit: TSchema | undefined = query?.properties.limit;
  return limit === undefined ? [] : [[key, limit]];
});
test.each(paged)('gives pages of %s at least one entry, and a default within the maximum', (_key, limit) => {
  expect(limit).toHaveProperty('minimum', 1);
  expect(Check(limit, 'default' in limit ? limit.default : undefined)).toBe(true);
});

test('lets a blocked account read the reason, accept the terms, manage its access and leave', () => {
  expect(all.filter(([, operation]) => operation.answersBlockedAccounts).map(([key]) => key)).toEqual([
    'getTerms',
    'getMe',
    'changePassword',
    'signOutEverywhere',
    'getTwoFactor',
    'beginTwoFactor',
    'confirmTwoFactor',
    'endTwoFactor',
    'listBrowserSessions',
    'endBrowserSession',
    'askForVerification',
    'leaveAccount',
    'acceptTerms',
    'askForExport',
    'listExports',
    'downloadExport',
    'deleteMyAccount',
    'keepMyAccount',
  ]);
});

test('charges sends, test sends and channel posts, and nothing else, to one budget', () => {
  const spenders = all.filter(([, { limits }]) => limits.includes('send')).map(([key]) => key);
  expect(spenders.sort()).toEqual(['postToNewsletter', 'sendMessage', 'testSend']);
});

test('needs an online session except for reading its state and history, logging in and out, and changing presence, pacing and history', () => {
  const anyState = all.filter(
    ([, { subject, sessionMustBe }]) => subject === 'session' && sessionMustBe === undefined,
  );
  expect(anyState.map(([key]) => key).sort()).toEqual([
    'answerSessionPasskey',
    'askSessionPasskey',
    'confirmSessionPasskey',
    'deleteSession',
    'forgetChat',
    'getHistory',
    'getKeptMessage',
    'getSession',
    'getSessionHealth',
    'getSessionPasskey',
    'listChatMessages',
    'listChats',
    'setHistory',
    'setPacing',
    'setPresencePolicy',
  ]);
  expect(operations.sendMessage.sessionMustBe).toBe('linked');
});

test('lists each error once, with the shared ones', () => {
  const codes = errorsOf(operations.createGroup);
  expect(codes).toEqual(
    expect.arrayContaining(['api_key_invalid', 'session_not_hosted', 'plan_lacks_feature']),
  );
  expect(new Set(codes).size).toBe(codes.length);
  expect(errorsOf(operations.getTerms)).not.toContain('tos_not_accepted');
  expect(errorsOf(operations.listAccounts)).toContain('operator_token_invalid');
  expect(errorsOf(operations.updateMyWebhook)).toEqual(
    expect.arrayContaining(['sign_in_required', 'request_forged', 'webhook_not_found']),
  );
  expect(errorsOf(operations.updateMyWebhook)).not.toContain('key_restricted');
  expect(errorsOf(operations.listMyWebhooks)).not.toContain('request_forged');
});

test.each(all)(
  'declares for %s the errors of its limits and surface, and of no others',
  (_key, operation) => {
    const { surface, limits, method, body, permission, feature } = operation;
    const promised = errorsOf(operation);
    const conditions: [ErrorCode, boolean][] = [
      ['api_key_invalid', surface === 'v1'],
      ['permission_missing', permission !== undefined && permission !== 'none'],
      ['sign_in_required', surface === 'portal'],
      ['request_forged', surface.startsWith('portal') && method !== 'GET'],
      ['body_too_large', body !== undefined],
      ['plan_lacks_feature', feature !== undefined || limits.includes('send')],
      ['session_rate_exceeded', limits.includes('send')],
      ['cooldown', limits.includes('send')],
      ['too_many_actions', limits.includes('network_action')],
      ['network_forbids', limits.includes('network_action')],
      ['internal_error', surface !== 'public'],
    ];
    for (const [code, isPromised] of conditions)
      expect([code, promised.includes(code)]).toEqual([code, isPromised]);
  },
);
