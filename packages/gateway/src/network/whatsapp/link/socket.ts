import {
  type AuthenticationState,
  type CacheStore,
  type GroupMetadata,
  makeWASocket,
  proto,
  type SignalKeyStore,
  type SocketConfig,
  type WABrowserDescription,
  type WAMessageKey,
  type WASocket,
  type WAVersion,
} from 'baileys';
import { type Clock, HOUR_MS } from '#kernel';
import { type BoundedCache, createBoundedCache } from '../bounded-cache.ts';
import type { DriftWatch } from '../drift/drift-watch.ts';
import {
  closeIfUnresponsive,
  containFailures,
  endQuestions,
  keepLateWrites,
  type Log,
  trusting,
} from '../guards/index.ts';
import type { MediaTransport } from '../media/request.ts';
import { introduce, type Logins } from './client-payload.ts';

/** Shorter than the driver's own timeout, so that the library times out first and cleans up. */
const QUERY_PATIENCE_MS = 18_000;
const CONNECT_PATIENCE_MS = 18_000;
const NO_LIMIT = 0;

/** Target and identity of a connection. */
export interface ConnectionSettings {
  readonly url?: string | undefined;
  readonly rootPublicKey?: Uint8Array | undefined;
  /** Time for the validity of the server's certificates. */
  readonly now: () => number;
  readonly version: WAVersion;
  readonly browser: WABrowserDescription;
  readonly storageQuotaMb: number;
  readonly agent?: SocketConfig['agent'];
}

interface SocketOptions {
  readonly linkId: string;
  readonly auth: AuthenticationState;
  readonly connection: ConnectionSettings;
  readonly caches: SharedCaches;
  readonly logger: SocketConfig['logger'];
  readonly log: Log;
  readonly drift: Pick<DriftWatch, 'attach'>;
  readonly media: MediaTransport;
  /** Logins so far, for a linked device. */
  readonly logins?: () => Logins;
  /** Lifetime of each QR in the library. */
  readonly qrTimeout?: number;
  readonly makeSignalRepository?: SocketConfig['makeSignalRepository'];
  readonly getMessage?: (key: WAMessageKey) => Promise<proto.IMessage | undefined>;
  readonly cachedGroupMetadata?: (jid: string) => Promise<GroupMetadata | undefined>;
}

/** Creates a socket, which connects at once and serves one connection. */
export function openSocket({
  linkId,
  auth,
  connection,
  caches,
  logger,
  log,
  drift,
  media,
  logins,
  ...parts
}: SocketOptions): WASocket {
  const introduced = (payload: proto.IClientPayload): proto.IClientPayload =>
    introduce(payload, { ...connection, ...(logins && { logins: logins() }) });
  const sock = trusting({ ...connection, introduce: introduced }, () =>
    makeWASocket({
      auth,
      logger,
      ...caches.of(linkId),
      ...present({
        waWebSocketUrl: connection.url,
        version: connection.version,
        agent: connection.agent,
        options: media.dispatcher && { dispatcher: media.dispatcher },
        ...parts,
      }),
      browser: connection.browser,
      connectTimeoutMs: NO_LIMIT,
      defaultQueryTimeoutMs: QUERY_PATIENCE_MS,
      // The gateway knows its own sends; as events they would suppress the receipts that follow.
      emitOwnEvents: false,
      // The phone keeps notifying its owner.
      markOnlineOnConnect: false,
      // A failed commit closes the socket; a second try of the same change could overtake a newer one.
      transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
      syncFullHistory: false,
      // The library would hold all of it in memory; `history/` reads it in pieces.
      shouldSyncHistoryMessage: () => false,
      // The gateway never fetches a URL from a message.
      generateHighQualityLinkPreview: false,
    }),
  );
  drift.attach(sock);
  containFailures(sock, { linkId, log });
  endQuestions(sock);
  closeIfUnresponsive(sock, CONNECT_PATIENCE_MS);
  keepLateWrites(sock.authState.keys);
  return sock;
}

const { PlatformType } = proto.DeviceProps;

/** Device type that the library registers for this name: its own for browsers, a common one for anything else. */
export function deviceTypeOf([, name]: WABrowserDescription): proto.DeviceProps.PlatformType {
  const known = Object.entries(PlatformType).find(([kind]) => kind === name.toUpperCase());
  return typeof known?.[1] === 'number' ? known[1] : PlatformType.CHROME;
}

/** The library overrides its defaults even with undefined. */
function present<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function present(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const MINUTE = 60_000;

/**
 * Shared caches of all sessions. The library creates several per socket, each unbounded and with a timer; here
 * they are bounded, and each session sees only its own entries.
 */
export function createSharedCaches(clock: Pick<Clock, 'now'>) {
  const devices = createExpiringCache(clock, { limit: 20_000, lifeMs: 5 * MINUTE });
  const retries = createExpiringCache(clock, { limit: 20_000, lifeMs: HOUR_MS });
  const calls = createExpiringCache(clock, { limit: 2_000, lifeMs: 5 * MINUTE });
  const placeholders = createExpiringCache(clock, { limit: 2_000, lifeMs: HOUR_MS });
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
        // The library reads with the keys, and so the types, that it has written.
        return entry && entry.until > clock.now() ? (entry.value as T) : undefined;
      },
      set: (key, value) => entries.set(own(key), { value, until: clock.now() + lifeMs }),
      del: (key) => entries.delete(own(key)),
      flushAll: () => entries.deleteAll(own('')),
    };
  };
}

/** Keys of a connection that stores nothing. */
export function createMemoryKeys(): SignalKeyStore {
  const kept = new Map<string, unknown>();
  return {
    get(kind, ids) {
      const found = ids.flatMap((id) => {
        const value = kept.get(`${kind}/${id}`);
        return value === undefined ? [] : [[id, value] as const];
      });
      // The library names the type of each kind, and wrote these values itself.
      return Object.fromEntries(found) as never;
    },
    set(data) {
      for (const [kind, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values ?? {})) {
          if (value === null) kept.delete(`${kind}/${id}`);
          else kept.set(`${kind}/${id}`, value);
        }
      }
    },
  };
}
