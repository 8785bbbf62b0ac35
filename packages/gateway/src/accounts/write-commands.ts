import { createHash } from 'node:crypto';
import type { AnyCommand, PgSession, PgStatement, SqliteSession } from '#platform/store';
import type { Change } from './audit/change.ts';

/** An entry of the audit log that a command writes together with what it changes; see `record` for transactions. */
export interface AuditNote extends Change {
  readonly at: number;
}

/** Changes that are audited take turns by it, in all processes together: see `auditedTransaction`. */
export const CHANGE_LOCK = createHash('sha256').update('parley accounts').digest().readInt32BE();

const valuesOf = ({ at, actor, accountId, action, subject, detail = {} }: AuditNote) =>
  [at, actor, accountId, action, subject, JSON.stringify(detail)] as const;

const insertEntry = (places: string) =>
  `INSERT INTO audit_log (number, at, actor, account_id, action, subject, detail)
   SELECT coalesce((SELECT max(number) FROM audit_log), 0) + 1, ${places}`;

export function openSqliteAudit(db: SqliteSession): (note: AuditNote) => void {
  const insert = db.prepare(insertEntry('?, ?, ?, ?, ?, ?'));
  return (note) => {
    insert.run(...valuesOf(note));
  };
}

/** Takes the change lock. Call it before any other lock, as changes of an account do. */
export async function takeTurnInPostgres(client: PgSession): Promise<void> {
  await client.look(takeTurn, [CHANGE_LOCK]);
}

/** Within a turn. */
export async function recordInPostgres(client: PgSession, notes: readonly AuditNote[]): Promise<void> {
  for (const note of notes) await client.query(insertInPostgres, [...valuesOf(note)]);
}

const takeTurn: PgStatement = { name: 'audit.turn', text: 'SELECT pg_advisory_xact_lock($1)' };
const insertInPostgres: PgStatement = {
  name: 'audit.record',
  text: insertEntry('$1::bigint, $2::text, $3::text, $4::text, $5::text, $6::text'),
};

/** None of its own: the commands of other rooms write audit entries with the functions above. */
export const commands: readonly AnyCommand[] = [];
