import type { HealthDay } from '@parley/contract';
import { nowUnix } from '../../../kernel/clock.ts';
import { healthTexts } from '../../../texts/health.ts';
import { Bars } from '../../../ui/charts/index.ts';
import { formatShortDay } from '../../../ui/index.ts';

const DAYS = 30;
const DAY_SECONDS = 86_400;

const SERIES = [
  { name: healthTexts.series.known, tone: 'green' },
  { name: healthTexts.series.newChats, tone: 'blue' },
  { name: healthTexts.series.refused, tone: 'red' },
] as const;

/** A month of sends: in known chats, in new chats, and refused ones. */
export function HealthChart({ days }: { days: readonly HealthDay[] }) {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const bars = Array.from({ length: DAYS }, (_, index) => {
    const day = dayAt(nowUnix() - (DAYS - 1 - index) * DAY_SECONDS);
    return { label: formatShortDay(day), values: valuesOf(byDay.get(day)) };
  });
  const [known, newChats, refused] = [0, 1, 2].map((at) =>
    bars.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  ) as [number, number, number];
  return (
    <Bars
      title={healthTexts.chart}
      summary={healthTexts.chartSummary(known + newChats, newChats, refused)}
      series={SERIES}
      bars={bars}
    />
  );
}

function valuesOf(day: HealthDay | undefined): number[] {
  if (!day) return [0, 0, 0];
  const refused = day.refused_463_known + day.refused_463_unknown + day.refused_479;
  return [Math.max(day.sent - day.new_chats, 0), day.new_chats, refused];
}

function dayAt(unix: number): string {
  return new Date(unix * 1_000).toISOString().slice(0, 10);
}
