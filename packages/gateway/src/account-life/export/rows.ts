import { contextOfTemplate } from '#compat';
import { openPayload } from '#event-log';
import { openMark, openMessage } from '#history';
import type { BoxOpener, Random, SealedBox } from '#kernel';
import { openDetails } from '#media';
import type { HistoryMarkRow, HistoryMessageRow, MediaRow, Tables } from '#store';
import { HOLDINGS, type Holding } from '../holdings/catalogue.ts';
import { idsOf, pagesOf, type Row } from '../holdings/store.ts';

/** What content is opened with. */
export interface Keys {
  readonly boxes: BoxOpener;
  readonly accountId: string;
  readonly accountBox: SealedBox;
  readonly accountKey: Uint8Array;
  readonly random: Pick<Random, 'bytes'>;
}

/** Content that is sealed, as what it says. */
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
  compat_templates: ({ definition, ...row }, { boxes, accountId }) => ({
    ...row,
    definition: JSON.parse(
      Buffer.from(boxes.open(definition as Uint8Array, contextOfTemplate(accountId))).toString(),
    ),
  }),
};

type Exported = Holding & { readonly exported: { readonly without: readonly string[] } };

/** The tables that an export has, in its order. */
export const EXPORTED = HOLDINGS.filter((holding): holding is Exported => holding.exported !== 'none');

/** The rows of one table as lines of JSON, a page at a time. */
export async function* linesOf(
  read: Parameters<typeof pagesOf>[0],
  { table, exported: { without }, ...where }: Exported,
  keys: Keys,
  onRows: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  const open = OPENED[table] ?? ((row: Row) => row);
  for (const id of await idsOf(read, where.of, keys.accountId)) {
    for await (const { rows } of pagesOf(read, { table, ...where }, id)) {
      const lines = rows.map((row) => {
        const told = Object.entries(open(row, keys)).filter(([name]) => !without.includes(name));
        return `${JSON.stringify(Object.fromEntries(told))}\n`;
      });
      onRows(rows.length);
      if (lines.length > 0) yield Buffer.from(lines.join(''));
    }
  }
}
