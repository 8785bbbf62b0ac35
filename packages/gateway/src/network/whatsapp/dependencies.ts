import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { GroupMetadata, SocketConfig, WAVersion } from 'baileys';
import type { Clock, Random, SealedBox } from '#kernel';
import type { Store } from '#store';
import { type BoundedCache, createBoundedCache } from './bounded-cache.ts';
import { createLibraryLog, type Log } from './guards/index.ts';
import { type ClientVersions, createClientVersions } from './link/client-version.ts';
import { createLoginQueue, type LoginQueue } from './link/login-queue.ts';
import { type ConnectionSettings, createSharedCaches, type SharedCaches } from './link/socket.ts';
import { fetchVersionPage } from './link/version-page.ts';
import type { MediaTransport } from './media/request.ts';
import { createNumberLookup, type NumberLookup } from './operations/number-lookup.ts';
import { type CreateAddressing, createAddressing } from './send/addressing.ts';
import { createLinkStore, createRecordCache, type VaultDependencies } from './vault/index.ts';

export interface WhatsAppDriverOptions {
  readonly store: Store;
  readonly sealedBox: SealedBox;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Absent: the real network. */
  readonly endpoint?: Endpoint;
  /** How the network's media servers are reached, per number. */
  readonly mediaFor: (phone: string) => MediaTransport;
  readonly settings?: WhatsAppSettings;
  /** Of this process alone: files pass through it on their way, and nothing stays. Without it: one among the system's temporary ones. */
  readonly folder?: string;
  /** Stands in for how people are addressed; for tests alone. */
  readonly createAddressing?: CreateAddressing;
}

/** Whom the driver talks to. Without an endpoint it is the real network. */
export interface Endpoint {
  /** `ws://` or `wss://` of the server for clients. */
  readonly url: string;
  /** The root of the server's certificate chain; without it only the real network is believed. */
  readonly rootPublicKey?: Uint8Array;
}

export interface WhatsAppSettings {
  /** The version of the web client to appear as, or `auto` for what the network serves; the library's own unless told. */
  readonly version?: WAVersion | 'auto';
  /** How the phone's list of linked devices calls this one. */
  readonly deviceName?: string;
  /** `contacts` takes from the phone's history what the contact list needs, `none` not even that. Messages of the past are never events. */
  readonly history?: 'contacts' | 'none';
  /**
   * The way out for a number that must take a detour, made by whoever owns outgoing connections. When it is the detour itself that fails a
   * connection, the error's `code` is `proxy`.
   */
  readonly agentFor?: (phone: string) => SocketConfig['agent'];
}

/** What all attempts and sessions of a driver share. */
export interface Dependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly vaults: VaultDependencies;
  readonly libraryLog: SocketConfig['logger'];
  readonly caches: SharedCaches;
  readonly groups: BoundedCache<GroupMetadata>;
  readonly numbers: NumberLookup;
  readonly settings: WhatsAppSettings;
  readonly folder: string;
  readonly createAddressing: CreateAddressing;
  readonly versions: ClientVersions;
  readonly logins: LoginQueue;
  connectionSettingsFor(phone: string): ConnectionSettings;
  mediaFor(phone: string): MediaTransport;
}

/** Characters of records held in the clear, over all links, with their names. */
const RECORD_CACHE_LIMIT = 32_000_000;
/** Members of groups held in memory, over all links. */
const GROUP_CACHE_LIMIT = 100_000;

const DEVICE_NAME = 'Parley';
/** What the network shows behind the name; it knows only browsers by sight. */
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
    libraryLog: createLibraryLog(log),
    caches: createSharedCaches(clock),
    groups: createBoundedCache({
      limit: GROUP_CACHE_LIMIT,
      weigh: ({ participants }) => 1 + participants.length,
    }),
    numbers: createNumberLookup(clock),
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
    mediaFor: options.mediaFor,
  };
}

/** Whatever is there was left by a process that died while it used it. */
function emptied(folder: string | undefined): string {
  if (folder === undefined) return tmpdir();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
