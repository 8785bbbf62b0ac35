import type { DeliveryStats, StatsBucket } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { statsTexts } from '../../texts/webhooks.ts';
import { Bars, Lines, type Series } from '../../ui/charts/index.ts';
import {
  Card,
  Fact,
  Facts,
  formatHour,
  formatMs,
  formatNumber,
  formatPercent,
  formatShortDay,
  Loaded,
  Segments,
} from '../../ui/index.ts';

const POLL_MS = 10_000;
const RANGES = [
  { value: 'hour', label: statsTexts.hour },
  { value: 'day', label: statsTexts.day },
] as const;
const RESULTS: readonly Series[] = [
  { name: statsTexts.delivered, tone: 'accent' },
  { name: statsTexts.failed, tone: 'red' },
];
const TIMES: readonly Series[] = [
  { name: statsTexts.medianLine, tone: 'accent' },
  { name: statsTexts.slowestLine, tone: 'amber' },
];

/** Success rate and latency of the last day or month. */
export function StatsCard({ id, sends }: { id: string; sends: number }) {
  const bucket = useSignal<StatsBucket>('hour');
  const stats = useResource(
    () => call('getDeliveryStats', { params: { id }, query: { bucket: bucket.value } }),
    [id, bucket.value],
    { everyMs: POLL_MS },
  );
  useEffect(() => {
    if (sends > 0) inBackground(stats.reload());
  }, [sends]);
  return (
    <Card
      title={statsTexts.title}
      actions={
        <Segments
          label={statsTexts.range}
          value={bucket.value}
          choices={RANGES}
          onChange={(chosen) => {
            bucket.value = chosen;
          }}
        />
      }
    >
      <Loaded resource={stats}>
        {(data) => (
          <>
            <Totals stats={data} />
            <div class="stats-charts">
              <Charts stats={data} />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Totals({ stats: { total, waiting, dead } }: { stats: DeliveryStats }) {
  const all = total.delivered + total.failed;
  return (
    <Facts>
      <Fact name={statsTexts.success}>
        <span class="stats-figure">{all === 0 ? '–' : formatPercent(total.delivered / all)}</span>
        <span class="quiet small">{statsTexts.successOf(total.delivered, all)}</span>
      </Fact>
      <Fact name={statsTexts.median}>
        <span class="stats-figure">{total.median_ms === null ? '–' : formatMs(total.median_ms)}</span>
        {total.slowest_ms !== null && (
          <span class="quiet small">
            {statsTexts.slowest} {formatMs(total.slowest_ms)}
          </span>
        )}
      </Fact>
      <Fact name={statsTexts.waiting}>
        <span class="stats-figure">{formatNumber(waiting)}</span>
      </Fact>
      <Fact name={statsTexts.dead}>
        <span class={dead > 0 ? 'stats-figure stats-bad' : 'stats-figure'}>{formatNumber(dead)}</span>
      </Fact>
    </Facts>
  );
}

function Charts({ stats: { bucket, buckets, total } }: { stats: DeliveryStats }) {
  const labels = buckets.map(({ start_unix }) =>
    bucket === 'hour' ? formatHour(start_unix) : formatShortDay(start_unix),
  );
  return (
    <>
      <Bars
        title={statsTexts.attempts}
        summary={statsTexts.attemptsSummary(total.delivered, total.failed)}
        series={RESULTS}
        bars={buckets.map(({ delivered, failed }, at) => ({
          label: labels[at] ?? '',
          values: [delivered, failed],
        }))}
      />
      <Lines
        title={statsTexts.latency}
        summary={
          total.median_ms === null ? statsTexts.nothing : statsTexts.latencySummary(formatMs(total.median_ms))
        }
        series={TIMES}
        labels={labels}
        values={[buckets.map(({ median_ms }) => median_ms), buckets.map(({ slowest_ms }) => slowest_ms)]}
        format={formatMs}
      />
    </>
  );
}
