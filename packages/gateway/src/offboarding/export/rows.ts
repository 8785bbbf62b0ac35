import { openMark, openMessage } from '#conversations';
import { openPayload } from '#events';
import type { BoxOpener, Random, SealedBox } from '#kernel';
import { openDetails } from '#media';
import type { HistoryMarkRow, HistoryMessageRow, MediaRow, Tables } from '#platform/store';
import { DATA_CATEGORIES, type DataCategory } from '../data-categories/catalogue.ts';
import { idsOf, type Place, pagesOf, type Row } from '../data-categories/category-queries.ts';

/** Keys that open the content. */
export interface Keys {
  readonly boxes: BoxOpener;
  readonly accountId: string;
  readonly accountBox: SealedBox;
  readonly accountKey: Uint8Array;
  readonly random: Pick<Random, 'bytes'>;
  readonly openTemplate: TemplateOpener;
}

/** Reads a message template that a surface keeps sealed. */
export type TemplateOpener = (accountId: string, sealed: Uint8Array) => unknown;

/** Opens sealed content of these tables. */
const OPENED: Partial<Record<keyof Tables, (row: Row, keys: Keys) => Row>> = {
  history_messages: ({ sealed, ...row }, { accountBox }) => ({
    ...row,
    content: sealed && openMessage(accountBox, row as unknown as HistoryMessageRow, sealed as Uint8Array),
  }),
  history_marks: ({ sealed, ...row }, { accountBox }) => ({
    ...row,
    content: sealed && openMark(accountBox, row as unknown as HistoryMarkRow, sealed as Uint8Array),
  }),
  events: ({ sealed, body, ...row }, { boxes }) => ({
    ...row,
    event: JSON.parse(
      openPayload(boxes, {
        seq: Number(row.seq),
        slot_id: String(row.slot_id),
        key: String(row.key),
        body: String(body),
        sealed: sealed as Uint8Array | null,
      }),
    ),
  }),
  media({ details, ...row }, { accountKey, random }) {
    const file = { id: String(row.id), details } as Pick<MediaRow, 'id' | 'details'>;
    const { ref: _, ...said } = openDetails(accountKey, random, file);
    return { ...row, ...said };
  },
  compat_templates: ({ definition, ...row }, { openTemplate, accountId }) => ({
    ...row,
    definition: openTemplate(accountId, definition as Uint8Array),
  }),
};

export type Exported = DataCategory & { readonly exported: { readonly without: readonly string[] } };

/** Tables of an export, in its order. */
export const EXPORTED = DATA_CATEGORIES.filter((holding): holding is Exported => holding.exported !== 'none');

/** Position after a row of an id of a table. */
export interface RowPlace {
  readonly id: string;
  readonly after: Place;
}

interface Lines {
  readonly bytes: Buffer;
  readonly rows: number;
  readonly upTo: RowPlace;
}

/** The rows of one table as lines of JSON, a page at a time, from the beginning or after a position. */
export async function* linesOf(
  read: Parameters<typeof pagesOf>[0],
  { table, exported: { without }, ...where }: Exported,
  keys: Keys,
  { from, hidden }: { readonly from?: RowPlace | undefined; readonly hidden: ReadonlySet<string> },
): AsyncGenerator<Lines> {
  const open = OPENED[table] ?? ((row: Row) => row);
  const ids = (await idsOf(read, where.of, keys.accountId)).toSorted();
  for (const id of from ? ids.filter((each) => each >= from.id) : ids) {
    const behind = from?.id === id ? from.after : undefined;
    for await (const page of pagesOf(read, { table, ...where }, id, undefined, behind)) {
      const rows = table === 'media' ? page.rows.filter((row) => !hidden.has(String(row.id))) : page.rows;
      const lines = rows.map((row) => {
        const columns = Object.entries(open(row, keys)).filter(([name]) => !without.includes(name));
        return `${JSON.stringify(Object.fromEntries(columns))}\n`;
      });
      yield { bytes: Buffer.from(lines.join('')), rows: rows.length, upTo: { id, after: page.upTo } };
    }
  }
}
