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
  ['an answer of a proxy on the way', {}],
])('%s is unknown', async (_what, headers) => {
  expect(await errorOf(refusal(404, 'not found', headers))).toMatchObject({ code: 'unknown', status: 404 });
});
