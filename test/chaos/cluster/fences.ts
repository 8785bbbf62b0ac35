import pg from 'pg';

/**
 * Checks inside the database that only owners write. Each member names its connections (`application_name`), and triggers record
 * for every guarded write the writer and the owner at that moment: the host of the session or, for what arrives from the network,
 * the last member that took over the link.
 */
export interface FenceWatch {
  /** Counts of guarded writes, of their hosts, and of writes by others than the owner. */
  verdict(): Promise<{ readonly writes: number; readonly stale: number; readonly hosts: number }>;
  close(): Promise<void>;
}

export function signed(databaseUrl: string, member: number): string {
  return `${databaseUrl}?application_name=member-${member}`;
}

const WATCH = `
  CREATE TABLE watched_workers (worker text PRIMARY KEY, member text NOT NULL);
  CREATE TABLE watched_links (link_id text PRIMARY KEY, member text NOT NULL);
  CREATE TABLE watched_writes (what text NOT NULL, subject text NOT NULL, fence bigint, owner text, writer text NOT NULL);

  CREATE FUNCTION watch_worker() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_workers VALUES (NEW.worker, current_setting('application_name')); RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER INSERT ON workers FOR EACH ROW EXECUTE FUNCTION watch_worker();

  CREATE FUNCTION watch_link() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_links VALUES (NEW.link_id, current_setting('application_name'))
      ON CONFLICT (link_id) DO UPDATE SET member = excluded.member; RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER INSERT OR UPDATE OF fence ON network_links FOR EACH ROW EXECUTE FUNCTION watch_link();

  CREATE FUNCTION watch_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_writes SELECT 'session', NEW.slot_id, NEW.fence, member, current_setting('application_name')
      FROM watched_workers WHERE worker = NEW.worker; RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER UPDATE ON sessions FOR EACH ROW WHEN (OLD.worker = NEW.worker) EXECUTE FUNCTION watch_session();

  CREATE FUNCTION watch_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_writes SELECT 'outbox', slot_id, fence, member, current_setting('application_name')
      FROM sessions JOIN watched_workers USING (worker) WHERE slot_id = OLD.slot_id; RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER UPDATE OR DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION watch_outbox();

  CREATE FUNCTION watch_journal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_writes SELECT 'journal', link_id, NULL, member, current_setting('application_name')
      FROM watched_links WHERE link_id = NEW.link_id; RETURN NULL;
  END $$;
  CREATE TRIGGER watch AFTER INSERT ON network_journal FOR EACH ROW EXECUTE FUNCTION watch_journal();
`;

const VERDICT = `
  SELECT count(*)::int AS writes, count(DISTINCT (subject, fence)) FILTER (WHERE fence IS NOT NULL)::int AS hosts,
         count(*) FILTER (WHERE owner <> writer)::int AS stale
  FROM watched_writes`;

/** Start it while no member hosts anything yet. */
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
