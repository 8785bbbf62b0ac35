import type { DailyUsage } from '@parley/contract';
import { statisticsTexts } from '../../texts/statistics.ts';
import { Bars, type Series } from '../../ui/charts/index.ts';
import { Fact, Facts, formatNumber, formatShortDay } from '../../ui/index.ts';

const SENT: readonly Series[] = [
  { name: statisticsTexts.delivered, tone: 'accent' },
  { name: statisticsTexts.sent, tone: 'blue' },
  { name: statisticsTexts.waiting, tone: 'amber' },
  { name: statisticsTexts.failed, tone: 'red' },
];
const RECEIVED: readonly Series[] = [{ name: statisticsTexts.received, tone: 'violet' }];
const SHOWN = ['accepted', 'delivered', 'failed', 'received'] as const;

/** Sent messages per day by outcome, beside received ones. */
export function UsageChart({ days }: { days: DailyUsage['days'] }) {
  const sumOf = (name: (typeof SHOWN)[number]): number => days.reduce((sum, day) => sum + day[name], 0);
  return (
    <>
      <Facts fit="tight">
        {SHOWN.map((name) => (
          <Fact key={name} name={statisticsTexts[name]}>
            <span class="usage-figure">{formatNumber(sumOf(name))}</span>
          </Fact>
        ))}
      </Facts>
      <div class="usage-charts">
        <Bars
          title={statisticsTexts.outcome}
          summary={statisticsTexts.summary(sumOf('accepted'), sumOf('delivered'), sumOf('failed'))}
          series={SENT}
          bars={days.map((day) => ({ label: formatShortDay(day.date), values: partsOf(day) }))}
        />
        <Bars
          title={statisticsTexts.incoming}
          summary={statisticsTexts.summaryIn(sumOf('received'))}
          series={RECEIVED}
          bars={days.map((day) => ({ label: formatShortDay(day.date), values: [day.received] }))}
        />
      </div>
    </>
  );
}

/** Splits accepted messages by outcome into parts that add up to them. */
export function partsOf({ accepted, sent, delivered, failed }: DailyUsage['days'][number]): number[] {
  return [delivered, sent - delivered, Math.max(0, accepted - sent - failed), failed];
}
