import type { SocketConfig, WABrowserDescription, WAVersion } from 'baileys';

/** Whom the driver talks to. Without an endpoint it is the real network. */
export interface Endpoint {
  /** `ws://` or `wss://` of the server for clients. */
  readonly url: string;
  /** The root of the server's certificate chain; without it only the real network is believed. */
  readonly rootPublicKey?: Uint8Array;
}

export interface WhatsAppSettings {
  /** The version of the web client to appear as; the library's own unless told. */
  readonly version?: WAVersion;
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

export interface ConnectionSettings {
  readonly url?: string | undefined;
  readonly rootPublicKey?: Uint8Array | undefined;
  /** By which the server's certificates are valid or not. */
  readonly now: () => number;
  readonly version?: WAVersion | undefined;
  readonly browser: WABrowserDescription;
  readonly agent?: SocketConfig['agent'];
}

const DEVICE_NAME = 'Parley';
/** What the network shows behind the name; it knows only browsers by sight. */
const BROWSER = 'Chrome';
const BROWSER_VERSION = '126.0';

export function browserOf({ deviceName = DEVICE_NAME }: WhatsAppSettings): WABrowserDescription {
  return [deviceName, BROWSER, BROWSER_VERSION];
}
