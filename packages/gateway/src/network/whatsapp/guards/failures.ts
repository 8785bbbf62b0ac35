import type { WASocket } from 'baileys';
import { createSystemClock } from '#kernel';
import { unlessCutOff, withoutWords } from '../errors.ts';
import type { Log } from './library-log.ts';

type Handler = (...values: unknown[]) => unknown;

const FRAMES = 'message';
const STANZAS = 'CB:';

/**
 * Contains failures of the library's asynchronous handlers, which it does not catch, so that one corrupt frame
 * would end the process. A frame that cannot be decrypted ends its connection, because no later one can be
 * decrypted either; a stanza that fails is skipped. Both are logged without the error's text, which may quote
 * the network.
 */
export function containFailures(
  sock: Pick<WASocket, 'ws' | 'end'>,
  { linkId, log }: { linkId: string; log: Log },
): void {
  const { ws } = sock;
  for (const event of ws.eventNames()) {
    const isFrames = event === FRAMES;
    if (!isFrames && !String(event).startsWith(STANZAS)) continue;
    const handlers = ws.listeners(event) as Handler[];
    ws.removeAllListeners(event);
    for (const handle of handlers) {
      const guarded = async (values: unknown[]): Promise<void> => {
        try {
          await handle(...values);
        } catch (error) {
          log.warn(
            { linkId, event: String(event), ...withoutWords(error) },
            isFrames
              ? 'a frame could not be decrypted; its connection ends'
              : 'a stanza could not be handled; it is skipped',
          );
          if (isFrames) await sock.end(error instanceof Error ? error : undefined);
        }
      };
      // The journal, which is installed before this handler, awaits the result to keep the order.
      ws.on(event, (...values: unknown[]) =>
        guarded(values).catch(unlessCutOff('a connection could not be closed')),
      );
    }
  }
}

/** The machine's clock: connections are real, even where tests move the time. */
const clock = createSystemClock();

/**
 * Closes a connection on which no valid frame arrives in time. The library has one timeout for connecting and
 * for writing a frame, which costs two timers and three stack traces for every frame; here it is disabled. A
 * frame that cannot be written is noticed by the caller that awaits its answer.
 */
export function closeIfUnresponsive(sock: WASocket, patienceMs: number): void {
  const { ws } = sock;
  const tooLate = clock.after(patienceMs, () =>
    sock
      .end(new Error('The network did not answer in time.'))
      .catch(unlessCutOff('a connection could not be closed')),
  );
  ws.on('frame', onFrame);
  ws.once('close', stop);

  function onFrame(frame: unknown): void {
    // Byte frames belong to the handshake.
    if (!(frame instanceof Uint8Array)) stop();
  }

  function stop(): void {
    tooLate.cancel();
    ws.off('frame', onFrame);
    ws.off('close', stop);
  }
}

const CLOSED = 'close';

/**
 * Ends open queries with their connection. When the library closes a connection it removes the listeners of its
 * own open queries, so each of them, and everything that awaits it, such as closing the session, would wait for
 * the full timeout.
 */
export function endQuestions({ ws }: WASocket): void {
  const removeAll = ws.removeAllListeners.bind(ws);
  ws.removeAllListeners = (event) => {
    const waiting = event === CLOSED ? ws.listeners(CLOSED) : [];
    removeAll(event);
    for (const notify of waiting) notify();
    return ws;
  };
}
