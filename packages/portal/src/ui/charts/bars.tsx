import { formatNumber, formatShort } from '../format.ts';
import { ChartFrame, type Series } from './frame.tsx';
import { niceCeiling } from './scale.ts';

export interface Bar {
  readonly label: string;
  /** One per series, stacked in that order. */
  readonly values: readonly number[];
}

const GAP = 0.18;

/** Stacked bars, one per day or hour, with one sentence for screen readers. */
export function Bars({
  title,
  summary,
  series,
  bars,
}: {
  title: string;
  summary: string;
  series: readonly Series[];
  bars: readonly Bar[];
}) {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const ceiling = niceCeiling(Math.max(0, ...totals));
  return (
    <ChartFrame
      title={title}
      series={series}
      ceiling={formatShort(ceiling)}
      first={bars[0]?.label ?? ''}
      last={bars.at(-1)?.label ?? ''}
    >
      <svg
        viewBox={`0 0 ${Math.max(bars.length, 1)} 1`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        {bars.map(({ label, values }, index) => (
          <g key={label} class="chart-bar">
            <title>{`${label}: ${values.map((value, at) => `${series[at]?.name} ${formatNumber(value)}`).join(', ')}`}</title>
            <rect class="chart-reach" x={index} y={0} width={1} height={1} />
            {stackOf(values, ceiling).map(({ y, height }, at) => (
              <rect
                key={series[at]?.name}
                class={`tone-${series[at]?.tone}`}
                x={index + GAP / 2}
                y={y}
                width={1 - GAP}
                height={height}
              />
            ))}
          </g>
        ))}
      </svg>
    </ChartFrame>
  );
}

function stackOf(values: readonly number[], ceiling: number): { y: number; height: number }[] {
  let y = 1;
  return values.map((value) => {
    const height = value / ceiling;
    y -= height;
    return { y, height };
  });
}
