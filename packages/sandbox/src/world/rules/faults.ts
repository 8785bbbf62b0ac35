import type { MailboxWriter } from '../devices/mailbox.ts';
import type { Sanctions } from '../standing/types.ts';
import { type FaultKind, type FaultOrder, type LoginRefusal, type SessionId, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { Faults } from './types.ts';

interface FaultRow {
  id: number;
  kind: FaultKind;
  remaining: number;
  ms: number;
  until: number;
  code: number | null;
  reason_code: number | null;
  expire_seconds: number | null;
}

interface FaultsNeeds {
  context: WorldContext;
  mailboxes: MailboxWriter;
  sanctions: Pick<Sanctions, 'refusal'>;
}

const SENDING: readonly FaultKind[] = ['send_transient', 'send_permanent', 'slow', 'no_ack'];
/** Faults that end the current connection; for `refuse_login` that does not use up a count. */
const CUTTING: readonly FaultKind[] = ['disconnect', 'refuse_login', 'stream_error'];

const UNAVAILABLE: readonly FaultKind[] = ['unavailable', 'unavailable_hosted', 'unavailable_bot'];

const SERVICE_UNAVAILABLE = 503;

/** Armed faults that are not used up yet. Stored, so that a restart does not heal a link. */
export function createFaults({ context, mailboxes, sanctions }: FaultsNeeds): Faults {
  const { db, clock } = context;

  /** Connections that drop all traffic now; the next connection of the device starts without. */
  const dropping = new Set<SessionId>();

  const useUp = (row: FaultRow): void => {
    if (row.remaining > 1) db.run('UPDATE faults SET remaining = remaining - 1 WHERE id = ?', row.id);
    else db.run('DELETE FROM faults WHERE id = ?', row.id);
  };

  const oldest = (sessionId: string, kinds: readonly FaultKind[]): FaultRow | undefined =>
    db.get<FaultRow>(
      `SELECT * FROM faults WHERE session_id = ? AND kind IN (${kinds.map((kind) => `'${kind}'`)}) ORDER BY id LIMIT 1`,
      sessionId,
    );

  const take = (sessionId: string, kinds: readonly FaultKind[]): FaultOrder | undefined => {
    // almost always there is none, which needs no transaction
    if (!oldest(sessionId, kinds)) return undefined;
    return context.act(() => {
      const row = oldest(sessionId, kinds);
      if (!row) return undefined;
      useUp(row);
      return { kind: row.kind, count: 1, ms: row.ms, ...(row.code !== null && { code: row.code }) };
    });
  };

  const countLogin = (sessionId: SessionId): string | undefined =>
    db.get<{ phone: string }>(
      'UPDATE devices SET logins = logins + 1, last_login_at = ? WHERE session_id = ? RETURNING phone',
      clock.now(),
      sessionId,
    )?.phone;

  const brokenLogin = (sessionId: SessionId): LoginRefusal | undefined => {
    const row = oldest(sessionId, ['disconnect', 'refuse_login']);
    if (!row) return undefined;
    if (clock.now() < row.until) return refusalBy(row);
    useUp(row);
    return row.remaining > 0 ? refusalBy(row) : undefined;
  };

  return {
    arm(sessionId, { kind, count, ms, lastsMs, code, reasonCode, expireSeconds }) {
      context.act(() => {
        if (!db.get('SELECT 1 FROM devices WHERE session_id = ?', sessionId)) {
          throw new WorldError('not_found', `${sessionId} is not linked`);
        }
        const cutsNow = CUTTING.includes(kind) && mailboxes.isAttached(sessionId);
        const appliesNow = kind === 'deaf' && mailboxes.isAttached(sessionId);
        if (appliesNow) dropping.add(sessionId);
        const remaining = (cutsNow && kind !== 'refuse_login') || appliesNow ? count - 1 : count;
        if (remaining > 0 || ms > 0) {
          db.run(
            `INSERT INTO faults (session_id, kind, remaining, ms, until, code, reason_code, expire_seconds)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            sessionId,
            kind,
            // a refusal with a duration ends with it and refuses no further login
            kind === 'refuse_login' && ms > 0 ? 0 : remaining,
            ms,
            clock.now() + (lastsMs ?? ms),
            code ?? null,
            reasonCode ?? null,
            expireSeconds ?? null,
          );
        }
        const said = kind === 'stream_error' ? code : undefined;
        if (cutsNow)
          context.afterCommit(`cut ${sessionId}`, () => mailboxes.hangUp(sessionId, 'fault', said));
      });
    },
    refusesLogin: (sessionId) =>
      context.act(() => {
        dropping.delete(sessionId);
        const phone = countLogin(sessionId);
        return (phone && sanctions.refusal(phone)) || brokenLogin(sessionId);
      }),
    endsLogin: (sessionId) => take(sessionId, ['stream_error'])?.code,
    takeForSend: (sessionId) => take(sessionId, SENDING),
    takeForAnswer: (sessionId) => take(sessionId, ['slow']),
    takeForDelivery: (sessionId) => take(sessionId, ['undecryptable']) !== undefined,
    takeUnavailable: (sessionId) => take(sessionId, UNAVAILABLE)?.kind,
    startsDroppingTraffic(sessionId) {
      const dropsTraffic = take(sessionId, ['deaf']) !== undefined;
      if (dropsTraffic) dropping.add(sessionId);
      return dropsTraffic;
    },
    dropsTraffic: (sessionId) => dropping.has(sessionId),
    lateness: (sessionId) =>
      db.get<{ ms: number }>(
        `SELECT max(ms) AS ms FROM faults WHERE session_id = ? AND kind = 'slow_link' AND until > ?`,
        sessionId,
        clock.now(),
      )?.ms ?? 0,
    takeForDownload: (sessionId) => {
      const kind = take(sessionId, ['media_download', 'media_gone'])?.kind;
      if (kind === undefined) return undefined;
      return kind === 'media_gone' ? 'gone' : 'expired';
    },
  };
}

const refusalBy = ({ code, reason_code, expire_seconds }: FaultRow): LoginRefusal => ({
  reason: code ?? SERVICE_UNAVAILABLE,
  ...(reason_code !== null && { code: reason_code }),
  ...(expire_seconds !== null && { expireSeconds: expire_seconds }),
});
