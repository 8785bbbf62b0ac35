import pg from 'pg';
import { type PostgresServers, serversOf } from '../address.ts';
import { StoreError } from '../errors.ts';
import type { StoreLog } from '../types.ts';

export interface PoolOptions {
  readonly url: string;
  readonly max: number;
  /** Session settings, on top of the server's own. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly readOnly?: true;
  /** Timeout of one statement; unlimited if absent. */
  readonly statementMs?: number;
  readonly log: StoreLog | undefined;
}

/** Connections to the server that takes writes, among those that an address names. */
export interface PgPool extends Pick<pg.Pool, 'query' | 'end'> {
  connect(): Promise<pg.PoolClient>;
  /** Statement that begins a transaction under the settings of this pool. */
  readonly begin: string;
  /** Whether the settings also apply to a statement outside of a transaction. */
  readonly keepsSettings: boolean;
  /** Whether a named statement stays prepared. */
  readonly keepsStatements: boolean;
}

const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;

export function createPool({ url, max, settings, readOnly, statementMs, log }: PoolOptions): PgPool {
  const servers = serversOf(url);
  const { pooled } = servers;
  const turns = createTurns(servers);
  const limited = {
    ...settings,
    ...(statementMs && { statement_timeout: `${statementMs}` }),
    // Behind a pooler `default_transaction_read_only` would apply to the next transaction only.
    ...(readOnly && { [pooled ? 'transaction_read_only' : 'default_transaction_read_only']: 'on' }),
  };
  const pool = new pg.Pool({
    Client: turns.Client,
    max,
    application_name: 'parley',
    keepAlive: true,
    // Statements sent without awaiting each other share one round trip.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    // A pooler refuses startup options that it cannot undo before it lends the session to another client.
    ...(!pooled && { options: listed(limited, (name, value) => `-c ${name}=${value}`, ' ') }),
    types: { getTypeParser },
    ...(servers.seekPrimary && { onConnect: turns.refuseStandby }),
    // The server times out first and reports it; the client's own timeout is for a server that went silent.
    ...(statementMs && { query_timeout: 2 * statementMs }),
  });
  // A connection that dies while idle emits its error here; without a listener it would end the process.
  const lost = (): void => log?.warn({}, 'A connection to PostgreSQL was lost.');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return {
    query: pool.query.bind(pool),
    end: () => pool.end(),
    connect: () => turns.untilOneServes(() => pool.connect()),
    begin: pooled
      ? `BEGIN; ${listed(limited, (name, value) => `SET LOCAL ${name} = '${value}'`, '; ')}`
      : 'BEGIN',
    keepsSettings: !pooled,
    keepsStatements: !pooled,
  };
}

function listed(
  settings: Readonly<Record<string, string>>,
  one: (name: string, value: string) => string,
  between: string,
): string {
  return Object.entries(settings)
    .map(([name, value]) => one(name, value))
    .join(between);
}

/** All new connections go to the same server, until one of them has to try another. */
function createTurns({ urls }: PostgresServers) {
  let turn = 0;
  let made = 0;

  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: urls[turn] });
      made += 1;
    }
  }

  return {
    Client,
    async refuseStandby(client: pg.ClientBase): Promise<void> {
      const { rows } = await client.query('SELECT 1 WHERE pg_is_in_recovery()');
      if (rows.length > 0) throw new StoreError('unreachable', 'This PostgreSQL takes no writes.');
    },
    async untilOneServes(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
      for (let others = urls.length - 1; ; others--) {
        const [asked, madeBefore] = [turn, made];
        try {
          const connecting = connect();
          // A caller that only waited for connections of others has learned nothing about the server.
          if (made === madeBefore) others = 0;
          return await connecting;
        } catch (error) {
          if (made > madeBefore && turn === asked) turn = (turn + 1) % urls.length;
          if (others <= 0) throw error;
        }
      }
    },
  };
}

const oid = { boolean: 16, bytes: 17, int8: 20, numeric: 1700 };

/** The same JavaScript values as SQLite returns: numbers for integers and sums, 0 and 1 for booleans, Uint8Array for bytes. */
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
