import type { TermsVersion } from '@parley/sdk/operator';
import type { Run } from '../command.ts';
import type { TERMS_LIST, TERMS_PUBLISH } from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { operator } from './connect.ts';

export const publishTerms: Run<typeof TERMS_PUBLISH> = async ({ args, options, connection, terminal }) => {
  const { effective: effective_at, now } = options;
  const when = { ...(effective_at !== undefined && { effective_at }), ...(now && { now: true as const }) };
  const published = await operator(connection).terms.publish({ ...args, ...when });
  terminal.show(published, () => asFields({ ...published }));
};

export const listTerms: Run<typeof TERMS_LIST> = async ({ connection, terminal }) => {
  const { versions } = await operator(connection).terms.list();
  const row = (each: TermsVersion) => [each.version, each.published_at, each.effective_at, each.url];
  terminal.show({ versions }, () =>
    asTable(['version', 'published', 'in effect from', 'text'], versions.map(row)),
  );
};
