import { Agent as NodeAgent } from 'node:https';
import {
  Agent,
  buildConnector,
  type Dispatcher,
  Dispatcher1Wrapper,
  ProxyAgent,
  request,
  Socks5ProxyAgent,
} from 'undici';
import type { Clock, Timer } from '#kernel';
import { createGuardedConnector, type Resolve, resolveBySystem } from './connector.ts';
import { EgressError } from './errors.ts';
import { createProxyAgent } from './proxy-agents.ts';

/** How one number reaches its network: directly, or through a proxy. Certificates are verified on every one of these ways. */
export interface ProxyRoute {
  /** For the connection itself; absent where it goes out directly. */
  readonly socketAgent?: NodeAgent;
  /** For uploads, which go where the network itself says. */
  readonly uploadAgent: NodeAgent;
  /** For what the network's library fetches by itself: https only, bounded in time and size, no redirects. */
  readonly dispatcher: FetchDispatcher;
  /** Does not follow redirects; how much is read, and for how long, is the caller's to bound. */
  get(
    url: URL,
    options: { readonly signal: AbortSignal; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<FileAnswer>;
}

/** What the `fetch` of Node.js takes; the undici inside it is another one than ours. */
type FetchDispatcher = NonNullable<RequestInit['dispatcher']>;

interface FileAnswer {
  readonly status: number;
  /** The server's claim. */
  readonly length?: number;
  /** By the server's clock, as it writes it. */
  readonly date: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ProxyRoutes {
  to(phone: string): ProxyRoute;
  close(): Promise<void>;
}

export interface ProxyRoutesOptions {
  readonly clock: Clock;
  /**
   * PEM. Without it: the servers of the real network, at public addresses only, for where a file lies is in the messages of strangers.
   * With it: the servers of a sandbox, wherever they are, and nobody else, for nobody else has a certificate of that authority.
   */
  readonly authority?: string | undefined;
  /** `host:port` of a sandbox's media server: what the library looks for at the real network's own one is there. */
  readonly mediaHost?: string | undefined;
  /** The proxy of a number, if it has one. */
  readonly proxyOf?: (phone: string) => string | undefined;
  readonly resolve?: Resolve;
}

/** A connection on which nothing moves for so long is given up. */
const SILENCE_MS = 20_000;
const LIBRARY_FILE = { maxBytes: 64 * 1024 * 1024, timeoutMs: 120_000 };

/** Numbers with the same way out share it. */
export function createProxyRoutes(options: ProxyRoutesOptions): ProxyRoutes {
  const routes = new Map<string | undefined, OpenRoute>();
  return {
    to(phone) {
      const proxy = options.proxyOf?.(phone);
      const route = routes.get(proxy) ?? openRoute(options, proxy);
      routes.set(proxy, route);
      return route;
    },
    async close() {
      await Promise.all([...routes.values()].map((route) => route.close()));
    },
  };
}

interface OpenRoute extends ProxyRoute {
  close(): Promise<void>;
}

function openRoute(
  { clock, authority, mediaHost, resolve = resolveBySystem }: ProxyRoutesOptions,
  proxy?: string,
): OpenRoute {
  const tls = authority === undefined ? {} : { ca: authority };
  const through = (options: { silenceMs?: number } = {}): NodeAgent | undefined =>
    proxy === undefined ? undefined : createProxyAgent(new URL(proxy), { clock, authority, ...options });
  const socketAgent = through();
  const uploadAgent = through({ silenceMs: SILENCE_MS }) ?? new NodeAgent({ ...tls, timeout: SILENCE_MS });
  const limits = { allowH2: false, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
  const dispatcher = ((): Dispatcher => {
    if (proxy?.startsWith('socks5:')) return new Socks5ProxyAgent(proxy, { ...limits, requestTls: tls });
    if (proxy !== undefined) return new ProxyAgent({ ...limits, uri: proxy, requestTls: tls });
    const connect = authority === undefined ? createGuardedConnector(resolve) : buildConnector(tls);
    return new Agent({ ...limits, connect });
  })();
  return {
    ...(socketAgent && { socketAgent }),
    uploadAgent,
    dispatcher: toFetchDispatcher(
      dispatcher.compose(leadMediaTo(mediaHost), boundAnswers({ clock, ...LIBRARY_FILE })),
    ),
    async get(url, { signal, headers: asked = {} }) {
      const { statusCode, headers, body } = await request(url, { dispatcher, signal, headers: asked });
      const length = Number(headers['content-length']);
      const date = String(headers.date ?? '');
      return { status: statusCode, date, body, ...(Number.isFinite(length) && { length }) };
    },
    async close() {
      uploadAgent.destroy();
      socketAgent?.destroy();
      await dispatcher.destroy();
    },
  };
}

/** Where the library looks for history and app state, which come without an address. */
const MEDIA_ORIGIN = 'https://mmg.whatsapp.net';

function leadMediaTo(host: string | undefined): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    host !== undefined && String(options.origin) === MEDIA_ORIGIN
      ? dispatch({ ...options, origin: `https://${host}` }, handler)
      : dispatch(options, handler);
}

/** The wrapper is undici's own bridge to the older one in Node.js 24, but its type does not say so. */
function toFetchDispatcher(dispatcher: Dispatcher): FetchDispatcher {
  return new Dispatcher1Wrapper(dispatcher) as unknown as FetchDispatcher;
}

export interface AnswerBounds {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** From the first byte of the request to the last of the answer. */
  readonly timeoutMs: number;
}

/** For clients that set no limits of their own: https only, no redirects, and answers that end. */
export function boundAnswers({
  clock,
  maxBytes,
  timeoutMs,
}: AnswerBounds): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    if (!String(options.origin).startsWith('https:')) throw new EgressError('bad_url');
    let patience: Timer | undefined;
    let bytes = 0;
    return dispatch(options, {
      onRequestStart(controller, context) {
        patience?.cancel();
        patience = clock.after(timeoutMs, () => controller.abort(new EgressError('timeout')));
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart(controller, status, headers, text) {
        if (status >= 300 && status < 400) controller.abort(new EgressError('redirected'));
        else if (Number(headers['content-length']) > maxBytes) controller.abort(new EgressError('too_large'));
        else handler.onResponseStart?.(controller, status, headers, text);
      },
      onResponseData(controller, chunk) {
        bytes += chunk.length;
        if (bytes > maxBytes) controller.abort(new EgressError('too_large'));
        else handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd(controller, trailers) {
        patience?.cancel();
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError(controller, error) {
        patience?.cancel();
        handler.onResponseError?.(controller, error);
      },
    });
  };
}
