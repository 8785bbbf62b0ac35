import { expect, test } from 'vitest';
import { errorOf } from './errors.ts';
import { refusal } from './testing/gateway.fixture.ts';

test.each(['plan_lacks_feature', 'invalid_field', 'not_http', 'shutting_down'])(
  '%s is named by the header, whatever the sentence says',
  async (code) => {
    const error = await errorOf(
      refusal(403, 'session does not belong to this user', { 'x-error-code': code }),
    );
    expect(error).toMatchObject({ code, message: 'session does not belong to this user' });
  },
);

test.each([
  ['a code of a later version', { 'x-error-code': 'moon_is_full' }],
  ['an answer of a proxy', {}],
])('%s is unknown', async (_what, headers) => {
  expect(await errorOf(refusal(404, 'not found', headers))).toMatchObject({ code: 'unknown', status: 404 });
});

test.each([
  ['a page of a proxy', '<html>', {}],
  ['JSON that is no error', '{"error":7}', {}],
  ['JSON that is no object', 'null', {}],
  ['a text alone', '"error"', {}],
])('%s has no sentence, so that the status says it', async (_what, body, headers) => {
  const error = await errorOf(new Response(body, { status: 502, headers }));
  expect(error.message).toBe('gateway answered 502 without a sentence');
});

test.each([
  ['7', 7],
  ['0', 0],
  ['7.5', undefined],
  ['Thu, 19 Nov 2026 10:00:00 GMT', undefined],
  ['', undefined],
])('a time to wait of %j is %s', async (header, retryAfter) => {
  const error = await errorOf(refusal(503, 'busy', { 'retry-after': header, 'x-request-id': 'req_1' }));
  expect(error).toMatchObject({ retryAfter, requestId: 'req_1' });
});

test('reports status and cause of an answer that broke off', async () => {
  const cause = new TypeError('terminated');
  const body = new ReadableStream({ pull: (controller) => controller.error(cause) });
  const error = await errorOf(new Response(body, { status: 500 }));
  expect(error).toMatchObject({ status: 500, message: 'gateway answered 500 without a sentence', cause });
});
