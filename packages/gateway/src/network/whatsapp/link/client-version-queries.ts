import type { Store } from '#platform/store';

/** A version of the web client, as the network published it. */
export interface KeptVersion {
  readonly version: string;
  /** Epoch ms. */
  readonly learnedAt: number;
}

const CLIENT = 'whatsapp-web';

export async function findKeptVersion({ read }: Pick<Store, 'read'>): Promise<KeptVersion | undefined> {
  const kept = await read
    .selectFrom('client_versions')
    .select(['version', 'learned_at'])
    .where('client', '=', CLIENT)
    .executeTakeFirst();
  return kept && { version: kept.version, learnedAt: kept.learned_at };
}

export async function keepVersion(
  store: Pick<Store, 'transaction'>,
  { version, learnedAt }: KeptVersion,
): Promise<void> {
  const learned = { version, learned_at: learnedAt };
  await store.transaction((trx) =>
    trx
      .insertInto('client_versions')
      .values({ client: CLIENT, ...learned })
      .onConflict((conflict) => conflict.column('client').doUpdateSet(learned))
      .execute(),
  );
}
