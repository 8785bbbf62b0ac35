import type { SocketConfig, WASocket } from 'baileys';

type Handler = (...values: unknown[]) => unknown;

const FRAMES = 'message';
const STANZAS = 'CB:';

/**
 * The library handles what the network says in asynchronous functions whose failures nobody hears, so that one frame of noise would end
 * the process. Here a frame that cannot be opened ends its connection, for nothing after it can be opened either; a stanza that cannot be
 * handled is passed over.
 */
export function survive(sock: WASocket, logger: SocketConfig['logger']): void {
  const { ws } = sock;
  for (const event of ws.eventNames()) {
    const isFrames = event === FRAMES;
    if (!isFrames && !String(event).startsWith(STANZAS)) continue;
    const handlers = ws.listeners(event) as Handler[];
    ws.removeAllListeners(event);
    for (const handle of handlers) {
      ws.on(event, async (...values: unknown[]) => {
        try {
          await handle(...values);
        } catch (error) {
          logger.warn({ error }, '');
          if (isFrames) void sock.end(error instanceof Error ? error : undefined);
        }
      });
    }
  }
}
