import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Owner, PORTAL_HEADERS, signIn } from '#surfaces/portal/testing';
import { moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';

/** Values that Node's HTTP parser accepts: no NUL, line breaks or other ASCII control characters. */
const VALUES: Readonly<Record<string, string>> = {
  empty: '',
  long: 'x'.repeat(8_000),
  'bytes beyond ASCII': '\u0085\u00ff\u009b31m',
  'tabs and quotes': '\t"\\";,=\t',
  'many parts': ','.repeat(4_000),
  'a number beyond all': '9'.repeat(400),
};

const HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Authorization',
  'Content-Type',
  'Cookie',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Origin',
  'Range',
  'Referer',
  'Sec-Fetch-Site',
  'Traceparent',
  'Tracestate',
  'User-Agent',
  'X-Forwarded-For',
  'X-Parley-Portal',
  'X-Request-Id',
] as const;

describe('a hostile header', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  let owner: Owner;
  beforeAll(async () => {
    gateway = await startGateway({
      environment: {
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_COMPAT: 'evolution,cloud',
        PARLEY_METRICS_TOKEN: 'open',
        PARLEY_PUBLIC_URL: 'https://gateway.example',
      },
    });
    ada = await moveIn(gateway);
    owner = await signIn(gateway);
  });
  afterAll(() => gateway.close());

  const asAccount = () => ({ authorization: `Bearer ${ada.apiKey}` });
  const asOwner = () => ({ ...PORTAL_HEADERS, cookie: owner.browser.cookie });
  const REQUESTS = [
    ['a send', 'POST', '/v1/messages', asAccount],
    ['a list', 'GET', '/v1/sessions', asAccount],
    ['an upload', 'POST', '/v1/media', asAccount],
    ['the portal', 'GET', '/portal/api/numbers', asOwner],
    ['signing in', 'POST', '/portal/api/sign-in', () => PORTAL_HEADERS],
    ['the operator', 'GET', '/operator/v1/accounts', () => ({})],
    ['Evolution', 'GET', '/evolution/instance/fetchInstances', () => ({ apikey: ada.apiKey })],
    ['Cloud', 'GET', '/cloud/v23.0/me', asAccount],
    ['metrics', 'GET', '/metrics', () => ({})],
    ['documentation', 'GET', '/docs', () => ({})],
    ['nothing', 'GET', '/nowhere', () => ({})],
  ] as const;

  it.each(REQUESTS)('is answered by %s without a failure of the gateway', async (_what, method, url, by) => {
    const body =
      method === 'POST' ? { to: '15550002001', text: 'Hello', session_id: ada.sessionId } : undefined;
    for (const header of HEADERS)
      for (const [kind, value] of Object.entries(VALUES)) {
        const headers: Record<string, string> = { ...by(), [header.toLowerCase()]: value };
        const { statusCode } = await gateway.request({ method, url, headers, body });
        expect(statusCode, `${header}: ${kind}`).toBeGreaterThanOrEqual(200);
        expect(statusCode, `${header}: ${kind}`).toBeLessThan(500);
      }
  });

  it('leaves no bug in the log', () => {
    expect(gateway.log()).not.toContain('internal_error');
  });
});
