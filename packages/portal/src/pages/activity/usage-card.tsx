import { type DailyUsage, USAGE_DAYS_MAX } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource } from '../../api/index.ts';
import { usageTexts } from '../../texts/activity.ts';
import { Bars, type Series } from '../../ui/charts/index.ts';
import { Card, Fact, Facts, formatNumber, formatShortDay, Loaded, Segments } from '../../ui/index.ts';

const LOOK_EVERY_MS = 30_000;
const RANGES = [
  { value: '7', label: usageTexts.days(7) },
  { value: String(USAGE_DAYS_MAX), label: usageTexts.days(USAGE_DAYS_MAX) },
];
const SERIES: readonly Series[] = [
  { name: usageTexts.delivered, tone: 'accent' },
  { name: usageTexts.sent, tone: 'blue' },
  { name: usageTexts.waiting, tone: 'amber' },
  { name: usageTexts.failed, tone: 'red' },
];

/** How many messages went out on each day, and what became of them. */
export function UsageCard({ phone }: { phone: string | undefined }) {
  const days = useSignal(String(USAGE_DAYS_MAX));
  const usage = useResource(
    () => call('getDailyUsage', { query: { days: Number(days.value), ...(phone && { phone }) } }),
    [phone, days.value],
    { everyMs: LOOK_EVERY_MS },
  );
  return (
    <Card
      title={usageTexts.title}
      actions={
        <Segments
          label={usageTexts.range}
          value={days.value}
          choices={RANGES}
          onChange={(chosen) => (days.value = chosen)}
        />
      }
    >
      <Loaded resource={usage}>{(data) => <Usage days={data.days} />}</Loaded>
    </Card>
  );
}

function Usage({ days }: { days: DailyUsage['days'] }) {
  const sumOf = (name: 'accepted' | 'delivered' | 'failed'): number =>
    days.reduce((sum, day) => sum + day[name], 0);
  const [accepted, delivered, failed] = [sumOf('accepted'), sumOf('delivered'), sumOf('failed')];
  return (
    <>
      <Facts fit="tight">
        <Fact name={usageTexts.accepted}>
          <span class="usage-figure">{formatNumber(accepted)}</span>
        </Fact>
        <Fact name={usageTexts.delivered}>
          <span class="usage-figure">{formatNumber(delivered)}</span>
        </Fact>
        <Fact name={usageTexts.failed}>
          <span class="usage-figure">{formatNumber(failed)}</span>
        </Fact>
      </Facts>
      <Bars
        title={usageTexts.outcome}
        summary={usageTexts.summary(accepted, delivered, failed)}
        series={SERIES}
        bars={days.map((day) => ({ label: formatShortDay(day.date), values: partsOf(day) }))}
      />
    </>
  );
}

/** What was accepted, taken apart so that the parts add up to it. */
export function partsOf({ accepted, sent, delivered, failed }: DailyUsage['days'][number]): number[] {
  return [delivered, sent - delivered, Math.max(0, accepted - sent - failed), failed];
}
