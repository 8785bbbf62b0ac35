import pg from 'pg';

/**
 * Watches, inside the database, who writes on behalf of whom. Each member signs its connections (`application_name`); triggers note the
 * member behind every worker's name, and with every write that only the host of a session may make, who made it and who the host was.
 */
export interface FenceWatch {
  /** Writes that were watched, and those that were made by somebody else than the host of that moment. */
  verdict(): Promise<{ readonly writes: number; readonly stale: number; readonly hosts: number }>;
  close(): Promise<void>;
}

export function signed(databaseUrl: string, member: number): string {
  return `${databaseUrl}?application_name=member-${member}`;
}

const WATCH = `
  CREATE TABLE watched_workers (worker text PRIMARY KEY, member text NOT NULL);
  CREATE TABLE watched_writes (what text NOT NULL, slot_id text NOT NULL, worker text, writer text NOT NULL, fence bigint);

  CREATE FUNCTION watch_worker() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_workers VALUES (NEW.worker, current_setting('application_name')); RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER INSERT ON workers FOR EACH ROW EXECUTE FUNCTION watch_worker();
  INSERT INTO watched_workers SELECT worker, 'unknown' FROM workers;

  CREATE FUNCTION watch_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_writes
      VALUES ('session', NEW.slot_id, NEW.worker, current_setting('application_name'), NEW.fence); RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER UPDATE ON sessions FOR EACH ROW WHEN (OLD.worker = NEW.worker) EXECUTE FUNCTION watch_session();

  CREATE FUNCTION watch_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_writes SELECT 'outbox', slot_id, worker, current_setting('application_name'), fence
      FROM sessions WHERE slot_id = OLD.slot_id; RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER UPDATE OR DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION watch_outbox();

  CREATE FUNCTION watch_journal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_writes SELECT 'journal', slot_id, worker, current_setting('application_name'), fence
      FROM sessions WHERE link_id = NEW.link_id; RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER INSERT ON network_journal FOR EACH ROW EXECUTE FUNCTION watch_journal();
`;

const VERDICT = `
  SELECT count(*)::int AS writes, count(*) FILTER (WHERE k.member <> w.writer)::int AS stale,
         count(DISTINCT (w.slot_id, w.fence))::int AS hosts
  FROM watched_writes w JOIN watched_workers k ON k.worker = w.worker WHERE k.member <> 'unknown'`;

/** To be started while no member hosts anything yet. */
export async function watchFences(databaseUrl: string): Promise<FenceWatch> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(WATCH);
  return {
    async verdict() {
      const { rows } = await client.query(VERDICT);
      return rows[0];
    },
    close: () => client.end(),
  };
}
