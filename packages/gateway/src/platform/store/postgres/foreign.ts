import { settled } from '#kernel';

const WITHIN_MS = 10_000;
const NO_TABLE = '42P01';

/** Why another program's database could not be read. */
export class ForeignDatabaseError extends Error {
  /** It is reachable, but belongs to something else. */
  readonly isOfSomethingElse: boolean;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.isOfSomethingElse = (cause as { code?: unknown } | undefined)?.code === NO_TABLE;
  }
}

/** Runs one query on another program's PostgreSQL database, read-only. `?schema=` of the address names the schema of its tables. */
export async function readForeignDatabase<Row extends object>(address: URL, query: string): Promise<Row[]> {
  const url = new URL(address);
  const schema = url.searchParams.get('schema') ?? 'public';
  url.searchParams.delete('schema');
  // Loaded on demand: most gateways have an embedded database.
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
    options: '-c default_transaction_read_only=on',
  });
  try {
    await client.connect();
    await client.query(`SET search_path TO ${client.escapeIdentifier(schema)}`);
    return (await client.query<Row>(query)).rows;
  } catch (error) {
    throw new ForeignDatabaseError(error);
  } finally {
    // The result is complete; a connection that ends badly does not change it.
    await settled(client.end());
  }
}
