import { ChartFrame, type Series } from './frame.tsx';
import { niceCeiling, type Point, splitIntoRuns } from './scale.ts';

/** Lines over common points of time; a missing value is a gap. */
export function Lines({
  title,
  summary,
  series,
  labels,
  values,
  format,
}: {
  title: string;
  summary: string;
  series: readonly Series[];
  labels: readonly string[];
  /** One list per series, as long as the labels. */
  values: readonly (readonly (number | null)[])[];
  format: (value: number) => string;
}) {
  const known = values.flat().filter((value) => value !== null);
  const ceiling = niceCeiling(Math.max(0, ...known));
  return (
    <ChartFrame
      title={title}
      series={series}
      ceiling={format(ceiling)}
      first={labels[0] ?? ''}
      last={labels.at(-1) ?? ''}
    >
      <svg
        viewBox={`0 0 ${Math.max(labels.length, 1)} 1`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        {series.map(({ name, tone }, at) =>
          splitIntoRuns(values[at] ?? [], ceiling).map((run) => (
            <path key={`${name} ${run[0]?.x}`} class={`chart-line tone-${tone}`} d={pathOf(run)} />
          )),
        )}
        {labels.map((label, index) => (
          <g key={label} class="chart-bar">
            <title>
              {`${label}: ${series.map(({ name }, at) => `${name} ${formatPoint(values[at]?.[index], format)}`).join(', ')}`}
            </title>
            <rect class="chart-reach" x={index} y={0} width={1} height={1} />
          </g>
        ))}
      </svg>
    </ChartFrame>
  );
}

/** Draws a single point as a short dash; it would be invisible otherwise. */
function pathOf(run: readonly Point[]): string {
  const [only] = run;
  if (run.length === 1 && only) return `M${only.x - 0.2} ${only.y}H${only.x + 0.2}`;
  return `M${run.map(({ x, y }) => `${x} ${y}`).join('L')}`;
}

function formatPoint(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}
