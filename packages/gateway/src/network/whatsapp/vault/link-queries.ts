import type { Store } from '#platform/store';

const LINKS_AT_ONCE = 200;

async function* linkIds({ read }: Pick<Store, 'read'>): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await read
      .selectFrom('network_links')
      .select('link_id')
      .where('link_id', '>', after)
      .orderBy('link_id')
      .limit(LINKS_AT_ONCE)
      .execute();
    for (const { link_id } of rows) yield link_id;
    const last = rows.at(-1);
    if (!last) return;
    after = last.link_id;
  }
}

/** Infrequent reads and writes of links; the hot path is `write-commands.ts`. */
export function createLinkStore(store: Pick<Store, 'read' | 'transaction'>) {
  return {
    async create(linkId: string, creds: Uint8Array, at: number): Promise<void> {
      await store.transaction((trx) =>
        trx
          .insertInto('network_links')
          .values({ link_id: linkId, fence: 0, creds, created_at: at })
          .onConflict((conflict) => conflict.column('link_id').doUpdateSet({ creds }))
          .execute(),
      );
    },

    /**
     * Makes `fence` the newest owner and returns the credentials; undefined when there is a newer owner or no
     * such link.
     */
    async claim(linkId: string, fence: number): Promise<Uint8Array | undefined> {
      const row = await store.transaction((trx) =>
        trx
          .updateTable('network_links')
          .set({ fence })
          .where('link_id', '=', linkId)
          .where('fence', '<=', fence)
          .returning('creds')
          .executeTakeFirst(),
      );
      return row?.creds;
    },

    async exists(linkId: string): Promise<boolean> {
      const row = await store.read
        .selectFrom('network_links')
        .select('link_id')
        .where('link_id', '=', linkId)
        .executeTakeFirst();
      return row !== undefined;
    },

    async forget(linkId: string): Promise<void> {
      await store.transaction(async (trx) => {
        await trx.deleteFrom('network_links').where('link_id', '=', linkId).execute();
        await trx.deleteFrom('network_records').where('link_id', '=', linkId).execute();
        await trx.deleteFrom('network_journal').where('link_id', '=', linkId).execute();
      });
    },

    records: (linkId: string, kind: string, ids: readonly string[]) =>
      store.read
        .selectFrom('network_records')
        .select(['id', 'value'])
        .where('link_id', '=', linkId)
        .where('kind', '=', kind)
        .where('id', 'in', ids)
        .execute(),

    recordsOfKind: (linkId: string, kind: string) =>
      store.read
        .selectFrom('network_records')
        .select(['id', 'value'])
        .where('link_id', '=', linkId)
        .where('kind', '=', kind)
        .orderBy('id')
        .execute(),

    arrival: (linkId: string, digest: string) =>
      store.read
        .selectFrom('network_journal')
        .select(['digest', 'value'])
        .where('link_id', '=', linkId)
        .where('digest', '=', digest)
        .executeTakeFirst(),

    waitingArrivals: (linkId: string, limit: number) =>
      store.read
        .selectFrom('network_journal')
        .select(['digest', 'seq', 'value'])
        .where('link_id', '=', linkId)
        .where('taken_at', 'is', null)
        .orderBy('seq')
        .limit(limit)
        .execute(),

    /**
     * Deletes a batch of the oldest records of a kind of each link that has more than `most`. Returns whether a link
     * may still have more.
     */
    async trim({ kind, most, limit }: { kind: string; most: number; limit: number }): Promise<boolean> {
      let hasMore = false;
      for await (const linkId of linkIds(store)) {
        // Link by link, by the key: a count over all links would read the whole table.
        const { count } = await store.read
          .selectFrom('network_records')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('link_id', '=', linkId)
          .where('kind', '=', kind)
          .executeTakeFirstOrThrow();
        const over = Math.min(limit, Number(count) - most);
        if (over <= 0) continue;
        const { numDeletedRows } = await store.transaction((trx) => {
          const oldest = trx
            .selectFrom('network_records')
            .select('id')
            .where('link_id', '=', linkId)
            .where('kind', '=', kind)
            .orderBy('expires_at')
            .orderBy('id')
            .limit(over);
          return trx
            .deleteFrom('network_records')
            .where('link_id', '=', linkId)
            .where('kind', '=', kind)
            .where('id', 'in', oldest)
            .executeTakeFirstOrThrow();
        });
        hasMore ||= Number(numDeletedRows) === limit;
      }
      return hasMore;
    },

    /** Deletes a batch of expired rows, small enough not to block other writes. Returns whether there are more. */
    async sweep({
      now,
      takenBefore,
      limit,
    }: {
      now: number;
      takenBefore: number;
      limit: number;
    }): Promise<boolean> {
      return store.transaction(async (trx) => {
        const expired = trx
          .selectFrom('network_records')
          .select(['link_id', 'kind', 'id'])
          .where('expires_at', '<', now)
          .limit(limit);
        const records = await trx
          .deleteFrom('network_records')
          .where(({ eb, refTuple }) =>
            eb(refTuple('link_id', 'kind', 'id'), 'in', expired.$asTuple('link_id', 'kind', 'id')),
          )
          .executeTakeFirstOrThrow();
        const taken = trx
          .selectFrom('network_journal')
          .select(['link_id', 'digest'])
          .where('taken_at', '<', takenBefore)
          .limit(limit);
        const arrivals = await trx
          .deleteFrom('network_journal')
          .where(({ eb, refTuple }) =>
            eb(refTuple('link_id', 'digest'), 'in', taken.$asTuple('link_id', 'digest')),
          )
          .executeTakeFirstOrThrow();
        return [records, arrivals].some(({ numDeletedRows }) => Number(numDeletedRows) === limit);
      });
    },
  };
}

export type LinkStore = ReturnType<typeof createLinkStore>;

/** Upper bound of the count, so that its cost does not grow with the backlog. */
const COUNTED_UP_TO = 20_000;

/** Arrivals of all links that are not events yet. */
export async function journalBacklog({ read }: Pick<Store, 'read'>): Promise<number> {
  const waiting = read
    .selectFrom('network_journal')
    .select('seq')
    .where('taken_at', 'is', null)
    .limit(COUNTED_UP_TO);
  const found = await read
    .selectFrom(waiting.as('waiting'))
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return Number(found?.count ?? 0);
}
