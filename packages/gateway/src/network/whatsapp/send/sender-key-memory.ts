import type { WASocket } from 'baileys';
import type { Jid } from '../../content.ts';

/**
 * The library notes who has the number's key for a group before the message that brings it there has left. When the network does not take that
 * message, nobody has the key, and what follows could not be read: from here on it is given to everybody once more.
 */
export async function forgetWhoHasSenderKey(sock: WASocket, group: Jid, myId: string): Promise<void> {
  const { keys } = sock.authState;
  // In the transaction that sends run in, so that one under way does not write back what it read before.
  await keys.transaction(async () => keys.set({ 'sender-key-memory': { [group]: null } }), myId);
}
