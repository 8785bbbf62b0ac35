import type { QueryConfig, QueryResult } from 'pg';
import { awaitedLater, settled } from '#kernel';
import type { Link } from '../driver.ts';
import { StoreError } from '../errors.ts';
import type { PgAnswer, PgSession, PgStatement } from '../types.ts';
import { leavesConnectionUsable, leavesOutcomeUnknown, postgresFailure, provesRollback } from './failures.ts';
import type { PgPool } from './pool.ts';

export interface PgLink extends Link {
  readonly session: PgSession;
  /** Error of the first refused statement that was sent without waiting; later ones failed only as a consequence. */
  refusal(): Promise<StoreError | undefined>;
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Reserves a connection of the pool. One that ends in an unknown state is closed, not returned. */
export async function acquireLink(pool: PgPool, onRelease?: () => void): Promise<PgLink> {
  const client = await pool.connect().catch((error: unknown) => {
    onRelease?.();
    throw postgresFailure(error);
  });
  const unawaited: Promise<unknown>[] = [];
  let usable = true;
  let begun: Promise<unknown> = Promise.resolve();
  let hasBegun = false;

  async function send(query: QueryConfig): Promise<QueryResult> {
    try {
      return await client.query(query);
    } catch (error) {
      usable &&= leavesConnectionUsable(error);
      throw error;
    }
  }

  async function answer(query: QueryConfig): Promise<QueryResult> {
    try {
      return await send(query);
    } catch (error) {
      throw postgresFailure(error);
    }
  }

  async function run<Row>({ name, text }: PgStatement, values: unknown[]): Promise<PgAnswer<Row>> {
    const { rows, rowCount } = await answer({
      ...(pool.keepsStatements && { name }),
      text,
      values: values.map(asParameter),
    });
    return { rows, changes: rowCount ?? 0 };
  }

  async function refusal(): Promise<StoreError | undefined> {
    return (await Promise.all(unawaited)).find((outcome) => outcome instanceof StoreError);
  }

  return {
    refusal,
    session: {
      // Without a begun transaction a statement would commit on its own.
      query: (statement, values) =>
        hasBegun ? run(statement, values) : begun.then(() => run(statement, values)),
      look: run,
      send(statement, values) {
        if (!hasBegun) throw new TypeError(`${statement.name} was sent before anything was answered.`);
        unawaited.push(run(statement, values).catch((error: unknown) => error));
      },
    },
    async query(text, parameters) {
      const { rows, rowCount, command } = await answer({ text, values: [...parameters] });
      return { rows, changes: changing.has(command) ? (rowCount ?? 0) : undefined };
    },
    begin() {
      const beginning = answer({ text: pool.begin }).then(() => {
        hasBegun = true;
      });
      // A caller that does not await this gets the failure with its next statement, or with the commit.
      awaitedLater(beginning);
      begun = beginning;
      return beginning;
    },
    async commit() {
      await begun;
      let isInDoubt = false;
      const onNotice = (notice: { readonly code: string | undefined }): void => {
        isInDoubt ||= leavesOutcomeUnknown(notice);
      };
      client.on('notice', onNotice);
      const outcome = await send({ text: 'COMMIT' })
        .catch((error: unknown) => {
          if (provesRollback(error)) throw postgresFailure(error);
          usable = false;
          throw unknownCommit('The connection to PostgreSQL failed while it was committing.');
        })
        .finally(() => client.off('notice', onNotice));
      if (isInDoubt) throw unknownCommit('The standby of PostgreSQL did not confirm a commit in time.');
      // When a statement has failed, PostgreSQL answers COMMIT with ROLLBACK, not with an error.
      if (outcome.command !== 'COMMIT') {
        const rolledBack = 'An earlier statement failed, so PostgreSQL rolled the transaction back.';
        throw (await refusal()) ?? new StoreError('statement_failed', rolledBack);
      }
    },
    async rollback() {
      // If it fails, the connection is gone, and PostgreSQL rolls back.
      if (usable) await settled(send({ text: 'ROLLBACK' }));
    },
    release() {
      client.release(!usable);
      onRelease?.();
    },
  };
}

function unknownCommit(why: string): StoreError {
  return new StoreError('commit_unknown', why);
}

function asParameter(value: unknown): unknown {
  return Array.isArray(value) ? arrayLiteral(value) : value;
}

/** Runs work on a connection and returns the connection afterwards. */
export async function withLink<T>(
  acquire: () => Promise<PgLink>,
  work: (link: PgLink) => Promise<T>,
): Promise<T> {
  const link = await acquire();
  try {
    return await work(link);
  } finally {
    link.release();
  }
}

/** Runs work in a transaction: commits when it succeeds, rolls back when it fails. */
export function transact<T>(acquire: () => Promise<PgLink>, work: (link: PgLink) => Promise<T>): Promise<T> {
  return withLink(acquire, async (link) => {
    try {
      const result = await work(link);
      await link.commit();
      return result;
    } catch (error) {
      await link.rollback();
      throw error;
    }
  });
}

/** Value types of a batch column. */
type ArrayElement = string | number | boolean | Uint8Array | null | undefined;

const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;

/** Array literal of a column. The client library's own takes three times as long, and a batch of sends has two dozen of them. */
export function arrayLiteral(elements: readonly ArrayElement[]): string {
  let literal = '{';
  for (let index = 0; index < elements.length; index++) {
    if (index > 0) literal += ',';
    literal += elementLiteral(elements[index]);
  }
  return `${literal}}`;
}

function elementLiteral(element: ArrayElement): string {
  if (element === null || element === undefined) return 'NULL';
  if (typeof element === 'string') return quoted(element);
  if (typeof element === 'object') return `"\\\\x${hex(element)}"`;
  return String(element);
}

function quoted(text: string): string {
  return SPECIAL.test(text) ? `"${text.replace(EACH_SPECIAL, '\\$&')}"` : `"${text}"`;
}

function hex({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
