import {
  type AuthenticationState,
  type GroupMetadata,
  makeWASocket,
  proto,
  type SocketConfig,
  type WAMessageKey,
  type WASocket,
} from 'baileys';
import type { ConnectionSettings, WhatsAppSettings } from '../endpoint.ts';
import { survive, trusting } from '../guards/index.ts';
import type { MediaTransport } from '../media/transport.ts';
import type { SharedCaches } from './shared-caches.ts';

/** Below the driver's own patience, so that the library gives up first and cleans up after itself. */
const QUERY_PATIENCE_MS = 18_000;
const CONNECT_PATIENCE_MS = 18_000;

export interface SocketOptions {
  readonly linkId: string;
  readonly auth: AuthenticationState;
  readonly connection: ConnectionSettings;
  readonly caches: SharedCaches;
  readonly logger: SocketConfig['logger'];
  readonly media: MediaTransport;
  readonly history?: WhatsAppSettings['history'];
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
  media,
  history = 'contacts',
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
      connectTimeoutMs: CONNECT_PATIENCE_MS,
      defaultQueryTimeoutMs: QUERY_PATIENCE_MS,
      // Own sends are known here anyway, and as events they would swallow the receipts that follow.
      emitOwnEvents: false,
      // The phone keeps ringing for its owner.
      markOnlineOnConnect: false,
      // A failed commit closes the socket; another try of the same change could overtake a newer one.
      transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
      syncFullHistory: false,
      shouldSyncHistoryMessage: ({ syncType }) => history === 'contacts' && carriesContacts(syncType),
      // Nobody's link is ever fetched from here.
      generateHighQualityLinkPreview: false,
    }),
  );
  survive(sock, logger);
  return sock;
}

const { HistorySyncType } = proto.Message;

function carriesContacts(syncType: proto.Message.HistorySyncType | null | undefined): boolean {
  return (
    syncType === HistorySyncType.INITIAL_BOOTSTRAP ||
    syncType === HistorySyncType.PUSH_NAME ||
    syncType === HistorySyncType.NON_BLOCKING_DATA
  );
}

/** The library overrides its defaults even by an undefined. */
function present<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function present(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
