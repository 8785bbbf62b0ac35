import { DisconnectReason } from 'baileys';
import type { ConnectionState } from '../../port.ts';
import { codeOf } from '../errors.ts';

/** What the loss of a connection means. */
export type Disconnect =
  | { readonly kind: 'ended'; readonly cause: Extract<ConnectionState, { kind: 'ended' }>['cause'] }
  /** Asked for by the network, after pairing for example: connect again at once. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'lost'; readonly reason: string };

const CLIENT_OUTDATED = 405;
const BAD_CERTIFICATE = 400;

export function classifyDisconnect(error: unknown): Disconnect {
  if (isFaultOfProxy(error)) {
    return { kind: 'lost', reason: 'The proxy of this number does not let it through.' };
  }
  switch (codeOf(error)) {
    case DisconnectReason.loggedOut:
    case DisconnectReason.multideviceMismatch:
      return { kind: 'ended', cause: 'logged_out' };
    case DisconnectReason.forbidden:
      return { kind: 'ended', cause: 'banned' };
    case DisconnectReason.connectionReplaced:
      return { kind: 'ended', cause: 'replaced' };
    case DisconnectReason.restartRequired:
      return { kind: 'restart' };
    case DisconnectReason.unavailableService:
      return { kind: 'lost', reason: 'The network is not available at this moment.' };
    case CLIENT_OUTDATED:
      return { kind: 'lost', reason: 'The network does not accept this version of the client.' };
    case BAD_CERTIFICATE:
      return { kind: 'lost', reason: 'The server could not prove that it is the network.' };
    default:
      return { kind: 'lost', reason: 'The connection to the network was lost.' };
  }
}

/** The library keeps the error of the socket inside its own. */
function isFaultOfProxy(error: unknown): boolean {
  const inner: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  return inner instanceof Error && 'code' in inner && inner.code === 'proxy';
}

/** Pauses between attempts to connect; after a connection that held for `SOLID_MS` they start from the first again. */
export const RECONNECT_PAUSE = { firstMs: 1_000, longestMs: 60_000, jitter: 0.3 };
export const SOLID_MS = 30_000;
