import type { ConnectionState as SocketUpdate, WASocket } from 'baileys';
import { type Clock, type Random, type Timer, waitAtMost } from '#kernel';
import {
  type ConnectionState,
  type LoginAnswers,
  type LoginQuestion,
  type OfflinePeriod,
  type OpenRequest,
  PASSKEY_PATIENCE_MS,
  type Refusal,
} from '../../port.ts';
import { offline, unlessCutOff } from '../errors.ts';
import type { Log } from '../guards/index.ts';
import type { OpenConnection } from '../session-context.ts';
import { LinkLost } from '../vault/index.ts';
import { ASKS_FOR_PASSKEY, classifyDisconnect, type Disconnect } from './disconnect.ts';
import type { LoginQueue } from './login-queue.ts';
import { PASSKEY_ASKED_AGAIN_MS, pauseAfterLoss, refusalOf } from './pace.ts';
import type { Ceremony, CeremonyParts } from './passkey/ceremony.ts';

const NOT_IN_ORDER = 'a connection could not be closed';

/**
 * States of a session's connection:
 *
 *     connecting ──open──▶ connected ──lost──▶ reconnecting ──retryAt──▶ connecting …
 *         │  │                 │                   │
 *         │  └── not let in ──▶│ refused ──retryAt, another version of the client──▶ connecting …
 *         │                    │                   │
 *         └── logged out, locked, banned, replaced ┴──▶ ended
 *
 * In `connecting`, a session first waits for its turn in the login queue. A login for which the network wants a
 * passkey is `reconnecting` while its connection waits for the owner.
 * A socket serves one connection, and at any moment there is at most one; events of a released socket are
 * ignored. `close` ends every state, and no callback runs after it.
 */
export interface ConnectionLifecycle {
  readonly state: ConnectionState;
  connection(): OpenConnection;
  /**
   * `last` is the terminal state of the previous life, when the network refused the login: the next attempt
   * waits for its time.
   */
  start(last?: TerminalState): void;
  reconnect(): void;
  readonly answers: LoginAnswers;
  /** The announced client version has changed: a session that was refused as outdated may retry. */
  clientChanged(): void;
  /** This process can no longer use the link, or the disk has failed. */
  broken(error: unknown): void;
  /** Resolves when the network has closed the connection, too. */
  close(): Promise<void>;
}

/** Terminal state that outlives the process. */
export type TerminalState =
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
  /** Called when a connection opens, to renew subscriptions and the like. */
  readonly onOpen: (sock: WASocket) => void;
  readonly sessionId: () => string;
  /** Listens for the network's request for a passkey on a connection that is not open yet. */
  readonly handlePasskey: (sock: WASocket, parts: Pick<CeremonyParts, 'report' | 'fail'>) => Ceremony;
  /** Stores a terminal state. */
  readonly onLastWord: (word: TerminalState) => void;
}

/** A connection that lasted this long resets the backoff. */
const SOLID_MS = 30_000;
/** A server that does not answer the close frame has lost the connection anyway. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Reconnects with backoff when the network asks for new connections in a row. */
const ASKED_AGAIN: OfflinePeriod = {
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
  ceremony?: Ceremony;
}

