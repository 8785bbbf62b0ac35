import { sql } from 'kysely';
import { containsText, type Store } from '#platform/store';
import { type Position, visible } from '../event-log-queries.ts';

type Log = Pick<Store, 'read' | 'dialect'>;

const COLUMNS = ['tx', 'seq', 'event_id', 'slot_id', 'kind', 'at', 'body'] as const;

/** An event of the account, with its redacted payload; undefined when it has left the log. */
export function eventAt(store: Log, accountId: string, { tx, seq }: Position) {
  return visible(store)
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where('tx', '=', tx)
    .where('seq', '=', seq)
    .executeTakeFirst();
}

/** A message to a large group has thousands; readers show no more than this. */
const NAMED_MAX = 2_000;

/** Redacted payloads of the events of a number whose keys begin like this. */
export async function bodiesByKey(store: Log, slotId: string, beginning: string): Promise<string[]> {
  const rows = await visible(store)
    .select('body')
    .where('slot_id', '=', slotId)
    .where('key', '>=', beginning)
    .where('key', '<', `${beginning}\uffff`)
    .orderBy('key')
    .limit(NAMED_MAX)
    .execute();
  return rows.map(({ body }) => body);
}

export interface ReceivedFilter {
  readonly accountId: string;
  readonly slotId: string | undefined;
  /** What stands in the event: its message id, whom it is from. */
  readonly search?: string | undefined;
  /** Epoch milliseconds; the end does not belong to it. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly before?: Position | undefined;
  readonly limit: number;
}

/** So many events are looked at for one page at most, however few of them fit. */
const LOOKED_AT = 20_000;

/** What others have written to the account’s numbers, newest first. `next` is null when nothing older is left. */
export async function searchReceived(store: Log, filter: ReceivedFilter) {
  const { accountId, slotId, search, from, until, before, limit } = filter;
  const older = visible(store)
    .where('account_id', '=', accountId)
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(tx, seq) < (${before?.tx}, ${before?.seq})`),
    )
    .orderBy('tx', 'desc')
    .orderBy('seq', 'desc');
  const end: Position | undefined = await older
    .select(['tx', 'seq'])
    .limit(1)
    .offset(LOOKED_AT - 1)
    .executeTakeFirst();
  const rows = await older
    .select(COLUMNS)
    .where('kind', '=', 'message')
    .where('extension', 'is', null)
    .$if(end !== undefined, (query) => query.where(sql<boolean>`(tx, seq) >= (${end?.tx}, ${end?.seq})`))
    .$if(slotId !== undefined, (query) => query.where('slot_id', '=', slotId as string))
    .$if(from !== undefined, (query) => query.where('at', '>=', from as number))
    .$if(until !== undefined, (query) => query.where('at', '<', until as number))
    .$if(search !== undefined, (query) => query.where(containsText(['event_id', 'body'], search as string)))
    .limit(limit)
    .execute();
  const last = rows.length === limit ? rows.at(-1) : end;
  return { rows, next: last ? { tx: last.tx, seq: last.seq } : null };
}
