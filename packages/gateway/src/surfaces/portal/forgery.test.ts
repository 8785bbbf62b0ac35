import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { type Answer, expectRefusal } from './testing/browser.ts';
import { newPhone, type Owner, signIn } from './testing/owners.ts';

const OWN_PAGES = { 'x-parley-portal': '1' };

describe('a cross-site request of the browser', () => {
  let gateway: TestGateway;
  let ada: Owner;

  beforeAll(async () => {
    gateway = await startGateway();
    ada = await signIn(gateway);
    await ada.browser.post('/operator/sign-in', { token: OPERATOR_TOKEN });
  });
  afterAll(() => gateway.close());

  const register = (headers: Record<string, string>): Promise<Answer> =>
    ada.browser.ask('POST', '/numbers', { phone: newPhone(), plan: 'max' }, headers);

  it.each([
    ['lacks the header that only our own pages can add', {}],
    ['comes from another site', { ...OWN_PAGES, 'sec-fetch-site': 'cross-site' }],
    ['comes from a neighbour under the same domain', { ...OWN_PAGES, 'sec-fetch-site': 'same-site' }],
    ['comes from a typed address', { ...OWN_PAGES, 'sec-fetch-site': 'none' }],
    ['comes from another origin', { ...OWN_PAGES, origin: 'https://evil.example', host: 'parley.example' }],
    ['comes from another port', { ...OWN_PAGES, origin: 'http://parley.example:81', host: 'parley.example' }],
    ['comes from nowhere, as a sandboxed frame does', { ...OWN_PAGES, origin: 'null' }],
  ])('is refused when it %s', async (_why, headers) => {
    const before = await ada.browser.get('/numbers');
    expectRefusal(await register(headers), 'request_forged');
    expect(await ada.browser.get('/numbers')).toEqual(before);
  });

  it.each([
    ['the browser says so', { ...OWN_PAGES, 'sec-fetch-site': 'same-origin' }],
    [
      'an old browser sends its origin',
      { ...OWN_PAGES, origin: 'http://parley.example', host: 'parley.example' },
    ],
    [
      'a proxy before us has another name',
      {
        ...OWN_PAGES,
        'sec-fetch-site': 'same-origin',
        origin: 'https://parley.example',
        host: 'upstream:8080',
      },
    ],
  ])('is not assumed for our own pages: %s', async (_how, headers) => {
    expect((await register(headers)).statusCode).toBe(201);
  });

  it('cannot sign in or out', async () => {
    for (const path of ['/sign-in', '/sign-up', '/sign-out', '/operator/sign-in', '/operator/sign-out'])
      expectRefusal(await ada.browser.ask('POST', path, undefined, {}), 'request_forged');
    expect((await ada.browser.ask('GET', '/me')).statusCode).toBe(200);
  });

  it('cannot use the cookie of an operator, while the token itself needs no such proof', async () => {
    const account = { name: 'Eve', email: 'eve@example.com' };
    const forged = await ada.browser.ask('POST', '/operator/v1/accounts', account, {});
    expectRefusal(forged, 'request_forged');
    const authorization = `Bearer ${OPERATOR_TOKEN}`;
    const proven = await ada.browser.ask('POST', '/operator/v1/accounts', account, { authorization });
    expect(proven.statusCode).toBe(201);
  });

  it('may read, because the other site cannot see the answer', async () => {
    const answer = await ada.browser.ask('GET', '/me', undefined, { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});
