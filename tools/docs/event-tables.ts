import type { TProperties } from 'typebox';
import type { EventRecord } from '../../packages/contract/src/events/kind.ts';
import { EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY } from '../../packages/contract/src/events/kinds.ts';
import { EVENT_RECORDS } from '../../packages/contract/src/events/schemas.ts';
import { table } from './limits-page.ts';

const RECORDS: readonly EventRecord<string, string | null, TProperties>[] = Object.values(EVENT_RECORDS);

/** Event kinds of each URL, without extensions. */
export function eventsByUrl(): string {
  const rows = EVENT_CATEGORIES.map((category) => {
    const kinds = RECORDS.filter((record) => record.category === category && !record.extension);
    return [`\`${URL_FIELD_OF_CATEGORY[category]}\``, kinds.map(({ kind }) => `\`${kind}\``).join(', ')];
  });
  return table(['URL', 'Events'], rows);
}

/** Events of each extension. */
export function eventsByExtension(): string {
  const rows = RECORDS.flatMap(({ kind, category, extension, partly, guide = '' }) => {
    const url = `\`${URL_FIELD_OF_CATEGORY[category]}\``;
    return [
      ...(extension ? [[`\`${extension}\``, `\`${kind}\``, url, guide]] : []),
      ...(partly
        ? [[`\`${partly.extension}\``, `\`${kind}\` with \`${partly.when}\``, url, partly.guide]]
        : []),
    ];
  });
  return table(['`extensions`', 'Event', 'URL', 'Contents'], rows);
}
