import type { FastifyInstance } from 'fastify';
import type { AskSandbox } from '#portal';
import { PREFIX } from './mount.ts';

/** Asks by the interface that everybody uses, with the operator's token where one is needed. */
export function askThrough(http: () => FastifyInstance, operatorToken: string | undefined): AskSandbox {
  const headers = operatorToken === undefined ? {} : { authorization: `Bearer ${operatorToken}` };
  return async ({ method, path: wanted, body }) => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await http().inject({
      method,
      url: PREFIX + wanted,
      headers: { ...headers, ...contentType },
      ...payload,
    });
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
  };
}
