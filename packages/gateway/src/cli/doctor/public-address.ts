import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { createEgress } from '#egress';
import { createSystemClock } from '#kernel';
import { type Config, SETTINGS } from '../../config.ts';
import { Ailment, type Check } from './check.ts';

const PATIENCE_MS = 10_000;
const PATH = '/healthz';

/** What comes through to the gateway of a request to its public address. */
interface Arrived {
  readonly peer: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Goes to the gateway as everybody else does. While it is stopped, its place is taken for a moment, and what the proxy passes on is looked at;
 * while it runs, only whether it is reached.
 */
export const publicAddress: Check = {
  name: 'public address',
  async run(config) {
    const { publicUrl } = config;
    if (publicUrl === undefined) return `none is set (${SETTINGS.publicUrl.name})`;
    let arrived: Arrived | undefined;
    const server = createServer(({ socket, headers }, response) => {
      arrived = { peer: socket.remoteAddress ?? '', headers };
      response.end('{"status":"ok"}');
    });
    const isAlone = await listens(server, config);
    try {
      await ask(publicUrl, config);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    if (!isAlone)
      return `${publicUrl} leads to the gateway; what the proxy passes on is seen while that is stopped`;
    if (!arrived)
      throw new Ailment(`${publicUrl} leads somewhere else than to ${config.host}:${config.port}`);
    return judged(arrived, publicUrl, config.trustedProxies);
  },
};

/** Another process listens there, or may and this one may not. */
const NOT_OURS = new Set<unknown>(['EADDRINUSE', 'EACCES']);

async function listens(server: Server, { host, port }: Config): Promise<boolean> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_OURS.has(error.code)) return false;
    throw error;
  }
}

async function ask(publicUrl: string, { host, port }: Config): Promise<void> {
  const egress = createEgress({ clock: createSystemClock(), publicOnly: false });
  try {
    const limits = { headers: {}, timeoutMs: PATIENCE_MS, maxBytes: 64 * 1024 };
    const { status } = await egress.ask(`${publicUrl}${PATH}`, { method: 'GET', ...limits });
    if (status !== 200)
      throw new Ailment(`${publicUrl}${PATH} is answered with ${status}; lead it to ${host}:${port}`);
  } catch (error) {
    if (error instanceof Ailment) throw error;
    throw new Ailment(`${publicUrl} cannot be reached: ${(error as Error).message}`);
  } finally {
    await egress.close();
  }
}

function judged({ peer, headers }: Arrived, publicUrl: string, trusted: readonly string[]): string {
  const { host } = new URL(publicUrl);
  const forwarded = headers['x-forwarded-for'];
  const isDirect = forwarded === undefined && trusted.length === 0 && publicUrl.startsWith('http:');
  if (headers.host !== host)
    throw new Ailment(`the proxy passes on the Host ${headers.host} in place of ${host}`);
  if (isDirect) return `${publicUrl} leads straight to the gateway`;
  if (forwarded === undefined)
    throw new Ailment('the proxy passes on no X-Forwarded-For: everybody seems to come from it');
  if (!isTrusted(peer, trusted))
    throw new Ailment(
      `the proxy comes from ${peer}, which ${SETTINGS.trustedProxies.name} does not name: everybody seems to come from it`,
    );
  return `${publicUrl} leads through the proxy at ${peer}, which passes on what it should`;
}

export function isTrusted(peer: string, trusted: readonly string[]): boolean {
  const list = new BlockList();
  for (const each of trusted) {
    const [address = '', bits] = each.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const plain = peer.replace(/^::ffff:(?=\d+\.)/, '');
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