export function createConnectionLifecycle(parts: ConnectionLifecycleOptions): ConnectionLifecycle {
  const { clock, random } = parts;
  let state: ConnectionState = { kind: 'connecting' };
  let held: Held | undefined;
  let retry: Timer | undefined;
  let failures = 0;
  /** Refusals since the last accepted login. */
  let refusals = 0;
  let connectedAt = 0;
  let loggedInAt = Number.NEGATIVE_INFINITY;
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
    // Otherwise its turn came at once, and the connection may be lost again already.
    if (turn) retry = turn;
  }

  function logIn(): void {
    if (over) return;
    retry = undefined;
    const sock = openOrLose();
    if (!sock) return;
    const mine: Held = { sock, lost: new AbortController() };
    held = mine;
    loggedInAt = clock.monotonic();
    mine.ceremony = parts.handlePasskey(sock, {
      report: (question) => held === mine && awaitOwner(question),
      fail: (reason, cause) =>
        held === mine && giveUpAsking({ kind: 'failed', reason, ...(cause && { cause }) }),
    });
    mine.sock.ev.on('connection.update', (update) => {
      if (held === mine) follow(mine, update);
    });
  }

  /**
   * A socket that cannot be created counts as a lost connection; thrown from a timer, the error would end the
   * process.
   */
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
      mine.ceremony?.stop();
      enter({ kind: 'connected', sessionId: parts.sessionId() });
      parts.onOpen(mine.sock);
    }
    if (connection === 'close') lose(lastDisconnect?.error);
  }

  function lose(error: unknown): void {
    // A late failure of a layer below, about a connection that is gone: the next one is already scheduled, and
    // there must not be two.
    if (!held && retry) return;
    const wasConnected = state.kind === 'connected';
    const isAsked = !wasConnected && held?.ceremony?.isUnderWay === true;
    letGo(error).catch(unlessCutOff(NOT_IN_ORDER));
    if (wasConnected && clock.monotonic() - connectedAt >= SOLID_MS) failures = 0;
    const disconnect = classifyDisconnect(error);
    // The question ends with its connection, and the next login brings another.
    take(isAsked && disconnect.kind === 'lost' ? ASKS_FOR_PASSKEY : disconnect);
  }

  /** The connection stays open, and is let in once the owner has answered. */
  function awaitOwner(question: LoginQuestion | undefined): void {
    const { reason, detail } = ASKS_FOR_PASSKEY;
    const retryAt = clock.now() + PASSKEY_PATIENCE_MS;
    enter({ kind: 'reconnecting', retryAt, reason, detail, ...(question && { question }) });
  }

  function giveUpAsking(question?: LoginQuestion): void {
    letGo(undefined).catch(unlessCutOff(NOT_IN_ORDER));
    waitAndComeBack(ASKS_FOR_PASSKEY, question);
  }

  function shownQuestion(): LoginQuestion | undefined {
    return state.kind === 'reconnecting' && state.reason === 'passkey_required' ? state.question : undefined;
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

  function end(word: Extract<TerminalState, { kind: 'ended' }>): void {
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
      'the network refuses the login of a number',
    );
    const known = { ...(until !== undefined && { until }), ...(code !== undefined && { code }) };
    enter({ kind: 'refused', reason, detail, retryAt, ...known });
  }

  function waitAndComeBack({ reason, detail }: OfflinePeriod, question?: LoginQuestion): void {
    failures += 1;
    const pauseMs = pauseAfterLoss(reason, failures, random);
    retry = clock.after(pauseMs, comeBack);
    parts.log.debug({ linkId: parts.linkId, failures, pauseMs, reason }, 'connection lost');
    const retryAt = clock.now() + pauseMs;
    enter({ kind: 'reconnecting', retryAt, reason, detail, ...(question && { question }) });
  }

  function comeBack(): void {
    if (over) return;
    enter({ kind: 'connecting' });
    connect();
  }

  /** Closes the socket at once; nothing can leave through it afterwards. */
  async function letGo(reason: unknown): Promise<void> {
    const gone = held;
    held = undefined;
    gone?.ceremony?.stop();
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
    answers: {
      answerPasskey(credential) {
        if (shownQuestion()?.kind !== 'passkey') return;
        held?.ceremony?.answerPasskey(credential);
        awaitOwner(undefined);
      },
      confirm() {
        if (shownQuestion()?.kind !== 'confirm') return;
        held?.ceremony?.confirm();
        awaitOwner(undefined);
      },
      ask() {
        if (over || held || state.kind !== 'reconnecting' || state.reason !== 'passkey_required') return;
        retry?.cancel();
        const pauseMs = Math.max(0, loggedInAt + PASSKEY_ASKED_AGAIN_MS - clock.monotonic());
        retry = clock.after(pauseMs, comeBack);
        const { kind, reason, detail } = state;
        enter({ kind, reason, detail, retryAt: clock.now() + pauseMs });
      },
      refuse() {
        if (!over && shownQuestion()) giveUpAsking();
      },
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
      await waitAtMost(clock, CLOSE_TIMEOUT_MS, letGo(undefined));
    },
  };
}
