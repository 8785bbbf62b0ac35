import type { Ground } from './ground.ts';
import type { PostOffice } from './mailbox.ts';
import { type FaultKind, type FaultOrder, WorldError } from './types.ts';
import type { Faults } from './world.ts';

interface FaultRow {
  id: number;
  kind: FaultKind;
  remaining: number;
  ms: number;
  until: number;
}

interface FaultsNeeds {
  ground: Ground;
  post: PostOffice;
}

const SENDING: readonly FaultKind[] = ['send_transient', 'send_permanent', 'slow', 'no_ack'];

/** Faults that were ordered and not used up yet. They are kept, so a restart does not heal a link. */
export function createFaults({ ground, post }: FaultsNeeds): Faults {
  const { db, clock } = ground;

  const useUp = (row: FaultRow): void => {
    if (row.remaining > 1) db.run('UPDATE faults SET remaining = remaining - 1 WHERE id = ?', row.id);
    else db.run('DELETE FROM faults WHERE id = ?', row.id);
  };

  const oldest = (sessionId: string, condition: string): FaultRow | undefined =>
    db.get<FaultRow>(
      `SELECT * FROM faults WHERE session_id = ? AND ${condition} ORDER BY id LIMIT 1`,
      sessionId,
    );

  const take = (sessionId: string, kinds: readonly FaultKind[]): FaultOrder | undefined =>
    ground.act(() => {
      const row = oldest(sessionId, `kind IN (${kinds.map((kind) => `'${kind}'`)})`);
      if (!row) return undefined;
      useUp(row);
      return { kind: row.kind, count: 1, ms: row.ms };
    });

  return {
    arm(sessionId, { kind, count, ms }) {
      ground.act(() => {
        if (!db.get('SELECT 1 FROM devices WHERE session_id = ?', sessionId)) {
          throw new WorldError('not_found', `${sessionId} is not linked`);
        }
        const cutsNow = kind === 'disconnect' && post.isAttached(sessionId);
        const remaining = cutsNow ? count - 1 : count;
        if (remaining > 0 || ms > 0) {
          db.run(
            'INSERT INTO faults (session_id, kind, remaining, ms, until) VALUES (?, ?, ?, ?, ?)',
            sessionId,
            kind,
            remaining,
            ms,
            clock.now() + ms,
          );
        }
        if (cutsNow) ground.afterCommit(`cut ${sessionId}`, () => post.hangUp(sessionId, 'fault'));
      });
    },
    refusesLogin: (sessionId) =>
      ground.act(() => {
        const row = oldest(sessionId, "kind = 'disconnect'");
        if (!row) return false;
        if (clock.now() < row.until) return true;
        useUp(row);
        return row.remaining > 0;
      }),
    takeForSend: (sessionId) => take(sessionId, SENDING),
    takeForAnswer: (sessionId) => take(sessionId, ['slow']),
    takeForDownload: (sessionId) => take(sessionId, ['media_download']) !== undefined,
  };
}
