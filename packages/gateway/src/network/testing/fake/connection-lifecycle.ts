import type { CloseReason, LinkedDevice, MailboxItem, World } from '@parley/sandbox/world';
import { type Clock, growingPause, type Random, type Timer } from '#kernel';
import { NetworkError } from '../../errors.ts';
import {
  type ConnectionState,
  type LoginAnswers,
  type LoginQuestion,
  PASSKEY_PATIENCE_MS,
} from '../../port.ts';
import type { Connection } from './link.ts';
import { type Ceremony, startCeremony } from './passkey.ts';
import type { TerminalState, TerminalStates } from './terminal-state.ts';

export interface ConnectionLifecycleOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly findDevice: () => LinkedDevice | undefined;
  /** Ceremonies under way, by phone; shown on it. */
  readonly ceremonies: Map<string, Ceremony>;
  readonly lastWords: TerminalStates;
  readonly onState: (state: ConnectionState) => void;
  /** Called before the first item of the connection. */
  readonly onConnected: (device: LinkedDevice) => void;
  readonly onItem: (item: MailboxItem, device: LinkedDevice) => void;
}

/** The connections of one session, one after the other. */
export interface ConnectionLifecycle {
  readonly state: ConnectionState;
  connection(): Connection | undefined;
  reconnect(): void;
  readonly answers: LoginAnswers;
  close(): void;
}

interface LiveConnection extends Connection {
  cut(reason: string): void;
}

const UNAVAILABLE = 503;
const PAUSE_BEFORE_REDIAL = { firstMs: 1_000, longestMs: 60_000, jitter: 0.2 };

const PASSKEY_PAUSE = { firstMs: 60_000, longestMs: 3_600_000, jitter: 0.2 };
const ASKED_AGAIN_MS = 60_000;
const ASKS_FOR_PASSKEY = {
  reason: 'passkey_required',
  detail: 'The network asks for the passkey of this account.',
} as const;
const PASSKEY_REQUIRED = 428;

const ENDINGS = {
  logged_out: 'The phone has unlinked this number.',
  replaced: 'Another process uses the link of this number.',
} as const;

/**
 * connecting → connected → (lost) reconnecting → connecting → …, until the link has ended or the lifecycle is closed. A connection is
 * an attachment to the device's mailbox. A timer exists only while reconnecting.
 */
