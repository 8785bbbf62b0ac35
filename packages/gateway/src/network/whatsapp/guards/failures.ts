import type { WASocket } from 'baileys';
import { unlessCutOff, withoutWords } from '../errors.ts';
import type { Log } from './library-log.ts';

type Handler = (...values: unknown[]) => unknown;

const FRAMES = 'message';
const STANZAS = 'CB:';

/**
 * The library handles what the network says in asynchronous functions whose failures nobody hears, so that one frame of noise would end
 * the process. Here a frame that cannot be opened ends its connection, for nothing after it can be opened either; a stanza that cannot be
 * handled is passed over. Both leave a line in the log, without the text of the failure: it may quote what the network said.
 */
export function survive(
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
              ? 'a frame could not be opened; its connection ends'
              : 'a stanza could not be handled; it is passed over',
          );
          if (isFrames) await sock.end(error instanceof Error ? error : undefined);
        }
      };
      // The journal, which comes to stand in front, waits for the answer: it keeps the order.
      ws.on(event, (...values: unknown[]) =>
        guarded(values).catch(unlessCutOff('a connection could not be ended in order')),
      );
    }
  }
}
