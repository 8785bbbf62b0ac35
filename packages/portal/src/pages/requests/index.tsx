import { type ApiRequest, REQUEST_OUTCOMES, REQUESTS_PAGE_DEFAULT } from '@parley/contract';
import { useEffect } from 'preact/hooks';
import { call, usePages, useResource, wholeList } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { everyWhileVisible } from '../../kernel/clock.ts';
import { useFilters } from '../../kernel/filters.ts';
import { may } from '../../state/visit.ts';
import { nav, words } from '../../texts/common.ts';
import { requestOutcomes } from '../../texts/labels.ts';
import { requestTexts } from '../../texts/requests.ts';
import {
  Ago,
  Badge,
  Button,
  Card,
  type Column,
  Empty,
  ErrorNote,
  formatMs,
  LinkButton,
  Note,
  PageHead,
  SearchField,
  Segments,
  SelectField,
  Skeleton,
  Table,
} from '../../ui/index.ts';
import '../webhooks/webhooks.css';

const POLL_MS = 3_000;
const LIMITED = 429;
const NO_FILTERS = { key: '', outcome: 'all', search: '' };
const OUTCOMES = [
  { value: 'all', label: words.all },
  ...REQUEST_OUTCOMES.map((value) => ({ value, label: requestOutcomes[value] })),
];

const keyOf = ({ id }: ApiRequest): string => id;

/** Log of API requests and their answers. */
export default function RequestsPage() {
  const filters = useFilters(NO_FILTERS);
  const { key, outcome, search } = filters.value;
  const keys = useResource(() => wholeList((page) => call('listMyApiKeys', { query: page })), []);
  const names = new Map(keys.data?.api_keys.map(({ key_id, name }) => [key_id, name]));
  const log = usePages<ApiRequest>(
    {
      load: async (last) => {
        const known = REQUEST_OUTCOMES.find((each) => each === outcome);
        const query = {
          ...(key !== '' && { key_id: key }),
          ...(known && { outcome: known }),
          ...(search !== '' && { search }),
          ...(last && { before: last.id }),
          limit: REQUESTS_PAGE_DEFAULT,
        };
        return (await call('listApiRequests', { query })).requests;
      },
      keyOf,
      pageSize: REQUESTS_PAGE_DEFAULT,
    },
    [key, outcome, search],
  );
  const isPast = (log.items?.length ?? 0) > REQUESTS_PAGE_DEFAULT;
  useEffect(
    () => (isPast ? undefined : everyWhileVisible(POLL_MS, () => inBackground(log.reload()))),
    [log.reload, isPast],
  );
  return (
    <>
      <PageHead title={nav.requests} lead={requestTexts.lead} />
      <div class="stack stack-loose">
        {log.items?.some(({ status }) => status === LIMITED) && (
          <Note tone="warning" icon="warning">
            {requestTexts.limitedNote}{' '}
            <a href="/docs/guides/limits" target="_blank" rel="noreferrer">
              {requestTexts.limits}
            </a>
          </Note>
        )}
        <Card flush>
          <div class="log-filters">
            <div class="log-search">
              <SearchField
                label={requestTexts.search}
                placeholder={requestTexts.searchHint}
                value={search}
                onSearch={(text) => filters.change({ search: text })}
              />
            </div>
            <SelectField
              label={requestTexts.key}
              value={key}
              choices={[
                { value: '', label: requestTexts.allKeys },
                ...[...names].map(([value, label]) => ({ value, label })),
              ]}
              onChange={(chosen) => filters.change({ key: chosen })}
            />
            <Segments
              label={requestTexts.outcome}
              value={outcome}
              choices={OUTCOMES}
              onChange={(chosen) => filters.change({ outcome: chosen })}
            />
          </div>
          {log.problem && <ErrorNote problem={log.problem} retry={() => inBackground(log.reload())} />}
          {!log.items && !log.problem && <Skeleton />}
          {log.items?.length === 0 && (
            <Nothing areDefault={filters.areDefault} clear={() => filters.change(NO_FILTERS)} />
          )}
          {log.items && log.items.length > 0 && (
            <Table
              label={requestTexts.table}
              columns={columnsWith(names)}
              rows={log.items}
              keyOf={keyOf}
              onEnd={() => inBackground(log.more())}
            />
          )}
        </Card>
      </div>
    </>
  );
}

function columnsWith(names: ReadonlyMap<string, string>): readonly Column<ApiRequest>[] {
  return [
    {
      title: requestTexts.request,
      cell: ({ method, path }) => (
        <code title={`${method} ${path}`}>
          {method} {path}
        </code>
      ),
      share: 2.6,
    },
    {
      title: requestTexts.status,
      cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge>,
      share: 0.9,
    },
    {
      title: requestTexts.error,
      cell: ({ error }) => <span title={error ?? ''}>{error ?? '–'}</span>,
      share: 1.7,
      secondary: true,
    },
    {
      title: requestTexts.key,
      cell: ({ key_id }) => names.get(key_id) ?? requestTexts.unknownKey,
      share: 1.3,
      secondary: true,
    },
    {
      title: requestTexts.id,
      cell: ({ request_id }) => <code title={request_id}>{request_id}</code>,
      share: 1.2,
      secondary: true,
    },
    {
      title: requestTexts.took,
      cell: ({ duration_ms }) => formatMs(duration_ms),
      share: 0.9,
      secondary: true,
      atEnd: true,
    },
    { title: requestTexts.when, cell: ({ at }) => <Ago at={at} />, share: 1.7, atEnd: true },
  ];
}

function toneOf(status: number): 'good' | 'waiting' | 'bad' {
  if (status < 400) return 'good';
  return status < 500 ? 'waiting' : 'bad';
}

function Nothing({ areDefault, clear }: { areDefault: boolean; clear: () => void }) {
  if (!areDefault) {
    return (
      <Empty
        icon="search"
        title={requestTexts.filteredTitle}
        action={<Button onClick={clear}>{requestTexts.clear}</Button>}
      >
        {requestTexts.emptyFiltered}
      </Empty>
    );
  }
  const toKeys = may('build') && (
    <LinkButton look="primary" icon="key" href="/portal/keys">
      {requestTexts.toKeys}
    </LinkButton>
  );
  return (
    <Empty icon="activity" title={requestTexts.emptyTitle} action={toKeys}>
      {requestTexts.empty}
    </Empty>
  );
}
