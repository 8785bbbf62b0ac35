import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { changeAccount } from '../accounts.ts';
import { createHarness, newAccount, travelTo } from '../testing/harness.ts';
import { acceptTerms, listTermsVersions, publishTerms, termsOfAccount } from './terms.ts';

describeOnEachDatabase(
  'terms of service',
  (test) => {
    const begin = () => createHarness(test);
    type When = { now: true } | { effective_at: string } | Record<never, never>;
    const publish = (context: ReturnType<typeof begin>, version: string, when: When = { now: true }) =>
      publishTerms(context, 'operator', { version, url: `https://parley.example/tos/${version}`, ...when });
    const accept = (context: ReturnType<typeof begin>, accountId: string) =>
      changeAccount(context, 'operator', accountId, { accept_tos: true });

    it('require no acceptance before a version exists', async () => {
      const context = begin();
      const { account_id } = await newAccount(context);
      expect(await termsOfAccount(context, account_id)).toEqual({
        current_version: null,
        accepted_version: null,
        pending_version: null,
        url: null,
      });
      await expect(accept(context, account_id)).rejects.toMatchObject({ code: 'tos_missing' });
    });

    it('wait for each account until it accepts them, and again with each version', async () => {
      const context = begin();
      const [ada, ben] = await Promise.all([newAccount(context, 'Ada'), newAccount(context, 'Ben')]);
      await publish(context, '2026-01');
      expect(await termsOfAccount(context, ada.account_id)).toEqual({
        current_version: '2026-01',
        accepted_version: null,
        pending_version: '2026-01',
        url: 'https://parley.example/tos/2026-01',
      });
      expect(await accept(context, ada.account_id)).toMatchObject({ tos_accepted_version: '2026-01' });
      expect(await termsOfAccount(context, ada.account_id)).toMatchObject({ pending_version: null });
      expect(await termsOfAccount(context, ben.account_id)).toMatchObject({ pending_version: '2026-01' });

      await publish(context, '2026-02');
      expect(await termsOfAccount(context, ada.account_id)).toMatchObject({
        current_version: '2026-02',
        accepted_version: '2026-01',
        pending_version: '2026-02',
      });
    });

    it('have versions in the order of their publication, whatever their names', async () => {
      const context = begin();
      const { account_id } = await newAccount(context);
      for (const version of ['z', 'a', 'm']) await publish(context, version);
      expect(await termsOfAccount(context, account_id)).toMatchObject({ current_version: 'm' });
    });

    it('take effect after two weeks by default, and can be accepted before', async () => {
      const context = begin();
      const [ada, ben] = await Promise.all([newAccount(context, 'Ada'), newAccount(context, 'Ben')]);
      const memberId = 'mem_ada';
      await publish(context, 'old');
      for (const { account_id } of [ada, ben]) await accept(context, account_id);
      const { effective_at } = await publish(context, 'new', {});
      expect(effective_at).toBe('2026-01-15T00:00:00.000Z');
      expect(await termsOfAccount(context, ada.account_id)).toEqual({
        current_version: 'old',
        accepted_version: 'old',
        pending_version: null,
        url: 'https://parley.example/tos/old',
        upcoming: { version: 'new', url: 'https://parley.example/tos/new', effective_at },
      });
      await acceptTerms(context, { accountId: ada.account_id, memberId }, 'new');
      // An acceptance of the older one afterwards changes nothing.
      await acceptTerms(context, { accountId: ada.account_id, memberId }, 'old');
      expect(await termsOfAccount(context, ada.account_id)).toEqual({
        current_version: 'old',
        accepted_version: 'new',
        pending_version: null,
        url: 'https://parley.example/tos/old',
      });
      travelTo(context.clock, '2026-01-15');
      expect(await termsOfAccount(context, ada.account_id)).toMatchObject({ pending_version: null });
      const late = await termsOfAccount(context, ben.account_id);
      expect(late).toMatchObject({ current_version: 'new', pending_version: 'new' });
      expect(late).not.toHaveProperty('upcoming');
    });

    it('that were announced are replaced by the next ones, and never take effect', async () => {
      const context = begin();
      const { account_id } = await newAccount(context);
      await publish(context, 'mistaken', {});
      await publish(context, 'right', { effective_at: '2026-02-01T00:00:00Z' });
      const accepting = acceptTerms(context, { accountId: account_id, memberId: 'mem_ada' }, 'mistaken');
      await expect(accepting).rejects.toMatchObject({ code: 'tos_superseded' });
      travelTo(context.clock, '2026-01-20');
      expect(await termsOfAccount(context, account_id)).toMatchObject({
        current_version: null,
        pending_version: null,
        upcoming: { version: 'right' },
      });
      travelTo(context.clock, '2026-02-01');
      expect(await termsOfAccount(context, account_id)).toMatchObject({ current_version: 'right' });
      expect(await listTermsVersions(context)).toMatchObject([{ version: 'right' }, { version: 'mistaken' }]);
    });

    it('of an older release, which knew no notice, are in force since their publication', async () => {
      const context = begin();
      const { account_id } = await newAccount(context);
      const row = { version: 'old', url: 'https://parley.example', number: 1, published_at: 1_000 };
      await context.store.transaction((trx) =>
        trx
          .insertInto('tos_versions')
          .values({ ...row, effective_at: null })
          .execute(),
      );
      expect(await termsOfAccount(context, account_id)).toMatchObject({ pending_version: 'old' });
    });

    it('are published once, also when two try at once', async () => {
      const context = begin();
      const tries = await Promise.allSettled([publish(context, 'one'), publish(context, 'one')]);
      const refused = tries.filter((each) => each.status === 'rejected');
      expect(refused.map(({ reason }) => reason.code)).toEqual(['tos_version_exists']);
    });
  },
  'new for each test',
);
