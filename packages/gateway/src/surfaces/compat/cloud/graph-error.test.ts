import { ERRORS, type ErrorCode, sampleError } from '@parley/contract';
import { expect, test } from 'vitest';
import { errorBody, GRAPH_ERRORS, graphErrorOf } from './graph-error.ts';
import { formatWamid, parseWamid } from './ids.ts';

test('every error of ours has a code of the Graph API, and keeps whether a retry helps', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { status, text } = sampleError(code);
    const error = graphErrorOf({ code, status, message: text });
    const { status: graphStatus } = GRAPH_ERRORS[error.code];
    expect(graphStatus >= 500, code).toBe(status >= 500);
    if (status === 429 && code !== 'media_storage_exhausted') expect(graphStatus, code).toBe(429);
    expect(errorBody(error, 'trace').error).toMatchObject({
      code: error.code,
      type: 'OAuthException',
      error_data: { messaging_product: 'whatsapp', details: text },
      fbtrace_id: 'trace',
    });
  }
});

test.each([
  ['api_key_invalid', 190],
  ['session_not_owned', 100],
  ['permission_missing', 10],
  ['cooldown', 131048],
  ['session_not_hosted', 133010],
] as const)('%s is %i', (code, expected) => {
  const { status, text } = sampleError(code);
  expect(graphErrorOf({ code, status, message: text }).code).toBe(expected);
});

test('a message id is parsed again, and foreign ids are undefined', () => {
  const refs = [
    { fromMe: true, id: 'A' },
    { fromMe: false, id: 'A', chat: '15550002001@s.whatsapp.net' },
    { fromMe: false, id: 'A', chat: '1-2@g.us', participant: '7@lid' },
  ] as const;
  for (const ref of refs) expect(parseWamid(formatWamid(ref))).toEqual(ref);
  for (const stranger of ['', 'A', 'wamid.', 'wamid.HBgLMTU1NTAwMDIwMDE', `wamid.${btoa('0\nA')}`])
    expect(parseWamid(stranger)).toBeUndefined();
});
