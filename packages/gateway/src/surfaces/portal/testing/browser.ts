import { type ErrorCode, sampleError } from '@parley/contract';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { Method, TestGateway } from '#testing';

/** A browser with the portal open: it keeps cookies, and its requests have the headers of the portal's pages. */
export interface Browser {
  ask(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Fails unless the answer is a success. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  /** Cookies that the browser sends with every request. */
  readonly cookie: string;
  /** Sets a cookie as if a server had set it before. */
  keep(cookie: string): void;
}

export type Answer = LightMyRequestResponse;

export const PORTAL_HEADERS = { 'x-parley-portal': '1', 'sec-fetch-site': 'same-origin' };

export function openBrowser(gateway: TestGateway, address = '198.51.100.7'): Browser {
  const cookies = new Map<string, { readonly value: string; readonly path: string }>();
  const cookiesFor = (url: string): string =>
    [...cookies]
      .filter(([, { path }]) => url.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');

  function keep(setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    const [, path = '/'] = /; Path=([^;]*)/.exec(setCookie) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, { value, path });
  }

  const ask: Browser['ask'] = async (method, path, body, headers = PORTAL_HEADERS) => {
    const url = /^\/(operator\/v1|portal)/.test(path) ? path : `/portal/api${path}`;
    const cookie = cookiesFor(url);
    const answer = await gateway.app.http.inject({
      method,
      url,
      remoteAddress: address,
      headers: {
        ...headers,
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    for (const given of [answer.headers['set-cookie'] ?? []].flat()) keep(given);
    return answer;
  };

  async function succeed<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const answer = await ask(method, path, body);
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
    return JSON.parse(answer.body || 'null');
  }

  return {
    ask,
    keep,
    get: (path) => succeed('GET', path),
    post: (path, body) => succeed('POST', path, body),
    get cookie() {
      return cookiesFor('/');
    },
  };
}

export function expectRefusal({ statusCode, body }: Answer, code: ErrorCode): void {
  const { status, text } = sampleError(code);
  expect({ status: statusCode, body: JSON.parse(body) }).toEqual({ status, body: { error: text } });
}
