import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { findVirtualNetwork } from '#app/sandbox';
import { createSystemClock, HOUR_MS, systemRandom } from '#kernel';
import { fetchVersionPage, findKeptVersion, versionOnPage } from '#network/whatsapp';
import { createEgress, createProxyRoutes } from '#platform/egress';
import { checkMail } from '#platform/mail';
import { createLog } from '#platform/observe';
import { type Config, SETTINGS } from '../../config/config.ts';
import { type Check, CheckFailure, inMs } from './check.ts';
import { serverNow } from './database-queries.ts';
import type { OpenedStore } from './keeping.ts';

const clock = createSystemClock();

/** Whom the numbers talk to. */
export const network: Check = {
  name: 'network',
  async run(config) {
    const startedAt = clock.monotonic();
    const summary = config.network === 'sandbox' ? await reachSandbox(config) : await reachWhatsApp(config);
    return summary ?? `answers in ${inMs(clock.monotonic() - startedAt)}`;
  },
};

async function reachSandbox(config: Config): Promise<string | undefined> {
  if (config.sandboxUrl === undefined) return 'the sandbox, inside the gateway';
  const parts = {
    clock: createSystemClock(),
    machineClock: clock,
    random: systemRandom,
    log: createLog('silent'),
  };
  const found = await findVirtualNetwork({ ...parts, url: config.sandboxUrl, config });
  await found.close();
  return undefined;
}

async function reachWhatsApp(config: Config): Promise<string> {
  const routes = routesOf(config);
  try {
    const startedAt = clock.monotonic();
    const page = await fetchVersionPage({ transport: routes.to(''), clock, url: undefined });
    const way = config.whatsappProxy === undefined ? '' : ' through the proxy';
    return `WhatsApp answers in ${inMs(clock.monotonic() - startedAt)}${way}, and serves ${versionOnPage(page)}`;
  } catch (error) {
    throw new CheckFailure(`WhatsApp cannot be reached: ${(error as Error).message}`);
  } finally {
    await routes.close();
  }
}

function routesOf({ whatsappProxy }: Config): ReturnType<typeof createProxyRoutes> {
  return createProxyRoutes({ clock, proxyOf: () => whatsappProxy });
}

/** As which web client the gateway appears to the network, and how old that knowledge is. */
export const clientVersionIn = ({ ifOpened }: OpenedStore): Check => ({
  name: 'client version',
  async run({ whatsappVersion }) {
    if (whatsappVersion !== 'auto') {
      return whatsappVersion === 'built-in'
        ? 'the built-in one'
        : `${whatsappVersion.join('.')}, as it was set`;
    }
    const opened = await ifOpened();
    const kept = opened && (await findKeptVersion(opened, 'current'));
    if (!kept) return 'the built-in one; none was learned yet';
    const hours = Math.floor((clock.now() - kept.at) / HOUR_MS);
    return `${kept.version}, learned ${hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} ago`;
  },
});

/** Leases of several machines are off by as much as their clocks are. */
const MOST_SKEW_MS = { database: 1_000, network: 30_000 };

/** Compares the clock with the database server's, or the network's. */
export const clockAgainst = ({ ifOpened }: OpenedStore): Check => ({
  name: 'clock',
  async run(config) {
    const opened = await ifOpened();
    if (opened?.dialect === 'postgres') {
      const askedAt = clock.now();
      const theirs = await serverNow(opened);
      return judgedSkew((askedAt + clock.now()) / 2 - theirs, MOST_SKEW_MS.database, "the database's server");
    }
    if (config.network === 'sandbox') return 'no other clock to compare it with';
    const routes = routesOf(config);
    try {
      const url = new URL('https://web.whatsapp.com/');
      const { date } = await routes.to('').get(url, { signal: AbortSignal.timeout(10_000) });
      return judgedSkew(clock.now() - Date.parse(date), MOST_SKEW_MS.network, 'the network');
    } catch (error) {
      if (error instanceof CheckFailure) throw error;
      return 'the network could not be asked';
    } finally {
      await routes.close();
    }
  },
});

export function judgedSkew(skewMs: number, mostMs: number, than: string): string {
  const summary = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} ${than}`;
  if (!(Math.abs(skewMs) <= mostMs)) throw new CheckFailure(`${summary}; let NTP keep it`);
  return summary;
}

/** The server is asked to let us in; no mail is sent. */
export const mail: Check = {
  name: 'mail',
  async run({ mailUrl: url, mailFrom: from }) {
    if (url === undefined || from === undefined)
      return 'none; passwords are recovered by parley account reset-password';
    await checkMail({ url, from }, createSystemClock());
    return `from ${from}`;
  },
};

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
      throw new CheckFailure(`${publicUrl} leads somewhere else than to ${config.host}:${config.port}`);
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
      throw new CheckFailure(`${publicUrl}${PATH} is answered with ${status}; lead it to ${host}:${port}`);
  } catch (error) {
    if (error instanceof CheckFailure) throw error;
    throw new CheckFailure(`${publicUrl} cannot be reached: ${(error as Error).message}`);
  } finally {
    await egress.close();
  }
}

function judged({ peer, headers }: Arrived, publicUrl: string, trusted: readonly string[]): string {
  const { host } = new URL(publicUrl);
  const forwarded = headers['x-forwarded-for'];
  const isDirect = forwarded === undefined && trusted.length === 0 && publicUrl.startsWith('http:');
  if (headers.host !== host)
    throw new CheckFailure(`the proxy passes on the Host ${headers.host} in place of ${host}`);
  if (isDirect) return `${publicUrl} leads straight to the gateway`;
  if (forwarded === undefined)
    throw new CheckFailure('the proxy passes on no X-Forwarded-For: everybody seems to come from it');
  if (!isTrusted(peer, trusted))
    throw new CheckFailure(
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
