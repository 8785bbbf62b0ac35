import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { errorsOf, type Operation, operations, successStatus } from './index.ts';

const all = Object.entries<Operation>(operations);

test.each(all)('%s carries its own name', (key, { id }) => {
  expect(id).toBe(key);
});

test('no two operations answer the same request', () => {
  const requests = all.map(([, { method, path }]) => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`);
  expect(new Set(requests).size).toBe(requests.length);
});

test.each(all)('%s declares exactly the parameters of its path', (_key, { path, params }) => {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  expect(Object.keys(params?.properties ?? {}).sort()).toEqual(names.sort());
});

test.each(all)('%s lives under the base path of its surface', (_key, { surface, path }) => {
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

test.each(all)('%s says which permission it needs, if it is part of /v1', (_key, { surface, permission }) => {
  expect(permission !== undefined).toBe(surface === 'v1');
});

test.each(all)('%s has one success, and only known errors', (_key, operation) => {
  expect(Object.keys(operation.answers)).toHaveLength(1);
  expect([200, 201, 202, 204]).toContain(successStatus(operation));
  expect(successStatus(operation) === 204).toBe(Object.values(operation.answers)[0] === null);
  for (const code of errorsOf(operation)) expect(ERRORS).toHaveProperty(code);
});

test.each(all)('%s: who needs a live session names one', (_key, { sessionMustBe, subject }) => {
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

test.each(all)('%s refuses unknown fields everywhere in its request', (_key, { params, query, body }) => {
  for (const schema of [params, query, body]) {
    if (schema === undefined) continue;
    for (const object of objectsIn(schema)) expect(object).toHaveProperty('additionalProperties', false);
  }
});

const paged = all.flatMap(([key, { query }]): [string, TSchema][] => {
  const limit: TSchema | undefined = query?.properties.limit;
  return limit === undefined ? [] : [[key, limit]];
});
test.each(paged)('%s: a page has one entry at least, and by default no more than at most', (_key, limit) => {
  expect(limit).toHaveProperty('minimum', 1);
  expect(Check(limit, 'default' in limit ? limit.default : undefined)).toBe(true);
});

test('an account that is blocked is told why, may accept the terms, may see to who gets in, and may leave', () => {
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

test('sends, test sends and channel posts draw on the same budget, and nothing else does', () => {
  const spenders = all.filter(([, { limits }]) => limits.includes('send')).map(([key]) => key);
  expect(spenders.sort()).toEqual(['postToNewsletter', 'sendMessage', 'testSend']);
});

test('everything on a session needs it online, except reading its state and what it keeps, logging it out, and choosing how it appears, is protected and what it keeps', () => {
  const anyState = all.filter(
    ([, { subject, sessionMustBe }]) => subject === 'session' && sessionMustBe === undefined,
  );
  expect(anyState.map(([key]) => key).sort()).toEqual([
    'deleteSession',
    'forgetChat',
    'getHistory',
    'getKeptMessage',
    'getSession',
    'getSessionHealth',
    'listChatMessages',
    'listChats',
    'setHistory',
    'setPacing',
    'setPresencePolicy',
  ]);
  expect(operations.sendMessage.sessionMustBe).toBe('linked');
});

test('errors are told with the shared ones, each once', () => {
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

test.each(all)('%s promises the errors of its limits and surface, and of no others', (_key, operation) => {
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
});
