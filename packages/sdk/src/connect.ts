import type { Connection } from './call.ts';
import { type Fetch, type Platform, systemPlatform } from './platform.ts';

export interface ConnectOptions {
  /** Where the gateway is; by default on this machine. */
  readonly url?: string | undefined;
  /** How long one attempt of a call may take. Default: 30000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is repeated, where that is safe. Default: 2. */
  readonly retries?: number | undefined;
  /** A call that would have to wait longer than this for its next attempt fails at once instead. Default: 30000. */
  readonly longestWaitMs?: number | undefined;
  /** Replaces the platform's own `fetch`. */
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
