import pg from 'pg';
import type { StoreLog } from '../types.ts';

interface PoolOptions {
  readonly url: string;
  readonly max: number;
  /** Settings of every session, on top of the server's own. */
  readonly settings: Readonly<Record<string, string>>;
  /** How long one statement may take; without it, as long as it needs. */
  readonly statementMs?: number;
  readonly log: StoreLog | undefined;
}

const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;

export function createPool({ url, max, settings, statementMs, log }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'parley',
    keepAlive: true,
    // Statements that are sent without waiting for each other share one way to the server and back.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: { getTypeParser },
    // The server gives up first and says so; the client's own limit is for a server that went silent.
    ...(statementMs && { statement_timeout: statementMs, query_timeout: 2 * statementMs }),
  });
  // A connection that dies while nobody waits for its answer reports here, and would end the process if nobody listened.
  const lost = (): void => log?.warn({}, 'A connection to PostgreSQL was lost.');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

const oid = { boolean: 16, bytes: 17, int8: 20, numeric: 1700 };

/** The same JavaScript values as SQLite gives: numbers for integers and sums, 0 and 1 for truth, Uint8Array for bytes. */
function getTypeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  switch (type) {
    case oid.boolean:
      return (text) => (text === 't' ? 1 : 0);
    case oid.bytes:
      return toBytes;
    case oid.int8:
      return toSafeInteger;
    case oid.numeric:
      return Number;
    default:
      return pg.types.getTypeParser(type, format ?? 'text');
  }
}

function toBytes(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text.slice('\\x'.length), 'hex');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError('An integer from the database is too large for a number.');
  return value;
}
