import type { WASocket } from 'baileys';
import { createSystemClock } from '#kernel';
import { unlessCutOff } from '../errors.ts';

/** Connections are of this machine; no journey through time makes one late. */
const clock = createSystemClock();

/**
 * The library has one time limit for connecting and for writing a frame, and starts two timers and writes down three stacks for every frame
 * because of it. Here it has none: a connection on which the network has said nothing that can be understood is ended, and a frame that
 * cannot be written is noticed by whoever waits for an answer to it.
 */
export function endUnlessHeard(sock: WASocket, patienceMs: number): void {
  const { ws } = sock;
  const tooLate = clock.after(patienceMs, () =>
    sock
      .end(new Error('The network did not answer in time.'))
      .catch(unlessCutOff('a connection could not be ended in order')),
  );
  ws.on('frame', hear);
  ws.once('close', stop);

  function hear(frame: unknown): void {
    // Bytes are of the handshake yet.
    if (!(frame instanceof Uint8Array)) stop();
  }

  function stop(): void {
    tooLate.cancel();
    ws.off('frame', hear);
    ws.off('close', stop);
  }
}
