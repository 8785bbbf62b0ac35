import { REQUEST_LOG_DAYS } from '@parley/contract';

export const requestTexts = {
  lead: `What your keys asked for in the last ${REQUEST_LOG_DAYS} days, and how it was answered. What was in the requests is not kept; of a flood, only a part.`,
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
  emptyTitle: 'Nothing here',
  empty: 'Requests that come with a key appear here about a second later.',
  emptyFiltered: 'No request fits this filter.',
  limitedNote:
    'Answers with 429 say that a limit was reached: wait as long as the Retry-After header says, then send again. Nothing of such a request was done or charged.',
  limits: 'All limits',
} as const;
