import { createReadStream } from 'node:fs';
import type { AgentOptions, Agent as NodeAgent } from 'node:https';
import type { Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import {
  Agent,
  buildConnector,
  type Dispatcher,
  Dispatcher1Wrapper,
  ProxyAgent,
  request,
  Socks5ProxyAgent,
} from 'undici';
import { awaitedLater, type Clock, type Timer, within } from '#kernel';
import { type AllowedHosts, isAllowed, NETWORK_HOSTS } from './connection-guard.ts';
import { createGuardedConnector, type Resolve, resolveBySystem } from './connector.ts';
import { EgressError } from './errors.ts';

/** How one number reaches its network: directly, or through a proxy. All routes verify certificates. */
export interface ProxyRoute {
  /** For the connection itself; absent for a direct one. */
  readonly socketAgent?: NodeAgent;
  /** For requests of the network's library: https only, bounded in time and size, no redirects. */
  readonly dispatcher: FetchDispatcher;
  /** Follows no redirects; the caller limits size and time. */
  get(
    url: URL,
    options: { readonly signal: AbortSignal; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<FileAnswer>;
  /** Uploads a file of this machine. */
  post(url: URL, file: UploadedFile): Promise<FileAnswer>;
}

interface UploadedFile {
  readonly path: string;
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The dispatcher type of Node's `fetch`; its bundled undici is another version than ours. */
type FetchDispatcher = NonNullable<RequestInit['dispatcher']>;

interface FileAnswer {
  readonly status: number;
  /** Content length as the server claims. */
  readonly length?: number;
  /** Date header of the server. */
  readonly date: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ProxyRoutes {
  to(phone: string): ProxyRoute;
  close(): Promise<void>;
}

interface ProxyRoutesOptions {
  readonly clock: Clock;
  /**
   * PEM. Without it: servers of the real network, at public addresses only, because file locations come from messages of strangers.
   * With it: only servers of a sandbox, at any address, since no other has a certificate of that authority.
   */
  readonly authority?: string | undefined;
  /** `host:port` of a sandbox's media server, which replaces the real network's own. */
  readonly mediaHost?: string | undefined;
  /** All that the routes lead to. Default: the sandbox's media server, or the hosts of the real network. */
  readonly hosts?: AllowedHosts | undefined;
  /** Proxy of a number, if it has one. */
  readonly proxyOf?: (phone: string) => string | undefined;
  readonly resolve?: Resolve;
}

/** Idle timeout of a connection. */
const SILENCE_MS = 20_000;
const LIBRARY_FILE = { maxBytes: 64 * 1024 * 1024, timeoutMs: 120_000 };

/** Numbers with the same proxy share a route. */
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
  { clock, authority, mediaHost, resolve = resolveBySystem, ...options }: ProxyRoutesOptions,
  proxy?: string,
): OpenRoute {
  const hosts = options.hosts ?? (mediaHost === undefined ? NETWORK_HOSTS : [mediaHost]);
  const tls = authority === undefined ? {} : { ca: authority };
  const socketAgent =
    proxy === undefined ? undefined : createProxyAgent(new URL(proxy), { clock, authority, hosts });
  const limits = { allowH2: false, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
  const anywhere = ((): Dispatcher => {
    if (proxy?.startsWith('socks5:')) return new Socks5ProxyAgent(proxy, { ...limits, requestTls: tls });
    if (proxy !== undefined) return new ProxyAgent({ ...limits, uri: proxy, requestTls: tls });
    const connect = authority === undefined ? createGuardedConnector(resolve) : buildConnector(tls);
    return new Agent({ ...limits, connect });
  })();
  const dispatcher = anywhere.compose(keepTo(hosts));
  return {
    ...(socketAgent && { socketAgent }),
    dispatcher: toFetchDispatcher(
      dispatcher.compose(leadMediaTo(mediaHost), boundAnswers({ clock, ...LIBRARY_FILE })),
    ),
    get: async (url, { signal, headers = {} }) =>
      toAnswer(await request(url, { dispatcher, signal, headers })),
    async post(url, { path, size, headers, signal }) {
      const sent = { ...headers, 'content-length': String(size) };
      const body = createReadStream(path);
      return toAnswer(await request(url, { method: 'POST', dispatcher, signal, headers: sent, body }));
    },
    async close() {
      socketAgent?.destroy();
      await anywhere.destroy();
    },
  };
}

function toAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): FileAnswer {
  const length = Number(headers['content-length']);
  const date = String(headers.date ?? '');
  return { status: statusCode, date, body, ...(Number.isFinite(length) && { length }) };
}

/** Address where the library requests history and app state, which come without one. */
const MEDIA_ORIGIN = 'https://mmg.whatsapp.net';

function leadMediaTo(host: string | undefined): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    host !== undefined && String(options.origin) === MEDIA_ORIGIN
      ? dispatch({ ...options, origin: `https://${host}` }, handler)
      : dispatch(options, handler);
}

/** The wrapper is undici's own bridge to the older version in Node.js 24; its type does not say so. */
function toFetchDispatcher(dispatcher: Dispatcher): FetchDispatcher {
  return new Dispatcher1Wrapper(dispatcher) as unknown as FetchDispatcher;
}

function keepTo(hosts: AllowedHosts): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const { protocol, hostname, port } = new URL(String(options.origin));
    if (!isAllowed(hosts, hostname, port || (protocol === 'http:' ? 80 : 443))) {
      throw new EgressError('forbidden_address');
    }
    return dispatch(options, handler);
  };
}

interface AnswerBounds {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** From the first byte of the request to the last of the response. */
  readonly timeoutMs: number;
}

/** For clients without limits of their own: https only, no redirects, bounded responses. */
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

type Connect = SocksProxyAgent['connect'];
type Request = Parameters<Connect>[0];
type Target = Parameters<Connect>[1];

interface ProxyAgentOptions {
  readonly clock: Clock;
  /** PEM; authority of the servers behind the proxy, if it is not a public one. */
  readonly authority?: string | undefined;
  /** Hosts behind the proxy. */
  readonly hosts: AllowedHosts;
}

const CONNECT_WITHIN_MS = 10_000;
const LET_THROUGH = 200;

/**
 * Connections through a proxy, for clients that take an agent of Node.js. Failures of the proxy itself are an `EgressError` with the
 * code `proxy`, so that the server behind it is not blamed. The proxy resolves names.
 */
function createProxyAgent(proxy: URL, options: ProxyAgentOptions): NodeAgent {
  return proxy.protocol === 'socks5:' ? new SocksRoute(proxy, options) : new HttpRoute(proxy, options);
}

class SocksRoute extends SocksProxyAgent {
  declare readonly options: AgentOptions;
  readonly #options: ProxyAgentOptions;

  constructor(proxy: URL, options: ProxyAgentOptions) {
    // The final `h` leaves name resolution to the proxy.
    super(proxy.href.replace(/^socks5:/, 'socks5h:'));
    this.#options = options;
  }

  override connect(request: Request, target: Target): ReturnType<Connect> {
    const trusted = trusting(target, this.#options);
    return connected(this.#options, super.connect(request, trusted));
  }
}

class HttpRoute extends HttpsProxyAgent<string> {
  declare readonly options: AgentOptions;
  readonly #options: ProxyAgentOptions;

  constructor(proxy: URL, options: ProxyAgentOptions) {
    super(proxy.href);
    this.#options = options;
  }

  override connect(request: Request, target: Target): ReturnType<Connect> {
    return connected(this.#options, this.#connect(request, trusting(target, this.#options)));
  }

  /** The base class treats a refusal of the proxy as a response of the server behind it. */
  async #connect(request: Request, target: Target): ReturnType<Connect> {
    let status = LET_THROUGH;
    request.once('proxyConnect', (answer: { statusCode: number }) => {
      status = answer.statusCode;
    });
    const socket = await super.connect(request, target);
    if (status === LET_THROUGH) return socket;
    socket.destroy();
    throw new EgressError('proxy', { detail: `status ${status}` });
  }
}

/** Throws for a host that the route does not lead to. */
function trusting(target: Target, { authority, hosts }: ProxyAgentOptions): Target {
  if (!isAllowed(hosts, String(target.host), String(target.port))) throw new EgressError('forbidden_address');
  return authority === undefined ? target : Object.assign({ ca: authority }, target);
}

async function connected({ clock }: ProxyAgentOptions, connecting: Promise<Socket>): Promise<Socket> {
  const giveUp = (): Error => {
    // Closes a connection that arrives after the timeout.
    awaitedLater(connecting.then((socket) => socket.destroy()));
    return new EgressError('proxy');
  };
  try {
    return await within(clock, CONNECT_WITHIN_MS, connecting, giveUp);
  } catch (error) {
    throw error instanceof EgressError ? error : new EgressError('proxy', { cause: error });
  }
}
