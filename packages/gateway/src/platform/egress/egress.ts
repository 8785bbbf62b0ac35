import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '#kernel';
import { settled } from '#kernel';
import { parseHttpUrl } from './addresses.ts';
import { createGuardedConnector, createOpenConnector, type Resolve, resolveBySystem } from './connector.ts';
import { type Download, type Downloaded, downloadTo } from './download.ts';
import { EgressError, egressError } from './errors.ts';
import { createCancellations, createPost, type Post, type Posted, USER_AGENT } from './post.ts';

interface Question {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly timeoutMs: number;
  /** Maximum size of the response. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The only way out: every request to a URL from outside goes through here. */
export interface Egress {
  /** Resolves to the status of any response, a redirect included; rejects with an `EgressError` when there was none. */
  post(url: string, post: Post): Promise<Posted>;
  /** Resolves to any response, read to its end. Only for URLs from trusted parts of the gateway. */
  ask(url: string, question: Question): Promise<Reply>;
  /** Downloads a file to disk. Rejects with an `EgressError`, and then leaves no file behind. */
  download(url: string, download: Download): Promise<Downloaded>;
  /** Aborts requests in progress. */
  close(): Promise<void>;
}

interface EgressOptions {
  readonly clock: Clock;
  /** True in production: only hosts on the public internet are reachable. */
  readonly publicOnly: boolean;
  readonly resolve?: Resolve;
}

const HEADERS_MAX_BYTES = 16 * 1024;

export function createEgress({ clock, publicOnly, resolve = resolveBySystem }: EgressOptions): Egress {
  const agent = new Agent({
    connect: publicOnly ? createGuardedConnector(resolve) : createOpenConnector(resolve),
    maxHeaderSize: HEADERS_MAX_BYTES,
    allowH2: false,
    // The time limit of the whole request covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const cancellations = createCancellations();

  /** Settles in time, whatever the server does. */
  async function within<T>(
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const stop = new AbortController();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stopWith = (code: 'timeout' | 'cancelled'): void => {
      const error = new EgressError(code);
      reject(error);
      stop.abort(error);
    };
    const cancel = (): void => stopWith('cancelled');
    const timer = clock.after(timeoutMs, () => stopWith('timeout'));
    const listening = signal && cancellations.listen(signal, cancel);
    try {
      return await Promise.race([work(stop.signal), stopped]);
    } catch (error) {
      throw egressError(error);
    } finally {
      timer.cancel();
      listening?.stop();
    }
  }

  function send(
    url: string,
    options: Pick<Dispatcher.RequestOptions, 'headers' | 'body' | 'signal'> & { method: string },
  ): Promise<Dispatcher.ResponseData> {
    const target = parseHttpUrl(url);
    if (!target) throw new EgressError('bad_url');
    return request(target, {
      ...options,
      headers: { 'user-agent': USER_AGENT, ...options.headers },
      dispatcher: agent,
    });
  }

  return {
    post: createPost({ dispatcher: agent, clock, cancellations }),

    ask: (url, { method, headers, body, maxBytes, ...limits }) =>
      within(limits, async (signal) => {
        const answer = await send(url, { method, headers, ...(body && { body }), signal });
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of answer.body) {
          size += chunk.length;
          if (size > maxBytes) throw new EgressError('too_large');
          chunks.push(chunk);
        }
        const contentType = String(answer.headers['content-type'] ?? '');
        return { status: answer.statusCode, contentType, body: Buffer.concat(chunks) };
      }),

    async download(url, download) {
      let writing: Promise<Downloaded> | undefined;
      try {
        return await within(download, async (signal) => {
          const headers = { accept: '*/*', 'accept-encoding': 'identity' };
          const answer = await send(url, { method: 'GET', headers, signal });
          writing = downloadTo(download, url, answer, signal);
          return writing;
        });
      } catch (error) {
        // A stopped download removes its file before it rejects.
        if (writing) await settled(writing);
        throw error;
      }
    },

    close: () => agent.destroy(),
  };
}
