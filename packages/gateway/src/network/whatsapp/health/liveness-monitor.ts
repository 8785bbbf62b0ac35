import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import type { Timer } from '#kernel';
import { codeOf, property, toNetworkError, unlessCutOff } from '../errors.ts';
import { byJid, DEVICES, queryUsers } from '../link/queries.ts';
import { ask, type SessionContext } from '../session-context.ts';

/**
 * Detects connections that are open but unresponsive. The host of the number pings every minute, and the library
 * has a keepalive; both accept the answer to a ping, which comes from the nearest server. Such a connection has
 * three other symptoms:
 *
 * - a query that needs a lookup, sent at a slow interval when nothing else was received, gets no answer;
 * - messages stay unacknowledged, one after the other;
 * - the network ends the connection because it has waited for an acknowledgement itself.
 *
 * The monitor then reconnects and reports it once.
 */
export interface LivenessMonitor {
  attach(sock: WASocket): void;
  /** Called when the connection opens. */
  resume(): void;
  /** Called when a message was not acknowledged within the send timeout. */
  unacknowledged(): void;
  /** Called when a ping was not answered. */
  silent(): void;
  /** Called when another part reconnects, which counts as unresponsive after an unanswered ping. */
  reconnecting(): void;
  stop(): void;
}

const BEAT_MS = 600_000;
const SPREAD = 0.2;
/** As in the watchdog: after a pause of the machine the timer fires before the answer is read. */
const TIMES_ASKED = 2;
const MOST_UNACKNOWLEDGED = 3;
const LOST_BY_SILENCE = 408;
const LOST_BY_SILENCE_TEXT = 'Connection was lost';

interface LivenessMonitorOptions {
  readonly context: SessionContext;
  readonly onUnresponsive: () => void;
  readonly reconnect: () => void;
}

export function createLivenessMonitor({
  context,
  onUnresponsive,
  reconnect,
}: LivenessMonitorOptions): LivenessMonitor {
  const { clock, random, log, linkId } = context;
  let beat: Timer | undefined;
  /** Whether anything was received since the last check. */
  let hasReceived = false;
  let missing = 0;
  let isSilent = false;
  let isReported = false;

  function reportOnce(): void {
    if (isReported) return;
    isReported = true;
    log.warn({ linkId }, 'a connection is unresponsive and is replaced');
    onUnresponsive();
  }

  function giveUp(): void {
    reportOnce();
    reconnect();
  }

  /** Sends a query that only a server with access to the account can answer. */
  async function isAnswered(): Promise<boolean> {
    for (let times = 0; times < TIMES_ASKED; times++) {
      try {
        await ask(context, (sock) => queryUsers(sock, [DEVICES], [byJid(context.me().id)]));
        return true;
      } catch (error) {
        // A refusal is an answer, and a closed connection is already being replaced.
        if (!toNetworkError(error).unanswered) return true;
      }
    }
    return false;
  }

  function waitForBeat(): void {
    beat?.cancel();
    beat = clock.after(BEAT_MS * (1 + SPREAD * random.fraction()), () =>
      onBeat().catch(unlessCutOff('the liveness of a connection could not be checked')),
    );
  }

  async function onBeat(): Promise<void> {
    const mine = beat;
    const isUnresponsive = !hasReceived && !(await isAnswered());
    if (beat !== mine) return;
    // Anything received meanwhile, even a late answer, proves that the connection works.
    if (isUnresponsive && !hasReceived) return giveUp();
    hasReceived = false;
    waitForBeat();
  }

  function onFrame(frame: BinaryNode | Uint8Array): void {
    isSilent = false;
    if (frame instanceof Uint8Array) return;
    if (frame.tag === 'ack' && frame.attrs.class === 'message') missing = 0;
    // The answer to a ping is empty.
    if (frame.tag !== 'iq' || frame.content) hasReceived = true;
  }

  return {
    attach(sock) {
      isReported = false;
      isSilent = false;
      missing = 0;
      sock.ws.on('frame', onFrame);
      sock.ws.on('CB:stream:error', (node: BinaryNode) => {
        if (getBinaryNodeChild(node, 'ack')) reportOnce();
      });
      sock.ev.on('connection.update', ({ connection, lastDisconnect }) => {
        if (connection !== 'close') return;
        beat?.cancel();
        beat = undefined;
        const error = lastDisconnect?.error;
        if (codeOf(error) === LOST_BY_SILENCE && property(error, 'message') === LOST_BY_SILENCE_TEXT)
          reportOnce();
      });
    },
    resume: waitForBeat,
    unacknowledged() {
      missing += 1;
      if (missing >= MOST_UNACKNOWLEDGED) giveUp();
    },
    silent() {
      isSilent = true;
    },
    reconnecting() {
      if (isSilent) reportOnce();
    },
    stop: () => beat?.cancel(),
  };
}
