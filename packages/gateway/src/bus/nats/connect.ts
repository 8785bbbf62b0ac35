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

/** Where the servers are, and what they want to see. */
export interface NatsSettings {
  /** `nats://` or `tls://`, of one cluster. A user and password, or a token, may stand in the first. */
  readonly servers: readonly string[];
  /** A file of credentials (JWT and key), or with the seed of an nkey. */
  readonly credentialsFile: string | undefined;
  /** Who vouches for the servers, where it is not one of the authorities that everybody knows. */
  readonly caFile: string | undefined;
  /** What this process shows of itself. */
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

const CONNECT_WITHIN_MS = 5_000;
/** A server that says nothing for two of them is gone, even if the connection looks alive. */
const PING_EVERY_MS = 5_000;
const RECONNECT_AFTER_MS = 250;
const RECONNECT_JITTER_MS = 250;

/** Connects once; from then on the connection is made again for ever. */
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
      // Who is refused today may be let in again tomorrow, when somebody has corrected the server.
      ignoreAuthErrorAbort: true,
      // What this process says, it has heard already.
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

/** The client's own words, which name no secret. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.toLowerCase() : 'it did not answer';
}
