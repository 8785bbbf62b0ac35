import type { Terms } from '@parley/contract';
import { fault } from '#kernel';
import type { TosVersionRow, Writer } from '#store';
import { type Actor, record } from './audit.ts';
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
