import { sql } from 'kysely';
import { erase, type Reader, type Store } from '#platform/store';
import type { DataCategory, Scope } from './catalogue.ts';

/** Small steps, so that none holds up the writes behind it for long. */
const PER_PAGE = 500;
/** Rows scanned by a window. */
const PER_WINDOW = 2_000;

export type Row = Readonly<Record<string, unknown>>;
/** Key values of a row. */
export type Place = readonly unknown[];
type Where = Pick<DataCategory, 'table' | 'column' | 'key' | 'walked'>;

/** Ids of that kind that an account has. */
export async function idsOf(read: Reader, scope: Scope, accountId: string): Promise<string[]> {
  switch (scope) {
    case 'account':
      return [accountId];
    case 'number':
      return column(read.selectFrom('devices').select('slot_id as id').where('account_id', '=', accountId));
    case 'member':
      return column(read.selectFrom('members').select('id').where('account_id', '=', accountId));
    case 'invitation':
      return column(read.selectFrom('invitations').select('id').where('account_id', '=', accountId));
    case 'history':
      return walkedIds(read, 'histories', accountId);
    case 'media':
      return walkedIds(read, 'media', accountId);
    case 'link':
      return linksOf(read, accountId);
  }
}

async function column(query: { execute(): Promise<{ id: string }[]> }): Promise<string[]> {
  return (await query.execute()).map(({ id }) => id);
}

async function walkedIds(read: Reader, table: 'histories' | 'media', accountId: string): Promise<string[]> {
  const ids: string[] = [];
  const where = { table, column: 'account_id', key: ['id'], walked: true } as const;
  for await (const { rows } of pagesOf(read, where, accountId, ['id'])) {
    for (const { id } of rows) ids.push(String(id));
  }
  return ids;
}

/** Links of its current and former sessions, and of its pairing attempts. */
async function linksOf(read: Reader, accountId: string): Promise<string[]> {
  const slots = await idsOf(read, 'number', accountId);
  const found = new Set<string>();
  for (const slotId of slots) {
    for (const table of ['sessions', 'number_health'] as const) {
      const row = await read
        .selectFrom(table)
        .select('link_id')
        .where('slot_id', '=', slotId)
        .executeTakeFirst();
      if (row) found.add(row.link_id);
    }
  }
  const tried = { table: 'onboardings', column: 'account_id', key: ['id'], walked: true } as const;
  for await (const { rows } of pagesOf(read, tried, accountId, ['link_id'])) {
    for (const { link_id } of rows) found.add(String(link_id));
  }
  return [...found];
}

interface Page {
  readonly rows: Row[];
  /** Bounds of the window: after the first, up to the last. */
  readonly after: Place | undefined;
  readonly upTo: Place;
}

/** The rows of one id, page by page; each statement scans a bounded number of rows. */
export async function* pagesOf(
  read: Reader,
  where: Where,
  id: string,
  columns?: readonly string[],
  /** The first page starts after this position. */
  behind?: Place,
): AsyncGenerator<Page> {
  const wanted = columns
    ? sql.join([...new Set([...columns, ...where.key])].map((name) => sql.ref(name)))
    : sql`*`;
  for (let after = behind; ; ) {
    const window = where.walked ? await endOfWindow(read, where, after) : undefined;
    if (where.walked && !window) return;
    const { rows } = await sql<Row>`
      select ${wanted} from ${sql.table(where.table)} where ${within(where, id, after, window)}
      order by ${keyOf(where)} ${where.walked ? sql`` : sql`limit ${PER_PAGE}`}`.execute(read);
    const last = rows.at(-1);
    const upTo = window ?? (last && where.key.map((name) => last[name]));
    if (!upTo) return;
    yield { rows, after, upTo };
    if (!where.walked && rows.length < PER_PAGE) return;
    after = upTo;
  }
}

async function endOfWindow(read: Reader, where: Where, after: Place | undefined): Promise<Place | undefined> {
  const behind = after ? sql`where (${keyOf(where)}) > (${sql.join(after)})` : sql``;
  const { rows } = await sql<Row>`
    select ${keyOf(where)} from (
      select ${keyOf(where)} from ${sql.table(where.table)} ${behind} order by ${keyOf(where)} limit ${PER_WINDOW}
    ) as looked_at order by ${sql.join(where.key.map((name) => sql`${sql.ref(name)} desc`))} limit 1`.execute(
    read,
  );
  const [last] = rows;
  return last && where.key.map((name) => last[name]);
}

function keyOf({ key }: Where) {
  return sql.join(key.map((name) => sql.ref(name)));
}

function within(where: Where, id: string, after: Place | undefined, upTo: Place | undefined) {
  const key = keyOf(where);
  return sql.join(
    [
      sql`${sql.ref(where.column)} = ${id}`,
      ...(after ? [sql`(${key}) > (${sql.join(after)})`] : []),
      ...(upTo ? [sql`(${key}) <= (${sql.join(upTo)})`] : []),
    ],
    sql` and `,
  );
}

/** Deletes the rows of one id in steps, one transaction each; returns their number. */
export async function eraseRows(
  store: Pick<Store, 'read' | 'transaction' | 'dialect'>,
  where: Where,
  id: string,
  stopping?: AbortSignal,
): Promise<number> {
  let erased = 0;
  for await (const { rows, after, upTo } of pagesOf(store.read, where, id, where.key)) {
    if (stopping?.aborted) break;
    if (rows.length === 0) continue;
    await erase(store, (trx) =>
      sql`delete from ${sql.table(where.table)} where ${within(where, id, after, upTo)}`.execute(trx),
    );
    erased += rows.length;
  }
  return erased;
}
