import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { changeAccount } from './accounts.ts';
import { publishTerms, termsOfAccount } from './terms.ts';
import { createHarness, newAccount } from './testing/harness.ts';

describeOnEachDatabase(
  'terms of service',
  (test) => {
    const begin = () => createHarness(test);
    const publish = (context: ReturnType<typeof begin>, version: string) =>
      publishTerms(context, 'operator', { version, url: `https://parley.example/tos/${version}` });
    const accept = (context: ReturnType<typeof begin>, accountId: string) =>
      changeAccount(context, 'operator', accountId, { accept_tos: true });

    it('are nobody’s concern before there are any', async () => {
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

    it('are published once, also when two try at once', async () => {
      const context = begin();
      const tries = await Promise.allSettled([publish(context, 'one'), publish(context, 'one')]);
      const refused = tries.filter((each) => each.status === 'rejected');
      expect(refused.map(({ reason }) => reason.code)).toEqual(['tos_version_exists']);
    });
  },
  'new for each test',
);
