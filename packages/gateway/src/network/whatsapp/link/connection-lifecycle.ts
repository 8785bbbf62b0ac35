import type { ConnectionState as SocketUpdate, WASocket } from 'baileys';
import { type Clock, growingPause, type Random, type Timer, waitAtMost } from '#kernel';
import type { ConnectionState, OpenRequest } from '../../port.ts';
import { offline } from '../errors.ts';
import type { Log } from '../guards/index.ts';
import type { OpenConnection } from '../session-context.ts';
import { LinkLost } from '../vault/index.ts';
import { classifyDisconnect, RECONNECT_PAUSE, SOLID_MS } from './disconnect.ts';

/**
 * The life of a session's connection:
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
