import type { MailboxItem, SessionId, Vault } from '../../world/index.ts';
import { decodeNode, encodeNode, type Node } from '../transport/nodes.ts';

/**
 * Encrypted stanzas in flight. Every repetition of an item must have the same bytes: the device may have decrypted them before
 * and lost only its answer, and its ratchet decrypts a ciphertext once.
 */
export interface Outbox {
  read(item: MailboxItem): Promise<Node | undefined>;
  keep(item: Pick<MailboxItem, 'sessionId' | 'id'>, stanza: Node): void;
  discard(sessionId: SessionId, itemIds: readonly number[]): void;
  forget(sessionId: SessionId): void;
}

const scopeOf = (sessionId: SessionId): string => `outbox.${sessionId}`;

export function createOutbox(vault: Vault): Outbox {
  return {
    async read({ sessionId, id }) {
      const kept = vault.read(scopeOf(sessionId), String(id));
      return kept && decodeNode(Buffer.from(kept));
    },
    keep({ sessionId, id }, stanza) {
      vault.write(scopeOf(sessionId), String(id), encodeNode(stanza));
    },
    discard(sessionId, itemIds) {
      for (const id of itemIds) vault.erase(scopeOf(sessionId), String(id));
    },
    forget: (sessionId) => vault.eraseScope(scopeOf(sessionId)),
  };
}
