import { errorOf, ParleyError } from './errors.ts';
import type { Platform } from './platform.ts';
import { retryDelay } from './retry.ts';

export interface CallOptions {
  /** Ends the call, its retries included, with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is repeated, where that is safe. */
  readonly retries?: number | undefined;
}

export interface SendOptions extends CallOptions {
  /** Unique per message, for example an order id; by default a new UUID for each call. Retries carry the same one. */
  readonly idempotencyKey?: string | undefined;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object;
  readonly body?: object;
  /** Carries an Idempotency-Key, so that it may be repeated. */
  readonly idempotent?: true;
}

/** Makes a request and gives the body of its answer, or throws a `ParleyError`. */
export type Call = <T>(request: ApiRequest, options?: SendOptions) => Promise<T>;

export interface Connection {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly retries: number;
  /** A call that would have to wait longer than this for its next attempt fails instead. */
  readonly longestWaitMs: number;
}

const REPEATABLE_METHODS: readonly string[] = ['GET', 'PUT', 'DELETE'];

export function createCall(connection: Connection, platform: Platform): Call {
  return async <T>(request: ApiRequest, options: SendOptions = {}): Promise<T> => {
    const { method, path, query, body, idempotent } = request;
    const { signal, timeoutMs = connection.timeoutMs, retries = connection.retries } = options;
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${connection.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotent ? { 'idempotency-key': options.idempotencyKey ?? platform.uuid() } : {}),
    };
    const init: RequestInit = {
      method,
      headers,
      // Elsewhere the key would be a secret told to a stranger.
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const repeatable = idempotent ?? REPEATABLE_METHODS.includes(method);

    for (let number = 0; ; number += 1) {
      try {
        return await attempt<T>(
          platform,
          connection.url + path + queryString(query),
          init,
          timeoutMs,
          signal,
        );
      } catch (error) {
        if (!(error instanceof ParleyError) || number >= retries) throw error;
        const { longestWaitMs: longestMs } = connection;
        const delay = retryDelay(error, { number, repeatable, random: platform.random, longestMs });
        if (delay === undefined) throw error;
        await platform.sleep(delay, signal);
      }
    }
  };
}

async function attempt<T>(
  platform: Platform,
  url: string,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await platform.fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (!response.ok) throw await errorOf(response);
    const text = await response.text();
    return text === '' ? (undefined as T) : parsed<T>(text, response.status);
  } catch (error) {
    if (error instanceof ParleyError) throw error;
    signal?.throwIfAborted();
    throw timeout.aborted
      ? new ParleyError(`gateway did not answer within ${timeoutMs} ms`, { status: 0, code: 'timed_out' })
      : unreachable(url, error);
  }
}

export function unreachable(url: string, cause: unknown): ParleyError {
  return new ParleyError(`gateway cannot be reached at ${new URL(url).origin}`, {
    status: 0,
    code: 'unreachable',
    cause,
  });
}

function parsed<T>(text: string, status: number): T {
  try {
    return JSON.parse(text);
  } catch {
    throw new ParleyError('gateway answered something that is not JSON', { status, code: 'unknown' });
  }
}

export function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