export function createConnectionLifecycle(options: ConnectionLifecycleOptions): ConnectionLifecycle {
  const { world, clock, random, findDevice, onState, onConnected, onItem } = options;
  let state: ConnectionState = { kind: 'connecting' };
  let live: LiveConnection | undefined;
  let redial: Timer | undefined;
  let failures = 0;
  let over = false;
  let ceremony: Ceremony | undefined;
  let dialledAt = Number.NEGATIVE_INFINITY;

  const enter = (next: ConnectionState): void => {
    state = next;
    onState(next);
  };

  const drop = (reason: string): void => {
    redial?.cancel();
    ceremony?.end();
    ceremony = undefined;
    const dropped = live;
    live = undefined;
    dropped?.cut(reason);
  };

  const close = (): void => {
    over = true;
    drop('The session was closed.');
  };

  const end = (cause: 'logged_out' | 'replaced'): void => {
    close();
    enter({ kind: 'ended', cause, detail: ENDINGS[cause] });
  };

  const lose = (detail: string): void => {
    drop(detail);
    failures += 1;
    const pause = growingPause(PAUSE_BEFORE_REDIAL, failures, random);
    redial = clock.after(pause, () => {
      enter({ kind: 'connecting' });
      dial();
    });
    enter({ kind: 'reconnecting', retryAt: clock.now() + pause, reason: 'connection_lost', detail });
  };

  /** The question that is shown; a failed one ends the connection. */
  const awaitOwner = (question: LoginQuestion | undefined): void => {
    const isOver = question?.kind === 'failed';
    if (isOver) drop('The passkey was not used.');
    if (isOver) failures += 1;
    const pause = isOver ? growingPause(PASSKEY_PAUSE, failures, random) : PASSKEY_PATIENCE_MS;
    if (isOver) redial = clock.after(pause, comeBack);
    const shown = question && { question };
    enter({ kind: 'reconnecting', retryAt: clock.now() + pause, ...ASKS_FOR_PASSKEY, ...shown });
  };

  const comeBack = (): void => {
    enter({ kind: 'connecting' });
    dial();
  };

  const askOwner = (device: LinkedDevice): void => {
    const { phone } = device;
    const mine = startCeremony({ world, clock, random, phone, report: awaitOwner });
    mine.agreed.then(
      () => {
        world.passkeys.consumeFault(phone, 'passkey_at_login');
        ceremony = undefined;
        if (!over) connect(device);
      },
      () => {},
    );
    mine.agreed.catch(() => {}).finally(() => options.ceremonies.delete(phone));
    if (state.kind === 'reconnecting' && state.question?.kind === 'failed') return;
    ceremony = mine;
    options.ceremonies.set(phone, mine);
  };

  const shownQuestion = (): LoginQuestion | undefined =>
    state.kind === 'reconnecting' ? state.question : undefined;

  const hungUp: Record<CloseReason, () => void> = {
    replaced: () => end('replaced'),
    unlinked: () => end('logged_out'),
    fault: () => lose('The connection to the network was lost.'),
    // The network itself is closed for good.
    world_closed: close,
  };

  const dial = (): void => {
    if (over || live) return;
    const device = findDevice();
    const refusal = device && world.faults.refusesLogin(device.sessionId);
    dialledAt = clock.monotonic();
    if (!device) end('logged_out');
    else if (refusal?.reason === PASSKEY_REQUIRED)
      awaitOwner({ kind: 'failed', reason: ASKS_FOR_PASSKEY.detail });
    else if (!refusal && world.passkeys.isArmed(device.phone, 'passkey_at_login')) askOwner(device);
    else if (!refusal) connect(device);
    else if (refusal.reason === UNAVAILABLE) lose('The network refused the connection.');
    else stayOut(options.lastWords.keep(refusal, clock.now()));
  };

  const stayOut = (word: TerminalState): void => {
    if (word.kind === 'ended') close();
    else redial = clock.after(word.retryAt - clock.now(), dial);
    enter(word);
  };

  const begin = (): void => {
    const last = options.lastWords.recall();
    if (last && (last.kind === 'ended' || last.retryAt > clock.now())) stayOut(last);
    else dial();
  };

  const connect = (device: LinkedDevice): void => {
    world.faults.startsDroppingTraffic(device.sessionId);
    const attachment = world.mailboxes.attach(device.sessionId, {
      item: (item) => onItem(item, device),
      closed: (reason) => hungUp[reason](),
    });
    const lost = new AbortController();
    const cut = (reason: string): void => {
      attachment.detach();
      lost.abort(new NetworkError('transient', reason));
    };
    const connection = { device, lost: lost.signal, cut };
    live = connection;
    failures = 0;
    options.lastWords.forget();
    enter({ kind: 'connected', sessionId: device.sessionId });
    // A listener of the new state may have closed or reconnected already.
    if (live !== connection) return;
    // A device that is not available receives neither typing nor presence.
    world.presence.set(device, { online: true });
    onConnected(device);
    attachment.start();
  };

  queueMicrotask(begin);
  return {
    get state() {
      return state;
    },
    connection: () => live,
    reconnect() {
      if (over || state.kind === 'refused') return;
      drop('The connection is being renewed.');
      enter({ kind: 'connecting' });
      queueMicrotask(dial);
    },
    answers: {
      answerPasskey(credential) {
        if (shownQuestion()?.kind !== 'passkey') return;
        ceremony?.answerPasskey(credential);
        awaitOwner(undefined);
      },
      confirm() {
        if (shownQuestion()?.kind === 'confirm') ceremony?.confirm();
      },
      ask() {
        if (over || ceremony || state.kind !== 'reconnecting' || state.reason !== 'passkey_required') return;
        redial?.cancel();
        const pause = Math.max(0, dialledAt + ASKED_AGAIN_MS - clock.monotonic());
        redial = clock.after(pause, comeBack);
        enter({ kind: 'reconnecting', retryAt: clock.now() + pause, ...ASKS_FOR_PASSKEY });
      },
      refuse() {
        if (ceremony) awaitOwner({ kind: 'failed', reason: 'The codes were different.' });
      },
    },
    close,
  };
}
