import { createProxyRoutes } from '#egress';
import { createSystemClock, systemRandom } from '#kernel';
import { fetchVersionPage, findKeptVersion, versionOnPage } from '#network/whatsapp';
import { createLog } from '#ops';
import { findVirtualNetwork } from '#sandbox';
import type { Config } from '../../config.ts';
import { Ailment, type Check, inMs } from './check.ts';
import { serverNow } from './database-store.ts';
import type { OpenedStore } from './keeping.ts';

const clock = createSystemClock();

/** Whom the numbers talk to. */
export const network: Check = {
  name: 'network',
  async run(config) {
    const startedAt = clock.monotonic();
    const told = config.network === 'sandbox' ? await reachSandbox(config) : await reachWhatsApp(config);
    return told ?? `answers in ${inMs(clock.monotonic() - startedAt)}`;
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
    throw new Ailment(`WhatsApp cannot be reached: ${(error as Error).message}`);
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
    const kept = opened && (await findKeptVersion(opened));
    if (!kept) return 'the built-in one; none was learned yet';
    const hours = Math.floor((clock.now() - kept.learnedAt) / 3_600_000);
    return `${kept.version}, learned ${hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} ago`;
  },
});

/** Leases of several machines are off by as much as their clocks are. */
const MOST_SKEW_MS = { database: 1_000, network: 30_000 };

/** Against whoever else has one: the database's server, or the network's. */
export const clockAgainst = ({ ifOpened }: OpenedStore): Check => ({
  name: 'clock',
  async run(config) {
    const opened = await ifOpened();
    if (opened?.dialect === 'postgres') {
      const askedAt = clock.now();
      const theirs = await serverNow(opened);
      return judgedSkew((askedAt + clock.now()) / 2 - theirs, MOST_SKEW_MS.database, "the database's server");
    }
    if (config.network === 'sandbox') return 'nobody here to compare it with';
    const routes = routesOf(config);
    try {
      const url = new URL('https://web.whatsapp.com/');
      const { date } = await routes.to('').get(url, { signal: AbortSignal.timeout(10_000) });
      return judgedSkew(clock.now() - Date.parse(date), MOST_SKEW_MS.network, 'the network');
    } catch (error) {
      if (error instanceof Ailment) throw error;
      return 'the network could not be asked';
    } finally {
      await routes.close();
    }
  },
});

export function judgedSkew(skewMs: number, mostMs: number, than: string): string {
  const told = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} ${than}`;
  if (!(Math.abs(skewMs) <= mostMs)) throw new Ailment(`${told}; let NTP keep it`);
  return told;
}
