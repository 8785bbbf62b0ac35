import type { Terms, TermsVersionList } from '@parley/contract';
import { fault } from '#kernel';
import type { TosVersionRow, Writer } from '#store';
import { type Actor, record } from './audit/store.ts';
import type { AccountsContext } from './context.ts';
import { changeInTurn } from './store.ts';

/** From the moment of its publication every account must accept this version before it may go on. */
export async function publishTerms(
  { store, clock }: AccountsContext,
  actor: Actor,
  { version, url }: { version: string; url: string },
): Promise<void> {
  await changeInTurn(store, async (trx) => {
    const known = await trx
      .selectFrom('tos_versions')
      .select('version')
      .where('version', '=', version)
      .executeTakeFirst();
    if (known) throw fault('tos_version_exists');
    const now = clock.now();
    const current = await currentTerms(trx);
    const number = (current?.number ?? 0) + 1;
    await trx.insertInto('tos_versions').values({ version, url, number, published_at: now }).execute();
    await record(trx, now, {
      actor,
      accountId: null,
      action: 'tos.published',
      subject: version,
      detail: { url },
    });
  });
}

/** Names the version that was read: one that came out meanwhile has to be read first. */
export async function acceptTerms(
  { store, clock }: AccountsContext,
  accountId: string,
  version: string,
): Promise<void> {
  await changeInTurn(store, async (trx) => {
    if ((await currentTerms(trx))?.version !== version) throw fault('tos_superseded');
    const now = clock.now();
    await trx
      .updateTable('accounts')
      .set({ tos_accepted_version: version, tos_accepted_at: now })
      .where('id', '=', accountId)
      .execute();
    await record(trx, now, {
      actor: `owner:${accountId}`,
      accountId,
      action: 'tos.accepted',
      subject: version,
    });
  });
}

/** Newest first: the first one is in force. */
export async function listTermsVersions({ store }: AccountsContext): Promise<TermsVersionList['versions']> {
  const rows = await store.read.selectFrom('tos_versions').selectAll().orderBy('number', 'desc').execute();
  return rows.map(({ version, url, published_at }) => ({
    version,
    url,
    published_at: new Date(published_at).toISOString(),
  }));
}

export async function currentTerms(db: Pick<Writer, 'selectFrom'>): Promise<TosVersionRow | undefined> {
  return db.selectFrom('tos_versions').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
}

export async function termsOfAccount({ store }: AccountsContext, accountId: string): Promise<Terms> {
  const account = await store.read
    .selectFrom('accounts')
    .select('tos_accepted_version')
    .where('id', '=', accountId)
    .executeTakeFirst();
  const terms = await currentTerms(store.read);
  const accepted = account?.tos_accepted_version ?? null;
  const current = terms?.version ?? null;
  return {
    current_version: current,
    accepted_version: accepted,
    pending_version: current === accepted ? null : current,
    url: terms?.url ?? null,
  };
}
