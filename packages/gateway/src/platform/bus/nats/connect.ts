import { readFile } from 'node:fs/promises';
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { BusUnreachable } from '../port.ts';

/** Servers and credentials. */
export interface NatsSettings {
  /** `nats://` or `tls://`, of one cluster. The first may contain user and password, or a token. */
  readonly servers: readonly string[];
  /** A credentials file (JWT and key), or the seed of an nkey. */
  readonly credentialsFile: string | undefined;
  /** Authority of the servers' certificates, if it is not a public one. */
  readonly caFile: string | undefined;
  /** Client certificate of this process. */
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

const CONNECT_WITHIN_MS = 5_000;
/** A server that misses two pings counts as gone, even if the connection looks alive. */
const PING_EVERY_MS = 5_000;
const RECONNECT_AFTER_MS = 250;
const RECONNECT_JITTER_MS = 250;

/** Connects once; afterwards the connection reconnects without limit. */
export async function connectToNats(settings: NatsSettings): Promise<NatsConnection> {
  const names = settings.servers.map(withoutSecrets).join(', ');
  try {
    return await connect({
      name: 'parley',
      servers: [...settings.servers].map(withoutSecrets),
      ...(await identity(settings)),
      ...encryption(settings),
      timeout: CONNECT_WITHIN_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_AFTER_MS,
      reconnectJitter: RECONNECT_JITTER_MS,
      reconnectJitterTLS: RECONNECT_JITTER_MS,
      // Keeps reconnecting after a refused login: the server's configuration may be corrected later.
      ignoreAuthErrorAbort: true,
      // This process has delivered its own messages already.
      noEcho: true,
    });
  } catch (error) {
    throw new BusUnreachable(`cannot use the bus at ${names}: ${reasonOf(error)}`, { cause: error });
  }
}

async function identity({ servers, credentialsFile }: NatsSettings): Promise<ConnectionOptions> {
  if (credentialsFile !== undefined)
    return { authenticator: asAuthenticator(await readFile(credentialsFile)) };
  const { username, password } = new URL(servers[0] ?? '');
  if (username === '') return {};
  const user = decodeURIComponent(username);
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

function asAuthenticator(credentials: Buffer): Authenticator {
  const text = credentials.toString().trim();
  return text.includes('-----BEGIN') ? credsAuthenticator(credentials) : nkeyAuthenticator(Buffer.from(text));
}

function encryption({ servers, caFile, certFile, keyFile }: NatsSettings): ConnectionOptions {
  const files = {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
  const isWanted = Object.keys(files).length > 0 || servers.some((server) => server.startsWith('tls:'));
  return isWanted ? { tls: files } : {};
}

function withoutSecrets(server: string): string {
  const { protocol, host } = new URL(server);
  return `${protocol}//${host}`;
}

/** The client library's own text, which contains no secret. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.toLowerCase() : 'it did not answer';
}
