import type { ThroughputPoint } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource } from '../../api/index.ts';
import { now } from '../../kernel/clock.ts';
import { nav } from '../../texts/common.ts';
import { throughputTexts } from '../../texts/oversight.ts';
import { Lines } from '../../ui/charts/index.ts';
import {
  Card,
  formatHour,
  formatNumber,
  formatShortDay,
  Loaded,
  PageHead,
  Segments,
} from '../../ui/index.ts';

const POLL_MS = 10_000;
const MINUTE_MS = 60_000;
const KINDS = ['accepted', 'sent', 'received', 'delivered'] as const;
type Kind = (typeof KINDS)[number];

/** Span, step and resolution of each view. */
const VIEWS = {
  hour: { span: 'minute', stepMs: MINUTE_MS, steps: 60 },
  day: { span: 'minute', stepMs: 15 * MINUTE_MS, steps: 96 },
  month: { span: 'hour', stepMs: 12 * 60 * MINUTE_MS, steps: 62 },
} as const;
type View = keyof typeof VIEWS;

const SERIES = [
  { name: throughputTexts.accepted, tone: 'blue' },
  { name: throughputTexts.sent, tone: 'green' },
  { name: throughputTexts.received, tone: 'violet' },
  { name: throughputTexts.delivered, tone: 'amber' },
] as const;

/** Throughput of the whole gateway. */
export default function ThroughputPage() {
  const view = useSignal<View>('hour');
  const { span } = VIEWS[view.value];
  const record = useResource(() => call('getThroughput', { query: { span } }), [span], {
    everyMs: POLL_MS,
  });
  return (
    <>
      <PageHead title={nav.throughput} lead={throughputTexts.lead}>
        <Segments
          label={throughputTexts.period}
          choices={Object.entries(throughputTexts.views).map(([value, label]) => ({
            value: value as View,
            label,
          }))}
          value={view.value}
          onChange={(value) => (view.value = value)}
        />
      </PageHead>
      <Card>
        <Loaded resource={record}>{({ points }) => <Chart view={view.value} points={points} />}</Loaded>
      </Card>
    </>
  );
}

function Chart({ view, points }: { view: View; points: readonly ThroughputPoint[] }) {
  const { stepMs, steps } = VIEWS[view];
  const end = Math.floor(now() / stepMs) * stepMs;
  const starts = Array.from({ length: steps }, (_, index) => end - (steps - 1 - index) * stepMs);
  const sums = new Map(starts.map((start) => [start, { accepted: 0, sent: 0, received: 0, delivered: 0 }]));
  for (const point of points) {
    const sum = sums.get(Math.floor(Date.parse(point.at) / stepMs) * stepMs);
    if (sum) for (const kind of KINDS) sum[kind] += point[kind];
  }
  const valuesOf = (kind: Kind): number[] => starts.map((start) => sums.get(start)?.[kind] ?? 0);
  const totals = KINDS.map((kind) => valuesOf(kind).reduce((sum, value) => sum + value, 0));
  return (
    <Lines
      title={throughputTexts.chart[view]}
      summary={throughputTexts.summary(totals)}
      series={SERIES}
      labels={starts.map((start) => `${formatShortDay(start / 1_000)}, ${formatHour(start / 1_000)}`)}
      values={KINDS.map(valuesOf)}
      format={formatNumber}
    />
  );
}
