import type { ConnectionChange } from '@parley/contract';
import {
  type AuditNote,
  openSqliteAudit,
  recordInPostgres,
  takeTurnInPostgres,
} from '#accounts/write-commands';
import { type PreparedEvent, writeEvents } from '#events/write-commands';
import { type HealthNote, noteInPostgres, openSqliteHealth } from '#health/write-commands';
import type { Command, PgStatement, SessionRow } from '#platform/store';
import { defineBatch } from '#platform/store/batch';
import type { Reason } from './status.ts';

/** A change of a connection, its effect on the number's health, and its event: written together or not at all. */
export interface ConnectionWrite {
  readonly slotId: string;
  readonly fence: number;
  readonly status: SessionRow['status'];
  readonly since: number;
  readonly reported: ConnectionChange | null;
  /** Why there is no connection, where known. */
  readonly why: Reason | null;
  readonly events: readonly PreparedEvent[];
  readonly health: readonly HealthNote[];
}

/** False when another host has taken over or the link is gone; then nothing was written. */
export const writeConnection: Command<ConnectionWrite, boolean> = {
  name: 'sessions.connection',

  sqlite(db) {
    const update = db.prepare(
      `UPDATE sessions SET status = ?, since = ?, reported = ?, reason = ?, reason_detail = ?, reason_until = ?,
              worker = CASE WHEN ? = 'logged_out' THEN NULL ELSE worker END
       WHERE slot_id = ? AND fence = ?`,
    );
    const write = writeEvents.sqlite(db);
    const { note } = openSqliteHealth(db);
    return (items) =>
      items.map(({ slotId, fence, status, since, reported, why, events, health }) => {
        const { reason = null, detail = null, until = null } = why ?? {};
        const values = [status, since, reported, reason, detail, until, status, slotId, fence];
        if (update.run(...values).changes === 0) return false;
        write(events);
        note(health);
        return true;
      });
  },

  async postgres(client, items) {
    await client.look(lockSessions, [items.map(({ slotId }) => slotId)]);
    const { rows } = await client.query<{ place: number }>(updateSessions, changes.arrays(items));
    const written = new Set(rows.map(({ place }) => place));
    const accepted = items.filter((_, index) => written.has(index + 1));
    await writeEvents.postgres(
      client,
      accepted.flatMap(({ events }) => events),
    );
    await noteInPostgres(
      client,
      accepted.flatMap(({ health }) => health),
    );
    return items.map((_, index) => written.has(index + 1));
  },
};

const changes = defineBatch<ConnectionWrite>(
  { slotId: 'text', fence: 'bigint', status: 'text', since: 'bigint', reported: 'text' },
  {
    reason: ['text', ({ why }) => why?.reason ?? null],
    detail: ['text', ({ why }) => why?.detail ?? null],
    until: ['bigint', ({ why }) => why?.until ?? null],
  },
);

/** Locks in one order: two batches with the same sessions must not wait for each other. */
const lockSessions: PgStatement = {
  name: 'sessions.connection.lock',
  text: 'SELECT slot_id FROM sessions WHERE slot_id = ANY($1::text[]) ORDER BY slot_id FOR NO KEY UPDATE',
};
const updateSessions: PgStatement = {
  name: 'sessions.connection.update',
  text: `UPDATE sessions s SET status = d.status, since = d.since, reported = d.reported,
                reason = d.reason, reason_detail = d.detail, reason_until = d.until,
                worker = CASE WHEN d.status = 'logged_out' THEN NULL ELSE s.worker END
         FROM ${changes.relation('d')}
         WHERE s.slot_id = d.slot_id AND s.fence = d.fence RETURNING d.place`,
};

/** End of a link at its owner's wish. */
export interface LinkEnd {
  readonly slotId: string;
  readonly linkId: string;
  readonly at: number;
  /** Until then only its host may unlink it. */
  readonly hostUntil: number;
  readonly events: readonly PreparedEvent[];
  readonly health: HealthNote;
  /** Undefined where the enclosing operation has a record of its own. */
  readonly audit: AuditNote | undefined;
}

/** Removes the link from its number and queues an unlink job. False when the number has another link or none. */
export const endLink: Command<LinkEnd, boolean> = {
  name: 'sessions.end',

  sqlite(db) {
    const remove = db.prepare<{ fence: number }>(
      'DELETE FROM sessions WHERE slot_id = ? AND link_id = ? RETURNING fence',
    );
    const leave = db.prepare(
      'INSERT INTO ending_links (link_id, fence, since, taken_until) VALUES (?, ?, ?, ?)',
    );
    const write = writeEvents.sqlite(db);
    const { note } = openSqliteHealth(db);
    const record = openSqliteAudit(db);
    return (items) =>
      items.map(({ slotId, linkId, at, hostUntil, events, health, audit }) => {
        const removed = remove.get(slotId, linkId);
        if (!removed) return false;
        leave.run(linkId, removed.fence + 1, at, hostUntil);
        write(events);
        note([health]);
        if (audit) record(audit);
        return true;
      });
  },

  async postgres(client, items) {
    if (items.some(({ audit }) => audit)) await takeTurnInPostgres(client);
    await client.look(lockSessions, [items.map(({ slotId }) => slotId)]);
    const { rows } = await client.query<{ link_id: string }>(endLinks, linkEnds.arrays(items));
    const ended = new Set(rows.map((row) => row.link_id));
    // Of two that end the same link, only the first did it.
    const accepted = items.map(({ linkId }) => ended.delete(linkId));
    await writeEvents.postgres(
      client,
      items.flatMap(({ events }, index) => (accepted[index] ? events : [])),
    );
    await noteInPostgres(
      client,
      items.flatMap(({ health }, index) => (accepted[index] ? [health] : [])),
    );
    await recordInPostgres(
      client,
      items.flatMap(({ audit }, index) => (accepted[index] && audit ? [audit] : [])),
    );
    return accepted;
  },
};

const linkEnds = defineBatch<LinkEnd>({ slotId: 'text', linkId: 'text', at: 'bigint', hostUntil: 'bigint' });

const endLinks: PgStatement = {
  name: 'sessions.end.write',
  text: `WITH removed AS (
           DELETE FROM sessions s USING ${linkEnds.relation('d')}
           WHERE s.slot_id = d.slot_id AND s.link_id = d.link_id RETURNING s.link_id, s.fence, d.at, d.host_until)
         INSERT INTO ending_links (link_id, fence, since, taken_until) SELECT link_id, fence + 1, at, host_until FROM removed RETURNING link_id`,
};

export const commands = [writeConnection, endLink];
