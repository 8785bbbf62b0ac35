import { DisconnectReason, type ConnectionState as SocketUpdate, type WASocket } from 'baileys';
import { type Clock, growingPause, type Random, type Timer, waitAtMost } from '#kernel';
import type { ConnectionState, OpenRequest } from '../../port.ts';
import { codeOf, offline } from '../errors.ts';
import type { Log } from '../guards/index.ts';
import type { OpenConnection } from '../session-context.ts';
import { LinkLost } from '../vault/index.ts';

/**
 * The states of a session's connection:
 *
 *     connecting ──open──▶ connected ──lost──▶ reconnecting ──retryAt──▶ connecting …
 *         │                    │                   │
 *         └───── logged out, banned, replaced ─────┴──▶ ended
 *
 * A socket is good for one connection. At any moment there is at most one; a socket that was let go is deaf: what it still says is not
 * heard. `close` ends everything from any state, and nobody is told any more.
 */
export interface ConnectionLifecycle {
  readonly state: ConnectionState;
  connection(): OpenConnection;
  start(): void;
  reconnect(): void;
  /** The link cannot be used any more by this process, or the disk has failed. */
  broken(error: unknown): void;
  /** Resolves when the other side knows. */
  close(): Promise<void>;
}

export interface ConnectionLifecycleOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly linkId: string;
  readonly onState: OpenRequest['onState'];
  readonly openSocket: () => WASocket;
  /** A connection is open: subscriptions are made again, and so on. */
  readonly onOpen: (sock: WASocket) => void;
  readonly sessionId: () => string;
}

/** Pauses between attempts to connect; after a connection that held for `SOLID_MS` they start from the first again. */
export const RECONNECT_PAUSE = { firstMs: 1_000, longestMs: 60_000, jitter: 0.3 };
const SOLID_MS = 30_000;
/** A server that does not answer the farewell has lost the connection anyway. */
const FAREWELL_MS = 1_000;

interface Held {
  readonly sock: WASocket;
  readonly lost: AbortController;
}

export function createConnectionLifecycle(parts: ConnectionLifecycleOptions): ConnectionLifecycle {
  const { clock, random } = parts;
  let state: ConnectionState = { kind: 'connecting' };
  let held: Held | undefined;
  let retry: Timer | undefined;
  let failures = 0;
  let connectedAt = 0;
  let over = false;

  function enter(next: ConnectionState): void {
    state = next;
    if (next.kind === 'ended') over = true;
    parts.onState(next);
  }

  function connect(): void {
    if (over) return;
    retry?.cancel();
    retry = undefined;
    const sock = openOrLose();
    if (!sock) return;
    const mine: Held = { sock, lost: new AbortController() };
    held = mine;
    mine.sock.ev.on('connection.update', (update) => {
      if (held === mine) follow(mine, update);
    });
  }

  /** A socket that cannot even be made is a lost connection; thrown from a timer it would end the process. */
  function openOrLose(): WASocket | undefined {
    try {
      return parts.openSocket();
    } catch (error) {
      lose(error);
      return undefined;
    }
  }

  function follow(mine: Held, { connection, lastDisconnect }: Partial<SocketUpdate>): void {
    if (connection === 'open') {
      connectedAt = clock.monotonic();
      enter({ kind: 'connected', sessionId: parts.sessionId() });
      parts.onOpen(mine.sock);
    }
    if (connection === 'close') lose(lastDisconnect?.error);
  }

  function lose(error: unknown): void {
    // A complaint from what was under connection on a connection that is gone: the next one is on its connection, and there must not be two.
    if (!held && retry) return;
    const wasConnected = state.kind === 'connected';
    void letGo(error);
    if (wasConnected && clock.monotonic() - connectedAt >= SOLID_MS) failures = 0;
    const disconnect = classifyDisconnect(error);
    if (disconnect.kind === 'ended') enter({ kind: 'ended', cause: disconnect.cause });
    else if (disconnect.kind === 'restart') comeBack();
    else waitAndComeBack(disconnect.reason);
  }

  function waitAndComeBack(reason: string): void {
    failures += 1;
    const pauseMs = growingPause(RECONNECT_PAUSE, failures, random);
    retry = clock.after(pauseMs, comeBack);
    parts.log.debug({ linkId: parts.linkId, failures, pauseMs }, 'connection lost');
    enter({ kind: 'reconnecting', retryAt: clock.now() + pauseMs, reason });
  }

  function comeBack(): void {
    if (over) return;
    enter({ kind: 'connecting' });
    connect();
  }

  /** Closes the socket at once: from here on nothing can leave through it. */
  async function letGo(reason: unknown): Promise<void> {
    const gone = held;
    held = undefined;
    gone?.lost.abort(reason);
    await gone?.sock.end(reason instanceof Error ? reason : undefined);
  }

  return {
    get state() {
      return state;
    },
    connection() {
      if (state.kind !== 'connected' || !held) throw offline();
      return { sock: held.sock, lost: held.lost.signal };
    },
    start: connect,
    reconnect() {
      if (over) return;
      void letGo(undefined);
      comeBack();
    },
    broken(error) {
      if (over) return;
      if (error instanceof LinkLost) {
        void letGo(error);
        enter({ kind: 'ended', cause: error.reason === 'unknown' ? 'logged_out' : 'replaced' });
      } else {
        lose(error);
      }
    },
    async close() {
      over = true;
      retry?.cancel();
      await waitAtMost(clock, FAREWELL_MS, letGo(undefined));
    },
  };
}

/** What the loss of a connection means. */
type Disconnect =
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
