import { type Actor, type PhoneNumber, type SessionId, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import { lifetimeMs, type MailboxItem, type News, type NewsKind } from './items.ts';
import type { CloseReason, Mailboxes, MailboxListener } from './types.ts';

/** The writing side of the mailboxes, for everything that has news. */
export interface MailboxWriter extends Mailboxes {
  /** Puts news into the mailboxes of a person's linked devices, except that of the device which caused it. */
  notify(phone: PhoneNumber, news: News, except?: Actor): void;
  /** Returns the id of the item. */
  notifyDevice(sessionId: SessionId, news: News): number;
  isAttached(sessionId: SessionId): boolean;
  /** Closes an attachment from the network's side. */
  hangUp(sessionId: SessionId, reason: CloseReason, code?: number): void;
  close(): void;
}

interface LiveAttachment {
  listener: MailboxListener;
  /** Highest id that was delivered. */
  cursor: number;
  /** Highest id that was in the mailbox at the time of attaching. */
  waitedUpTo: number;
  unacknowledged: Set<number>;
  started: boolean;
  handing: boolean;
  /** New items arrived during a delivery. */
  more: boolean;
  open: boolean;
}

interface MailRow {
  id: number;
  news: string;
  stale_at: number | null;
}

const windowSize = 1_000;
const pageSize = 100;

interface MailboxNeeds {
  context: WorldContext;
  /** A device attached or detached: what lasts one connection only ends. */
  onConnectionChange(sessionId: SessionId): void;
}

/**
 * The table is the only queue: an attachment reads it in order behind a cursor. Waiting and fresh news cannot overtake each
 * other, and a listener that acts on the world while it runs does not change the order.
 */
export function createMailboxes({ context, onConnectionChange }: MailboxNeeds): MailboxWriter {
  const { db, clock } = context;
  const attachments = new Map<SessionId, LiveAttachment>();

  const nextPage = (sessionId: SessionId, { cursor }: LiveAttachment, limit: number): MailRow[] =>
    db.all<MailRow>(
      'SELECT id, news, stale_at FROM mailbox WHERE session_id = ? AND id > ? ORDER BY id LIMIT ?',
      sessionId,
      cursor,
      limit,
    );

  const remove = (sessionId: SessionId, id: number): void => {
    db.run('DELETE FROM mailbox WHERE id = ? AND session_id = ?', id, sessionId);
  };

  const handOverRow = (sessionId: SessionId, attachment: LiveAttachment, row: MailRow): void => {
    attachment.cursor = row.id;
    const volatile = row.stale_at !== null;
    if (volatile) remove(sessionId, row.id);
    if (row.stale_at !== null && row.stale_at <= clock.now()) return;
    if (!volatile) attachment.unacknowledged.add(row.id);
    const item: MailboxItem = {
      id: row.id,
      sessionId,
      news: JSON.parse(row.news),
      waited: row.id <= attachment.waitedUpTo,
      volatile,
    };
    attachment.listener.item(item);
  };

  const handOver = (sessionId: SessionId): void => {
    const attachment = attachments.get(sessionId);
    if (!attachment?.started) return;
    attachment.more = true;
    if (attachment.handing) return;
    attachment.handing = true;
    try {
      while (attachment.open && attachment.more) handOverPage(sessionId, attachment);
    } finally {
      attachment.handing = false;
    }
  };

  const handOverPage = (sessionId: SessionId, attachment: LiveAttachment): void => {
    const limit = Math.min(pageSize, windowSize - attachment.unacknowledged.size);
    const page = limit > 0 ? nextPage(sessionId, attachment, limit) : [];
    attachment.more = limit > 0 && page.length === limit;
    for (const row of page) {
      if (!attachment.open) return;
      handOverRow(sessionId, attachment, row);
    }
  };

  const end = (sessionId: SessionId, attachment: LiveAttachment): boolean => {
    if (!attachment.open) return false;
    attachment.open = false;
    attachments.delete(sessionId);
    context.runInBackground(() => onConnectionChange(sessionId));
    return true;
  };

  const hangUp = (sessionId: SessionId, reason: CloseReason, code?: number): void => {
    const attachment = attachments.get(sessionId);
    if (attachment && end(sessionId, attachment)) attachment.listener.closed(reason, code);
  };

  const notifyDevice = (sessionId: SessionId, news: News): number => {
    const life = lifetimeMs(news.kind);
    const now = clock.now();
    if (life !== undefined) {
      db.run('DELETE FROM mailbox WHERE session_id = ? AND stale_at <= ?', sessionId, now);
    }
    const { lastId } = db.run(
      'INSERT INTO mailbox (session_id, news, stale_at) VALUES (?, ?, ?)',
      sessionId,
      JSON.stringify(news),
      life === undefined ? null : now + life,
    );
    context.afterCommit(`mailbox ${sessionId}`, () => handOver(sessionId));
    return lastId;
  };

  return {
    notifyDevice,
    forward: (sessionId, said) => context.act(() => notifyDevice(sessionId, { kind: 'forwarded', ...said })),
    hangUp,
    isAttached: (sessionId) => attachments.has(sessionId),
    notify(phone, news, except) {
      const devices = db.all<{ session_id: string; device: number }>(
        'SELECT session_id, device FROM devices WHERE phone = ? ORDER BY device',
        phone,
      );
      for (const { session_id, device } of devices) {
        if (except?.phone === phone && except.device === device) continue;
        notifyDevice(session_id, news);
      }
    },
    attach(sessionId, listener) {
      if (!db.get('SELECT 1 FROM devices WHERE session_id = ?', sessionId)) {
        throw new WorldError('not_found', `${sessionId} is not linked`);
      }
      hangUp(sessionId, 'replaced');
      const { backlog, last } = db.get<{ backlog: number; last: number }>(
        'SELECT count(*) AS backlog, coalesce(max(id), 0) AS last FROM mailbox WHERE session_id = ?',
        sessionId,
      ) ?? { backlog: 0, last: 0 };
      const attachment: LiveAttachment = {
        listener,
        cursor: 0,
        waitedUpTo: last,
        unacknowledged: new Set(),
        started: false,
        handing: false,
        more: false,
        open: true,
      };
      attachments.set(sessionId, attachment);
      onConnectionChange(sessionId);
      return {
        backlog,
        start() {
          attachment.started = true;
          handOver(sessionId);
        },
        detach() {
          end(sessionId, attachment);
        },
      };
    },
    acknowledge(sessionId, ...itemIds) {
      context.act(() => {
        for (const id of itemIds) {
          remove(sessionId, id);
          attachments.get(sessionId)?.unacknowledged.delete(id);
        }
        context.afterCommit(`mailbox ${sessionId}`, () => handOver(sessionId));
      });
    },
    waiting: (sessionId) =>
      db.get<{ n: number }>('SELECT count(*) AS n FROM mailbox WHERE session_id = ?', sessionId)?.n ?? 0,
    waitingByKind: (sessionId) =>
      new Map(
        db
          .all<{ kind: NewsKind; n: number }>(
            `SELECT json_extract(news, '$.kind') AS kind, count(*) AS n FROM mailbox
             WHERE session_id = ? AND stale_at IS NULL GROUP BY 1`,
            sessionId,
          )
          .map(({ kind, n }) => [kind, n]),
      ),
    close() {
      for (const sessionId of [...attachments.keys()]) hangUp(sessionId, 'world_closed');
    },
  };
}
