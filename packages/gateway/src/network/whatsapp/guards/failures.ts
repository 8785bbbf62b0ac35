import type { WASocket } from 'baileys';
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
