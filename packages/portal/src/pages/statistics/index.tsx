import { type DailyUsage, type NumberUsageList, USAGE_DAYS_MAX, type UsageFigures } from '@parley/contract';
import { call, useResource } from '../../api/index.ts';
import { useFilters } from '../../kernel/filters.ts';
import { nav, words } from '../../texts/common.ts';
import { statisticsTexts } from '../../texts/statistics.ts';
import {
  Card,
  type Column,
  Empty,
  formatNumber,
  formatPhone,
  formatShortDay,
  LinkButton,
  Loaded,
  PageHead,
  Segments,
  SelectField,
  Skeleton,
  Table,
} from '../../ui/index.ts';
import { numberChoices } from '../numbers/choices.ts';
import { UsageChart } from './usage-chart.tsx';
import './statistics.css';

const POLL_MS = 30_000;
const NO_FILTERS = { number: '', days: '7' };
const RANGES = [NO_FILTERS.days, String(USAGE_DAYS_MAX)].map((value) => ({
  value,
  label: statisticsTexts.days(Number(value)),
}));

type Day = DailyUsage['days'][number];
type NumberUsage = NumberUsageList['numbers'][number];

/** Messages by day and by number. */
export default function StatisticsPage() {
  const filters = useFilters(NO_FILTERS);
  const { number } = filters.value;
  const days = RANGES.find(({ value }) => value === filters.value.days)?.value ?? NO_FILTERS.days;
  const query = { days: Number(days), ...(number !== '' && { phone: number }) };
  const byNumber = useResource(() => call('getNumberUsage', { query: { days: Number(days) } }), [days], {
    everyMs: POLL_MS,
  });
  const byDay = useResource(() => call('getDailyUsage', { query }), [days, number], {
    everyMs: POLL_MS,
  });
  if (byNumber.data?.numbers.length === 0) {
    return (
      <>
        <PageHead title={nav.statistics} lead={statisticsTexts.lead} />
        <Empty
          icon="gauge"
          title={statisticsTexts.emptyTitle}
          action={
            <LinkButton look="primary" icon="phone" href="/portal/numbers">
              {words.toStart}
            </LinkButton>
          }
        >
          {statisticsTexts.emptyText}
        </Empty>
      </>
    );
  }
  const csv = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return (
    <>
      <PageHead title={nav.statistics} lead={statisticsTexts.lead}>
        <LinkButton icon="document" href={`/portal/api/usage.csv?${csv}`} target="_blank">
          {statisticsTexts.csv}
        </LinkButton>
      </PageHead>
      <div class="stack stack-loose">
        <div class="statistics-filters">
          <SelectField
            label={statisticsTexts.number}
            value={number}
            choices={[{ value: '', label: words.allNumbers }, ...numberChoices(byNumber.data?.numbers ?? [])]}
            onChange={(chosen) => filters.change({ number: chosen })}
          />
          <Segments
            label={statisticsTexts.range}
            value={days}
            choices={RANGES}
            onChange={(chosen) => filters.change({ days: chosen })}
          />
        </div>
        <Card title={statisticsTexts.title}>
          <Loaded resource={byDay} skeleton={<Skeleton tall lines={2} />}>
            {(data) => <UsageChart days={data.days} />}
          </Loaded>
        </Card>
        {number === '' && (
          <Card title={statisticsTexts.byNumber} flush>
            <Loaded resource={byNumber}>
              {({ numbers }) => (
                <Table
                  label={statisticsTexts.byNumber}
                  columns={NUMBER_COLUMNS}
                  rows={numbers}
                  keyOf={({ phone }) => phone}
                  hrefOf={({ phone }) => `/portal/messages?number=${phone}`}
                />
              )}
            </Loaded>
          </Card>
        )}
        <Card title={statisticsTexts.byDay} flush>
          <Loaded resource={byDay}>
            {(data) => (
              <Table
                label={statisticsTexts.byDay}
                columns={DAY_COLUMNS}
                rows={data.days.toReversed()}
                keyOf={({ date }) => date}
              />
            )}
          </Loaded>
        </Card>
      </div>
    </>
  );
}

const figure = (name: keyof UsageFigures, isSecondary = false): Column<UsageFigures> => ({
  title: statisticsTexts[name],
  cell: (figures) => <span class="figures">{formatNumber(figures[name])}</span>,
  atEnd: true,
  secondary: isSecondary,
});
const FIGURES = [figure('accepted'), figure('delivered', true), figure('failed', true), figure('received')];

const NUMBER_COLUMNS: readonly Column<NumberUsage>[] = [
  {
    title: statisticsTexts.number,
    cell: ({ phone, nickname }) => (
      <>
        {formatPhone(phone)} {nickname !== null && <span class="quiet small">{nickname}</span>}
      </>
    ),
    share: 2,
  },
  ...FIGURES,
];
const DAY_COLUMNS: readonly Column<Day>[] = [
  { title: statisticsTexts.day, cell: ({ date }) => formatShortDay(date), share: 2 },
  ...FIGURES,
];
