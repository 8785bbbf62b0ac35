import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode, publicError, sampleError } from './errors.ts';

/** Texts of the specification. Integrators match on them, so they are pinned here. */
const KNOWN: [number, string, ReturnType<typeof publicError>][] = [
  [401, 'api key missing or invalid', publicError('api_key_invalid')],
  [403, 'session does not belong to this user', publicError('session_not_owned')],
  [403, 'tos not accepted', publicError('tos_not_accepted')],
  [403, 'api key lacks permission groups', publicError('permission_missing', { permission: 'groups' })],
  [403, 'api key is restricted to another number', publicError('key_restricted')],
  [
    403,
    'plan free does not include poll',
    publicError('plan_lacks_feature', { plan: 'free', feature: 'poll' }),
  ],
  [403, 'device is not active', publicError('device_not_active')],
  [404, 'device not found', publicError('device_not_found')],
  [404, 'onboarding not found', publicError('onboarding_not_found')],
  [409, 'number is already linked; delete the session first', publicError('number_already_linked')],
  [409, 'session is not currently hosted by any worker', publicError('session_not_hosted')],
  [409, 'number already has a webhook; use PUT', publicError('webhook_exists')],
  [400, 'Idempotency-Key header is required', publicError('idempotency_key_required')],
  [400, 'Idempotency-Key was already used with a different request', publicError('idempotency_key_reused')],
  [400, 'media_type and media_url are required together', publicError('media_pair_incomplete')],
  [429, 'session send rate exceeded', publicError('session_rate_exceeded', { retryAfterSeconds: 2 })],
  [429, 'user rate limit exceeded', publicError('account_rate_exceeded', { retryAfterSeconds: 2 })],
  [
    429,
    'consecutive send cooldown: too many messages sent back-to-back on this number; pause before sending again',
    publicError('cooldown', { retryAfterSeconds: 300 }),
  ],
  [429, 'too many concurrent requests for this number; retry shortly', publicError('too_many_actions')],
  [429, 'message quota exhausted', publicError('quota_exhausted')],
];

test.each(KNOWN)('%i %s', (status, text, error) => {
  expect(error).toMatchObject({ status, text });
});

test('rounds Retry-After up to whole seconds, at least one', () => {
  expect(publicError('session_rate_exceeded', { retryAfterSeconds: 1.2 }).retryAfterSeconds).toBe(2);
  expect(publicError('session_rate_exceeded', { retryAfterSeconds: 0 }).retryAfterSeconds).toBe(1);
  expect(publicError('too_many_actions').retryAfterSeconds).toBe(1);
  expect(sampleError('cooldown').retryAfterSeconds).toBe(300);
  expect(sampleError('session_rate_exceeded').retryAfterSeconds).toBe(1);
});

test('omits Retry-After for an exhausted quota, where waiting does not help', () => {
  expect(publicError('quota_exhausted')).not.toHaveProperty('retryAfterSeconds');
});

test('gives every error an error status and a full example sentence', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { status, text } = sampleError(code);
    expect(status, code).toBeGreaterThanOrEqual(400);
    expect(text, code).not.toMatch(/undefined|NaN|^$/);
  }
});
