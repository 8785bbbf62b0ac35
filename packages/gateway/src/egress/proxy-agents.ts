import type { Agent, AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { awaitedLater, type Clock, within } from '#kernel';
import { EgressError } from './errors.ts';

type Connect = SocksProxyAgent['connect'];
type Request = Parameters<Connect>[0];
type Target = Parameters<Connect>[1];

export interface ProxyAgentOptions {
  readonly clock: Clock;
  /** PEM; who vouches for the servers behind the proxy, when it is not the usual authorities. */
  readonly authority?: string | undefined;
  /** How long nothing may move on a connection; for ever unless told, as with connections that keep themselves alive. */
  readonly silenceMs?: number;
}

const CONNECT_WITHIN_MS = 10_000;
const LET_THROUGH = 200;

/**
 * Connections through a proxy, for clients that take an agent of Node.js. When it is the proxy that fails them, they fail with an
 * `EgressError` of the code `proxy`, so that nobody looks for the fault behind it. Names are resolved by the proxy.
 */
export function createProxyAgent(proxy: URL, options: ProxyAgentOptions): Agent {
  return proxy.protocol === 'socks5:' ? new SocksRoute(proxy, options) : new HttpRoute(proxy, options);
}

class SocksRoute extends SocksProxyAgent {
  declare readonly options: AgentOptions;
  readonly #options: ProxyAgentOptions;

  constructor(proxy: URL, options: ProxyAgentOptions) {
    // The final `h` leaves the names to the proxy.
    super(proxy.href.replace(/^socks5:/, 'socks5h:'));
    this.#options = options;
  }

  override connect(request: Request, target: Target): ReturnType<Connect> {
    return connected(this.#options, super.connect(request, trusting(target, this.#options)));
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

  /** The base class takes the proxy's refusal for an answer of the server behind it. */
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

function trusting(target: Target, { authority }: ProxyAgentOptions): Target {
  return authority === undefined ? target : Object.assign({ ca: authority }, target);
}

async function connected(
  { clock, silenceMs = 0 }: ProxyAgentOptions,
  connecting: Promise<Socket>,
): Promise<Socket> {
  const giveUp = (): Error => {
    // What comes too late to fail has been answered already.
    awaitedLater(connecting.then((socket) => socket.destroy()));
    return new EgressError('proxy');
  };
  try {
    const socket = await within(clock, CONNECT_WITHIN_MS, connecting, giveUp);
    return socket.setTimeout(silenceMs, () => socket.destroy(new EgressError('timeout')));
  } catch (error) {
    throw error instanceof EgressError ? error : new EgressError('proxy', { cause: error });
  }
}
