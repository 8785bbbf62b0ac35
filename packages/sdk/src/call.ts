import { errorOf, ParleyError } from './errors.ts';
import { FILE_TIMEOUT_MS, type FileInput, uploadOf } from './files.ts';
import { parsedJson } from './json.ts';
import type { Platform } from './platform.ts';
import { retryDelay } from './retry.ts';

export interface CallOptions {
  /** Aborts the call and its retries with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries, where they are safe. */
  readonly retries?: number | undefined;
}

export interface SendOptions extends CallOptions {
  /** Unique per message, for example an order id; by default a new UUID per call. Retries carry the same key. */
  readonly idempotencyKey?: string | undefined;
}

export interface UploadOptions extends CallOptions {
  /** Media type such as `image/png`; by default that of the Blob, otherwise the gateway detects it. */
  readonly mimetype?: string | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Part of the file, such as `bytes=0-1023`. */
  readonly range?: string | undefined;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object;
  readonly body?: object;
  /** Replaces the body. */
  readonly file?: FileInput;
  /** The answer is a file, returned as a `Response`. */
  readonly raw?: true;
  /** Carries an Idempotency-Key, so that it can be repeated. */
  readonly idempotent?: true;
}

/** Makes a request and returns the body of its answer, or throws a `ParleyError`. */
export type Call = <T>(
  request: ApiRequest,
  options?: SendOptions & UploadOptions & DownloadOptions,
) => Promise<T>;

export interface Connection {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly retries: number;
  /** A call whose next attempt is further away fails instead. */
  readonly longestWaitMs: number;
}

const REPEATABLE_METHODS: readonly string[] = ['GET', 'PUT', 'DELETE'];

export function createCall(connection: Connection, platform: Platform): Call {
  return async <T>(
    request: ApiRequest,
    options: SendOptions & UploadOptions & DownloadOptions = {},
  ): Promise<T> => {
    const { method, path, query, body, file, raw, idempotent } = request;
    const isFile = file !== undefined || raw !== undefined;
    const usualMs = isFile ? FILE_TIMEOUT_MS : connection.timeoutMs;
    const { signal, timeoutMs = usualMs, retries = connection.retries } = options;
    const upload = file === undefined ? undefined : uploadOf(file, options.mimetype);
    const headers: Record<string, string> = {
      accept: raw ? '*/*' : 'application/json',
      authorization: `Bearer ${connection.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(upload && { 'content-type': upload.type }),
      ...(options.range === undefined ? {} : { range: options.range }),
      ...(idempotent ? { 'idempotency-key': options.idempotencyKey ?? platform.uuid() } : {}),
    };
    const init: RequestInit = {
      method,
      headers,
      // A redirect would disclose the key to another server.
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...upload?.init,
    };
    // Uploads are idempotent: identical files are stored once.
    const repeatable = idempotent ?? upload?.isRepeatable ?? REPEATABLE_METHODS.includes(method);

    for (let number = 0; ; number += 1) {
      try {
        return await attempt<T>(
          platform,
          connection.url + path + queryString(query),
          init,
          timeoutMs,
          signal,
          raw,
        );
      } catch (error) {
        if (!(error instanceof ParleyError) || number >= retries || upload?.isRepeatable === false)
          throw error;
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
  raw: true | undefined,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await platform.fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (!response.ok) throw await errorOf(response);
    if (raw) return response as T;
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
  const said = parsedJson(text);
  if (said === undefined)
    throw new ParleyError('gateway answered something that is not JSON', { status, code: 'unknown' });
  return said as T;
}

export function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
