import {
  type AuthenticationState,
  type CacheStore,
  DEFAULT_CONNECTION_CONFIG,
  type GroupMetadata,
  getWAUploadToServer,
  makeWASocket,
  proto,
  type SocketConfig,
  type WABrowserDescription,
  type WAMessageKey,
  type WASocket,
  type WAVersion,
} from 'baileys';
import type { Clock } from '#kernel';
import { type BoundedCache, createBoundedCache } from '../bounded-cache.ts';
import {
  endQuestions,
  endUnlessHeard,
  keepLateWrites,
  type Log,
  survive,
  trusting,
} from '../guards/index.ts';
import { type MediaTransport, mediaServers } from '../media/request.ts';

/** Below the driver's own patience, so that the library gives up first and cleans up after itself. */
const QUERY_PATIENCE_MS = 18_000;
const CONNECT_PATIENCE_MS = 18_000;
const NO_LIMIT = 0;

/** Where a socket connects to, and as whom. */
export interface ConnectionSettings {
  readonly url?: string | undefined;
  readonly rootPublicKey?: Uint8Array | undefined;
  /** By which the server's certificates are valid or not. */
  readonly now: () => number;
  readonly version: WAVersion;
  readonly browser: WABrowserDescription;
  readonly agent?: SocketConfig['agent'];
}

interface SocketOptions {
  readonly linkId: string;
  readonly auth: AuthenticationState;
  readonly connection: ConnectionSettings;
  readonly caches: SharedCaches;
  readonly logger: SocketConfig['logger'];
  readonly log: Log;
  readonly media: MediaTransport;
  /** For how long the library shows each QR. */
  readonly qrTimeout?: number;
  readonly makeSignalRepository?: SocketConfig['makeSignalRepository'];
  readonly getMessage?: (key: WAMessageKey) => Promise<proto.IMessage | undefined>;
  readonly cachedGroupMetadata?: (jid: string) => Promise<GroupMetadata | undefined>;
}

/** Makes a socket, which connects at once and is good for one connection. */
export function openSocket({
  linkId,
  auth,
  connection,
  caches,
  logger,
  log,
  media,
  ...parts
}: SocketOptions): WASocket {
  const sock = trusting(connection, () =>
    makeWASocket({
      auth,
      logger,
      ...caches.of(linkId),
      ...present({
        waWebSocketUrl: connection.url,
        version: connection.version,
        agent: connection.agent,
        fetchAgent: media.uploadAgent,
        options: media.dispatcher && { dispatcher: media.dispatcher },
        ...parts,
      }),
      browser: connection.browser,
      connectTimeoutMs: NO_LIMIT,
      defaultQueryTimeoutMs: QUERY_PATIENCE_MS,
      // Own sends are known here anyway, and as events they would swallow the receipts that follow.
      emitOwnEvents: false,
      // The phone keeps ringing for its owner.
      markOnlineOnConnect: false,
      // A failed commit closes the socket; another try of the same change could overtake a newer one.
      transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
      syncFullHistory: false,
      // It would hold all of it in memory; `history/` reads it in pieces.
      shouldSyncHistoryMessage: () => false,
      // Nobody's link is ever fetched from here.
      generateHighQualityLinkPreview: false,
    }),
  );
  sock.waUploadToServer = getWAUploadToServer(
    { ...DEFAULT_CONNECTION_CONFIG, auth, logger, ...present({ fetchAgent: media.uploadAgent }) },
    (anew) => mediaServers(sock, connection.now(), anew),
  );
  survive(sock, { linkId, log });
  endQuestions(sock);
  endUnlessHeard(sock, CONNECT_PATIENCE_MS);
  keepLateWrites(sock.authState.keys);
  return sock;
}

const { PlatformType } = proto.DeviceProps;

/** As what kind of device the library registers under this name: browsers by their own, all else as one that everybody knows. */
export function deviceTypeOf([, name]: WABrowserDescription): proto.DeviceProps.PlatformType {
  const known = Object.entries(PlatformType).find(([kind]) => kind === name.toUpperCase());
  return typeof known?.[1] === 'number' ? known[1] : PlatformType.CHROME;
}

/** The library overrides its defaults even by an undefined. */
function present<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function present(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const HOUR = 3_600_000;
const MINUTE = 60_000;

/**
 * The library makes several caches per socket, each unbounded and with a timer of its own. Here all sessions share bounded ones, and each
 * sees only what it put there itself.
 */
export function createSharedCaches(clock: Pick<Clock, 'now'>) {
  const devices = createExpiringCache(clock, { limit: 20_000, lifeMs: 5 * MINUTE });
  const retries = createExpiringCache(clock, { limit: 20_000, lifeMs: HOUR });
  const calls = createExpiringCache(clock, { limit: 2_000, lifeMs: 5 * MINUTE });
  const placeholders = createExpiringCache(clock, { limit: 2_000, lifeMs: HOUR });
  return {
    of: (linkId: string) => ({
      userDevicesCache: devices(linkId),
      msgRetryCounterCache: retries(linkId),
      callOfferCache: calls(linkId),
      placeholderResendCache: placeholders(linkId),
    }),
  };
}

export type SharedCaches = ReturnType<typeof createSharedCaches>;

interface Expiring {
  readonly value: unknown;
  readonly until: number;
}

function createExpiringCache(
  clock: Pick<Clock, 'now'>,
  { limit, lifeMs }: { limit: number; lifeMs: number },
) {
  const entries: BoundedCache<Expiring> = createBoundedCache({ limit });
  return (linkId: string): CacheStore => {
    const own = (key: string): string => `${linkId}\n${key}`;
    return {
      get<T>(key: string) {
        const entry = entries.get(own(key));
        // The library asks under the keys, and so for the types, that it used itself.
        return entry && entry.until > clock.now() ? (entry.value as T) : undefined;
      },
      set: (key, value) => entries.set(own(key), { value, until: clock.now() + lifeMs }),
      del: (key) => entries.delete(own(key)),
      flushAll: () => entries.deleteAll(own('')),
    };
  };
}
