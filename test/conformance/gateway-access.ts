import { randomInt } from 'node:crypto';
import { type Answer, ask, type Method } from './ask.ts';

export const OPERATOR_TOKEN = 'operator-of-the-conformance-tests';

/** Access of a test to a running gateway. */
export interface Gateway {
  /** Address of a process that takes requests; not always the same. */
  readonly url: string;
  readonly urls: readonly string[];
  /** Both fail unless the answer is a success. */
  operator<T>(method: Method, path: string, body?: object): Promise<T>;
  sandbox<T>(method: Method, path: string, body?: object): Promise<T>;
}

/** Each request goes to a random one of the addresses. */
export function gatewayAt(urls: readonly string[]): Gateway {
  const anyUrl = (): string => urls[randomInt(urls.length)] ?? '';
  const must = async <T>(method: Method, path: string, body?: object): Promise<T> => {
    const answer: Answer<T> = await ask(anyUrl(), { method, path, body, token: OPERATOR_TOKEN });
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    get url() {
      return anyUrl();
    },
    urls,
    operator: (method, path, body) => must(method, `/operator/v1${path}`, body),
    sandbox: (method, path, body) => must(method, `/sandbox/v1${path}`, body),
  };
}
