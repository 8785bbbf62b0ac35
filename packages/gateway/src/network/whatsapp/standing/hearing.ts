import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import type { Timer } from '#kernel';
import { codeOf, property, toNetworkError, unlessCutOff } from '../errors.ts';
import { byJid, DEVICES, queryUsers } from '../link/queries.ts';
import { ask, type SessionContext } from '../session-context.ts';

/**
 * A connection may say that it is open while the network does not hear it, or has nothing to say to it any more. Whoever hosts the number
 * asks for a sign of life every minute, and the library listens for one; both are content with the answer to a ping, which comes from the
 * nearest server. Here is what such a connection gives away besides:
 *
 * - a question that has to be looked up, asked at a slow beat when nothing else has come through, stays unanswered;
 * - messages stay unacknowledged, one after the other;
 * - the network ends it because it has waited for an acknowledgement itself.
 *
 * It is made anew, and told once.
 */
export interface Hearing {
  attach(sock: WASocket): void;
  /** The connection is open. */
  resume(): void;
  /** A message was not acknowledged within the patience of a send. */
  unacknowledged(): void;
  /** A sign of life was asked for and did not come. */
  silent(): void;
  /** Somebody makes the connection anew: because it is deaf, when it gave no sign. */
  reconnecting(): void;
  stop(): void;
}

const BEAT_MS = 600_000;
const SPREAD = 0.2;
/** As the watchdog does: a machine that stood still hears its own alarm before it hears the answer. */
const TIMES_ASKED = 2;
const MOST_UNACKNOWLEDGED = 3;
const LOST_BY_SILENCE = 408;
const LOST_BY_SILENCE_TEXT = 'Connection was lost';

interface HearingOptions {
  readonly context: SessionContext;
  readonly onDeaf: () => void;
  readonly reconnect: () => void;
}

export function createHearing({ context, onDeaf, reconnect }: HearingOptions): Hearing {
  const { clock, random, log, linkId } = context;
  let beat: Timer | undefined;
  /** Since the last beat. */
  let hasHeard = false;
  let missing = 0;
  let isSilent = false;
  let isTold = false;

  function tellOnce(): void {
    if (isTold) return;
    isTold = true;
    log.warn({ linkId }, 'a connection is deaf and is made anew');
    onDeaf();
  }

  function giveUp(): void {
    tellOnce();
    reconnect();
  }

  /** What only a server that knows the number can answer. */
  async function isAnswered(): Promise<boolean> {
    for (let times = 0; times < TIMES_ASKED; times++) {
      try {
        await ask(context, (sock) => queryUsers(sock, [DEVICES], [byJid(context.me().id)]));
        return true;
      } catch (error) {
        // A refusal is an answer, and a connection that is gone is being made anew already.
        if (!toNetworkError(error).unanswered) return true;
      }
    }
    return false;
  }

  function waitForBeat(): void {
    beat?.cancel();
    beat = clock.after(BEAT_MS * (1 + SPREAD * random.fraction()), () =>
      onBeat().catch(unlessCutOff('a connection could not be asked for a sign of life')),
    );
  }

  async function onBeat(): Promise<void> {
    const mine = beat;
    const isDeaf = !hasHeard && !(await isAnswered());
    if (beat !== mine) return;
    // What has come meanwhile, be it too late, is a sign as good as an answer in time.
    if (isDeaf && !hasHeard) return giveUp();
    hasHeard = false;
    waitForBeat();
  }

  function hear(frame: BinaryNode | Uint8Array): void {
    isSilent = false;
    if (frame instanceof Uint8Array) return;
    if (frame.tag === 'ack' && frame.attrs.class === 'message') missing = 0;
    // The answer to a ping is empty.
    if (frame.tag !== 'iq' || frame.content) hasHeard = true;
  }

  return {
    attach(sock) {
      isTold = false;
      isSilent = false;
      missing = 0;
      sock.ws.on('frame', hear);
      sock.ws.on('CB:stream:error', (node: BinaryNode) => {
        if (getBinaryNodeChild(node, 'ack')) tellOnce();
      });
      sock.ev.on('connection.update', ({ connection, lastDisconnect }) => {
        if (connection !== 'close') return;
        beat?.cancel();
        beat = undefined;
        const error = lastDisconnect?.error;
        if (codeOf(error) === LOST_BY_SILENCE && property(error, 'message') === LOST_BY_SILENCE_TEXT)
          tellOnce();
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
      if (isSilent) tellOnce();
    },
    stop: () => beat?.cancel(),
  };
}
