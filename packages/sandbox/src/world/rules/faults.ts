import type { PostOffice } from '../devices/mailbox.ts';
import type { Ground } from '../ground.ts';
import type { Sanctions } from '../standing/types.ts';
import { type FaultKind, type FaultOrder, type LoginRefusal, type SessionId, WorldError } from '../types.ts';
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
  ground: Ground;
  post: PostOffice;
  sanctions: Pick<Sanctions, 'refusal'>;
}

const SENDING: readonly FaultKind[] = ['send_transient', 'send_permanent', 'slow', 'no_ack'];
/** What ends the present connection; of a refused login that is not yet one of those that were ordered. */
const CUTTING: readonly FaultKind[] = ['disconnect', 'refuse_login', 'stream_error'];

const UNAVAILABLE = 503;

/** Faults that were ordered and not used up yet. They are kept, so a restart does not heal a link. */
export function createFaults({ ground, post, sanctions }: FaultsNeeds): Faults {
  const { db, clock } = ground;

  /** Connections that are deaf at this moment; the next one is another matter. */
  const deaf = new Set<SessionId>();

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
    // as good as always there is none, which needs no transaction
    if (!oldest(sessionId, kinds)) return undefined;
    return ground.act(() => {
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
      ground.act(() => {
        if (!db.get('SELECT 1 FROM devices WHERE session_id = ?', sessionId)) {
          throw new WorldError('not_found', `${sessionId} is not linked`);
        }
        const cutsNow = CUTTING.includes(kind) && post.isAttached(sessionId);
        const deafensNow = kind === 'deaf' && post.isAttached(sessionId);
        if (deafensNow) deaf.add(sessionId);
        const remaining = (cutsNow && kind !== 'refuse_login') || deafensNow ? count - 1 : count;
        if (remaining > 0 || ms > 0) {
          db.run(
            `INSERT INTO faults (session_id, kind, remaining, ms, until, code, reason_code, expire_seconds)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            sessionId,
            kind,
            // a refusal that lasts for a time is over with it, and refuses nobody more
            kind === 'refuse_login' && ms > 0 ? 0 : remaining,
            ms,
            clock.now() + (lastsMs ?? ms),
            code ?? null,
            reasonCode ?? null,
            expireSeconds ?? null,
          );
        }
        const said = kind === 'stream_error' ? code : undefined;
        if (cutsNow) ground.afterCommit(`cut ${sessionId}`, () => post.hangUp(sessionId, 'fault', said));
      });
    },
    refusesLogin: (sessionId) =>
      ground.act(() => {
        deaf.delete(sessionId);
        const phone = countLogin(sessionId);
        return (phone && sanctions.refusal(phone)) || brokenLogin(sessionId);
      }),
    endsLogin: (sessionId) => take(sessionId, ['stream_error'])?.code,
    takeForSend: (sessionId) => take(sessionId, SENDING),
    takeForAnswer: (sessionId) => take(sessionId, ['slow']),
    takeForDelivery: (sessionId) => take(sessionId, ['undecryptable']) !== undefined,
    deafens(sessionId) {
      const isDeaf = take(sessionId, ['deaf']) !== undefined;
      if (isDeaf) deaf.add(sessionId);
      return isDeaf;
    },
    isDeaf: (sessionId) => deaf.has(sessionId),
    lateness: (sessionId) =>
      db.get<{ ms: number }>(
        `SELECT max(ms) AS ms FROM faults WHERE session_id = ? AND kind = 'slow_link' AND until > ?`,
        sessionId,
        clock.now(),
      )?.ms ?? 0,
    takeForDownload: (sessionId) => take(sessionId, ['media_download']) !== undefined,
  };
}

const refusalBy = ({ code, reason_code, expire_seconds }: FaultRow): LoginRefusal => ({
  reason: code ?? UNAVAILABLE,
  ...(reason_code !== null && { code: reason_code }),
  ...(expire_seconds !== null && { expireSeconds: expire_seconds }),
});
