import type { NewsKind, SessionId, World } from '../../world/index.ts';
import { type Clock, type Random, unixSeconds } from '../ports.ts';
import type { IqHandler } from '../stanzas/iq.ts';
import { child, type Node, node, SERVER } from '../transport/nodes.ts';

/** What the network sends to a device after its login. */
export interface LoginInfo {
  /** Edge routing: the device returns it at its next connection. */
  routing(): Node;
  /** The account changed since the device last synchronized; repeated at each login until the device confirms. */
  changes(sessionId: SessionId): Node[];
  /** Marks the account as changed for the device. */
  changed(sessionId: SessionId): void;
  /** Number of waiting items by kind. */
  preview(sessionId: SessionId): Node[];
  /** `urn:xmpp:whatsapp:dirty`: the device has synchronized. */
  clean: IqHandler;
  forget(sessionId: SessionId): void;
}

const SCOPE = 'dirty';
const ROUTING_BYTES = 8;
const ACCOUNT = 'account_sync';

/** Kinds of news by their names on the wire. */
const PREVIEWED: Readonly<Partial<Record<NewsKind, 'message' | 'receipt' | 'call'>>> = {
  message: 'message',
  forwarded: 'message',
  channel_message: 'message',
  receipt: 'receipt',
  own_read: 'receipt',
  retry: 'receipt',
  call: 'call',
};

export function createLoginInfo({
  world: { vault, mailboxes },
  clock,
  random,
}: {
  world: Pick<World, 'vault' | 'mailboxes'>;
  clock: Clock;
  random: Random;
}): LoginInfo {
  const ib = (content: Node): Node => node('ib', { from: SERVER }, [content]);

  return {
    routing: () =>
      ib(node('edge_routing', {}, [node('routing_info', {}, Buffer.from(random.bytes(ROUTING_BYTES)))])),

    changes(sessionId) {
      const since = vault.read(SCOPE, sessionId);
      const timestamp = since && Buffer.from(since).toString();
      return timestamp ? [ib(node('dirty', { type: ACCOUNT, timestamp }))] : [];
    },

    changed(sessionId) {
      if (vault.read(SCOPE, sessionId)) return;
      vault.write(SCOPE, sessionId, Buffer.from(String(unixSeconds(clock))));
    },

    preview(sessionId) {
      const counts = { message: 0, receipt: 0, call: 0, notification: 0, appdata: 0 };
      for (const [kind, count] of mailboxes.waitingByKind(sessionId)) {
        counts[PREVIEWED[kind] ?? 'notification'] += count;
      }
      const count = Object.values(counts).reduce((sum, one) => sum + one);
      return count > 0 ? [ib(node('offline_preview', { count, ...counts }))] : [];
    },

    clean({ device }, request) {
      if (child(request, 'clean')?.attrs.type === ACCOUNT) vault.erase(SCOPE, device.sessionId);
      return [];
    },

    forget: (sessionId) => vault.erase(SCOPE, sessionId),
  };
}
