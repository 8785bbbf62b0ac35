import assert from 'node:assert/strict';
import { EVENT_STREAMS_PER_KEY } from '@parley/contract';
import { until } from '../../until.ts';
import type { Furnished } from '../furnish.ts';
import { type TestHarness, visit } from '../visit.ts';

/** The log of requests of API keys. */
export function requestChecks(
  harness: TestHarness,
  { owner }: Furnished,
): Record<string, () => Promise<void>> {
  const { gateway } = harness;

  /** Opens one stream more than a key may have. */
  async function reachALimit(key: string): Promise<void> {
    const done = new AbortController();
    const open = () =>
      fetch(`${gateway.url}/v1/events`, {
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
        signal: done.signal,
      });
    const answers = await Promise.all(Array.from({ length: EVENT_STREAMS_PER_KEY + 1 }, open));
    assert.ok(answers.some(({ status }) => status === 429));
    done.abort();
  }

  return {
    'the requests of a key are filtered by their answers, and a limit links to all limits': async () => {
      const keys = `/accounts/${owner.accountId}/api-keys`;
      const { api_key } = await gateway.operator<{ api_key: string }>('POST', keys, { name: 'Impatient' });
      await reachALimit(api_key);
      await visit(harness, '/portal/requests', { as: owner }, async (page) => {
        const table = page.getByRole('table', { name: 'Requests' });
        await page.getByLabel('Key', { exact: true }).selectOption('Impatient');
        await page.getByRole('radio', { name: 'Limited' }).check();
        const row = table.getByRole('row', {
          name: /^GET \/v1\/events 429 too many .* Impatient req_\w+ \d+ ms/,
        });
        await row.first().waitFor();
        assert.equal(await table.getByText('200', { exact: true }).count(), 0);
        await page.getByText('Answers with 429 say that a limit was reached').waitFor();
        const limits = await page.getByRole('link', { name: 'All limits' }).getAttribute('href');
        assert.equal((await page.request.get(gateway.url + limits)).status(), 200);

        await page.getByLabel('Search').fill('no such words');
        await page.getByText('No request fits this filter.').waitFor();
        await until(() => page.url().includes('outcome=limited') && page.url().includes('search='));
        await page.getByRole('button', { name: 'Show all' }).click();
        await table
          .getByRole('row', { name: /^POST \/v1\/messages 202/ })
          .first()
          .waitFor();
      });
    },
  };
}
