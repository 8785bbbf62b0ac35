import type { WASocket } from 'baileys';

const CLOSED = 'close';

/**
 * When the library ends a connection it takes away the listeners by which its own open questions would hear of that, and each waits for its
 * full time limit; so does whatever waits for it, such as a session that is to be closed. Here they hear of it.
 */
export function endQuestions({ ws }: WASocket): void {
  const removeAll = ws.removeAllListeners.bind(ws);
  ws.removeAllListeners = (event) => {
    const waiting = event === CLOSED ? ws.listeners(CLOSED) : [];
    removeAll(event);
    for (const hearOfIt of waiting) hearOfIt();
    return ws;
  };
}
