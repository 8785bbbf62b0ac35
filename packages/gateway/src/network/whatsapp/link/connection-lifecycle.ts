import type { ConnectionState as SocketUpdate, WASocket } from 'baileys';
import { type Clock, type Random, type Timer, waitAtMost } from '#kernel';
import type { Absence, ConnectionState, OpenRequest, Refusal } from '../../port.ts';
import { offline, unlessCutOff } from '../errors.ts';
import type { Log } from '../guards/index.ts';
import type { OpenConnection } from '../session-context.ts';
import { LinkLost } from '../vault/index.ts';
import { classifyDisconnect, type Disconnect } from './disconnect.ts';
import type { LoginQueue } from './login-queue.ts';
import { pauseAfterLoss, refusalOf } from './pace.ts';

const NOT_IN_ORDER = 'a connection could not be ended in order';

/**
 * The states of a session's connection:
 *
 *     connecting ──open──▶ connected ──lost──▶ reconnecting ──retryAt──▶ connecting …
 *         │  │                 │                   │
 *         │  └── not let in ──▶│ refused ──retryAt, another version of the client──▶ connecting …
 *         │                    │                   │
 *         └── logged out, locked, banned, replaced ┴──▶ ended
 *
 * Who is connecting waits for a turn first where many want to log in at once.
 * A socket is good for one connection. At any moment there is at most one; a socket that was let go is deaf: what it still says is not
 * heard. `close` ends everything from any state, and nobody is told any more.
 */
export interface ConnectionLifecycle {
  readonly state: ConnectionState;
  connection(): OpenConnection;
  /** `last` is how the life before this one ended, where the network let it in no more: it is not asked again before its time. */
  start(last?: LastWord): void;
  reconnect(): void;
  /** From now on another version of the client would be shown: who was refused for the old one may try again. */
  clientChanged(): void;
  /** The link cannot be used any more by this process, or the disk has failed. */
  broken(error: unknown): void;
  /** Resolves when the other side knows. */
  close(): Promise<void>;
}

/** What the network said at last, which outlives the process. */
export type LastWord =
  | ({ readonly kind: 'refused' } & Refusal & { readonly times: number })
  | Extract<Disconnect, { kind: 'ended' }>;

export interface ConnectionLifecycleOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly logins: LoginQueue;
  readonly linkId: string;
  readonly onState: OpenRequest['onState'];
  readonly openSocket: () => WASocket;
  /** A connection is open: subscriptions are made again, and so on. */
  readonly onOpen: (sock: WASocket) => void;
  readonly sessionId: () => string;
  /** Keeps what the network said at last. */
  readonly onLastWord: (word: LastWord) => void;
}

/** After a connection that held for so long, the pauses start from the first again. */
const SOLID_MS = 30_000;
/** A server that does not answer the farewell has lost the connection anyway. */
const FAREWELL_MS = 1_000;

/** A network that asks for a new connection again and again gets it at the pace of a lost one. */
const ASKED_AGAIN: Absence = {
  reason: 'network_unavailable',
  detail: 'The network asks for a new connection again and again.',
};
const NOTHING_KEPT = { kind: 'ended', cause: 'logged_out', detail: 'Nothing is kept of this link.' } as const;
const TAKEN_OVER = {
  kind: 'ended',
  cause: 'replaced',
  detail: 'Another process has taken this number over.',
} as const;
const CLIENT_REFUSALS: ReadonlySet<Refusal['reason']> = new Set(['client_outdated', 'client_refused']);

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
  /** Refusals since the network let us in. */
  let refusals = 0;
  let connectedAt = 0;
  let over = false;

  function enter(next: ConnectionState): void {
    state = next;
    if (next.kind === 'ended') over = true;
    parts.onState(next);
  }

  function connect(): void {
    retry?.cancel();
    retry = undefined;
    const turn = parts.logins.enter(logIn);
    // Otherwise it has had its turn, and may have lost it again.
    if (turn) retry = turn;
  }

  function logIn(): void {
    if (over) return;
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
      refusals = 0;
      enter({ kind: 'connected', sessionId: parts.sessionId() });
      parts.onOpen(mine.sock);
    }
    if (connection === 'close') lose(lastDisconnect?.error);
  }

  function lose(error: unknown): void {
    // A complaint from what was under connection on a connection that is gone: the next one is on its connection, and there must not be two.
    if (!held && retry) return;
    const wasConnected = state.kind === 'connected';
    letGo(error).catch(unlessCutOff(NOT_IN_ORDER));
    if (wasConnected && clock.monotonic() - connectedAt >= SOLID_MS) failures = 0;
    take(classifyDisconnect(error));
  }

  function take(disconnect: Disconnect): void {
    if (disconnect.kind === 'ended') end(disconnect);
    else if (disconnect.kind === 'refused') refuse(disconnect);
    else if (disconnect.kind === 'lost') waitAndComeBack(disconnect);
    else if (failures > 0) waitAndComeBack(ASKED_AGAIN);
    else {
      failures += 1;
      comeBack();
    }
  }

  function end(word: Extract<LastWord, { kind: 'ended' }>): void {
    if (word.cause !== 'replaced') parts.onLastWord(word);
    enter(word);
  }

  function refuse(disconnect: Extract<Disconnect, { kind: 'refused' }>): void {
    refusals += 1;
    const refusal = refusalOf(disconnect, { now: clock.now(), times: refusals, random });
    parts.onLastWord({ ...refusal, kind: 'refused', times: refusals });
    wait(refusal);
  }

  function wait(refusal: Refusal): void {
    const { reason, detail, retryAt, until, code } = refusal;
    retry?.cancel();
    retry = clock.after(retryAt - clock.now(), comeBack);
    parts.log.warn(
      { linkId: parts.linkId, reason, retryAt: new Date(retryAt).toISOString() },
      'the network does not let a number in',
    );
    const known = { ...(until !== undefined && { until }), ...(code !== undefined && { code }) };
    enter({ kind: 'refused', reason, detail, retryAt, ...known });
  }

  function waitAndComeBack({ reason, detail }: Absence): void {
    failures += 1;
    const pauseMs = pauseAfterLoss(reason, failures, random);
    retry = clock.after(pauseMs, comeBack);
    parts.log.debug({ linkId: parts.linkId, failures, pauseMs, reason }, 'connection lost');
    enter({ kind: 'reconnecting', retryAt: clock.now() + pauseMs, reason, detail });
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
    start(last) {
      if (over) return;
      if (last?.kind === 'ended') return enter(last);
      if (last) refusals = last.times;
      if (last && last.retryAt > clock.now()) wait(last);
      else connect();
    },
    clientChanged() {
      if (state.kind !== 'refused' || !CLIENT_REFUSALS.has(state.reason)) return;
      retry?.cancel();
      retry = clock.after(pauseAfterLoss('connection_lost', 1, random), comeBack);
    },
    reconnect() {
      if (over || state.kind === 'refused') return;
      letGo(undefined).catch(unlessCutOff(NOT_IN_ORDER));
      comeBack();
    },
    broken(error) {
      if (over) return;
      if (error instanceof LinkLost) {
        letGo(error).catch(unlessCutOff(NOT_IN_ORDER));
        enter(error.reason === 'unknown' ? NOTHING_KEPT : TAKEN_OVER);
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
