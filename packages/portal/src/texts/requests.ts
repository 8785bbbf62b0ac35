import { REQUEST_LOG_DAYS } from '@parley/contract';

export const requestTexts = {
  lead: `What your keys asked for in the last ${REQUEST_LOG_DAYS} days, and how it was answered. Bodies are not kept; of very many requests, only a part is logged.`,
  table: 'Requests',
  request: 'Request',
  status: 'Answer',
  error: 'Error',
  key: 'Key',
  allKeys: 'All keys',
  took: 'Took',
  id: 'Request id',
  when: 'When',
  outcome: 'Answers',
  search: 'Search',
  searchHint: 'Path, error or request id',
  unknownKey: 'Deleted key',
  emptyTitle: 'No request yet',
  empty:
    'Every request that comes with one of your keys appears here about a second later, with its answer. Make a key, and send the first one.',
  toKeys: 'To the API keys',
  filteredTitle: 'Nothing here',
  clear: 'Show all',
  emptyFiltered: 'No request fits this filter.',
  limitedNote:
    'Answers with 429 say that a limit was reached: wait as long as the Retry-After header says, then send again. Nothing of such a request was done or charged.',
  limits: 'All limits',
} as const;
