import { expectDocumented } from './documented.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Question {
  readonly method: Method;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string> | undefined;
}

export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/** One request. Every answer of `/v1` must match the OpenAPI document; another one fails the test. */
export async function ask<T>(
  base: string,
  { method, path, token, body, headers }: Question,
): Promise<Answer<T>> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  expectDocumented({ method, path, ...answer });
  return { ...answer, headers: response.headers };
}
