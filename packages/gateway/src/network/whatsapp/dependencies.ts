import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Codecs, createCodecs } from '@parley/codecs';
import type { DriftPart } from '@parley/contract';
import type { GroupMetadata, SocketConfig, WAVersion } from 'baileys';
import type { Clock, Random, SealedBox } from '#kernel';
import type { Store } from '#platform/store';
import { type BoundedCache, createBoundedCache } from './bounded-cache.ts';
import { createDriftWatch, type DriftWatch } from './drift/drift-watch.ts';
import { createLibraryLog, type Log } from './guards/index.ts';
import { storageQuotaIn } from './link/client-payload.ts';
import { type ClientVersions, createClientVersions, fetchVersionPage } from './link/client-version.ts';
import { createLoginQueue, type LoginQueue } from './link/login-queue.ts';
import { type ConnectionSettings, createSharedCaches, type SharedCaches } from './link/socket.ts';
import type { MediaTransport } from './media/request.ts';
import { type CreateAddressing, createAddressing } from './send/addressing.ts';
import { createLinkStore, createRecordCache, type VaultDependencies } from './vault/index.ts';

export interface WhatsAppDriverOptions {
  readonly store: Store;
  readonly sealedBox: SealedBox;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Default: the real network. */
  readonly endpoint?: Endpoint;
  /** Transport to the network's media servers, per number. */
  readonly mediaFor: (phone: string) => MediaTransport;
  readonly settings?: WhatsAppSettings;
  /** Called for each arrival that the driver does not understand, for metrics. */
  readonly onUnknown?: (part: DriftPart, name: string) => void;
  /** Called for each update of a message that cannot be decrypted, for metrics. */
  readonly onUnreadUpdate?: (kind: string) => void;
  /** Scratch folder of this process for files in transit; emptied at start. Default: the system's temporary folder. */
  readonly folder?: string;
  /** Replaces the choice of recipient addresses; tests only. */
  readonly createAddressing?: CreateAddressing;
}

/** Server that the driver connects to. */
export interface Endpoint {
  /** `ws://` or `wss://` URL of the client server. */
  readonly url: string;
  /** Root of the server's certificate chain; default: the root of the real network. */
  readonly rootPublicKey?: Uint8Array;
}

export interface WhatsAppSettings {
  /**
   * Version of the web client to announce; `auto` follows the version that the network serves. Default: the
   * library's version.
   */
  readonly version?: WAVersion | 'auto';
  /** Name of this device in the phone's list of linked devices. */
  readonly deviceName?: string;
  /**
   * `contacts` imports the contact list from the phone's history, `none` imports nothing. Past messages are
   * never events.
   */
  readonly history?: 'contacts' | 'none';
  /** Whether a number that is never available is so for a moment once a day; default: true. */
  readonly pulse?: boolean;
  /** Program that takes a picture from a video. */
  readonly ffmpeg?: string;
  /**
   * Agent for a number that uses a proxy, from the room that owns outgoing connections. When the proxy fails a
   * connection, the error's `code` is `proxy`.
   */
  readonly agentFor?: (phone: string) => SocketConfig['agent'];
}

/** Shared by all pairing attempts and sessions of a driver. */
export interface Dependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly vaults: VaultDependencies;
  readonly onUnreadUpdate: (kind: string) => void;
  readonly drift: DriftWatch;
  readonly libraryLog: SocketConfig['logger'];
  readonly caches: SharedCaches;
  readonly groups: BoundedCache<GroupMetadata>;
  readonly settings: WhatsAppSettings;
  readonly folder: string;
  readonly createAddressing: CreateAddressing;
  readonly versions: ClientVersions;
  readonly logins: LoginQueue;
  readonly codecs: Codecs;
  connectionSettingsFor(phone: string): ConnectionSettings;
  mediaFor(phone: string): MediaTransport;
}

/** Characters of unsealed records in memory, names included, over all links. */
const RECORD_CACHE_LIMIT = 32_000_000;
/** Members of cached groups, over all links. */
const GROUP_CACHE_LIMIT = 100_000;

const DEVICE_NAME = 'Parley';
/** Browser that the network shows behind the name; it accepts only browsers that it knows. */
const BROWSER = 'Chrome';
const BROWSER_VERSION = '126.0';

export function createDependencies(options: WhatsAppDriverOptions): Dependencies {
  const { store, sealedBox, clock, machineClock, random, log, endpoint, settings = {} } = options;
  const versions = createClientVersions({
    wanted: settings.version,
    store,
    clock,
    random,
    log,
    readPage: () => fetchVersionPage({ transport: options.mediaFor(''), clock, url: endpoint?.url }),
  });
  const connection: Omit<ConnectionSettings, 'version'> = {
    url: endpoint?.url,
    rootPublicKey: endpoint?.rootPublicKey,
    now: () => clock.now(),
    browser: [settings.deviceName ?? DEVICE_NAME, BROWSER, BROWSER_VERSION],
    storageQuotaMb: storageQuotaIn(tmpdir()),
  };
  return {
    clock,
    random,
    log,
    vaults: {
      store,
      links: createLinkStore(store),
      sealedBox,
      clock,
      cache: createRecordCache({ limit: RECORD_CACHE_LIMIT }),
    },
    drift: createDriftWatch({ store, clock, log, onUnknown: options.onUnknown ?? (() => {}) }),
    libraryLog: createLibraryLog(log),
    onUnreadUpdate: options.onUnreadUpdate ?? (() => {}),
    caches: createSharedCaches(clock),
    groups: createBoundedCache({
      limit: GROUP_CACHE_LIMIT,
      weigh: ({ participants }) => 1 + participants.length,
    }),
    settings,
    folder: emptied(options.folder),
    createAddressing: options.createAddressing ?? createAddressing,
    versions,
    logins: createLoginQueue({ clock: machineClock }),
    connectionSettingsFor: (phone) => ({
      ...connection,
      version: versions.current(),
      agent: settings.agentFor?.(phone),
    }),
    codecs: createCodecs(settings.ffmpeg === undefined ? {} : { ffmpeg: settings.ffmpeg }),
    mediaFor: options.mediaFor,
  };
}

/** Deletes the files that a crashed process left behind. */
function emptied(folder: string | undefined): string {
  if (folder === undefined) return tmpdir();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
