import type { Connection } from './call.ts';
import { type Fetch, type Platform, systemPlatform } from './platform.ts';

export interface ConnectOptions {
  /** URL of the gateway; by default on this machine. */
  readonly url?: string | undefined;
  /** Timeout of one attempt of a call. Default: 30000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries, where they are safe. Default: 2. */
  readonly retries?: number | undefined;
  /** A call whose next attempt is further away than this fails at once. Default: 30000. */
  readonly longestWaitMs?: number | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

export function connectionOf(options: ConnectOptions, token: string): Connection {
  const { url = DEFAULT_URL, timeoutMs = 30_000, retries = 2, longestWaitMs = 30_000 } = options;
  if (!/^https?:\/\/[^\s?#]+$/.test(url)) throw new TypeError('url must be an http or https address');
  return { url: url.replace(/(?<!\/)\/+$/, ''), token, timeoutMs, retries, longestWaitMs };
}

export function platformOf({ fetch }: ConnectOptions): Platform {
  return fetch ? { ...systemPlatform, fetch } : systemPlatform;
}
