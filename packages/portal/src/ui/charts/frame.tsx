import type { ComponentChildren } from 'preact';
import './charts.css';

type SeriesTone = 'accent' | 'green' | 'blue' | 'amber' | 'red' | 'violet';

export interface Series {
  readonly name: string;
  readonly tone: SeriesTone;
}

/** Frame of every chart: name, legend, maximum of the axis, first and last label. */
export function ChartFrame({
  title,
  series,
  ceiling,
  first,
  last,
  children,
}: {
  title: string;
  series: readonly Series[];
  ceiling: string;
  first: string;
  last: string;
  children: ComponentChildren;
}) {
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <span class="chart-title">{title}</span>
        {series.length > 1 && (
          <span class="chart-legend">
            {series.map(({ name, tone }) => (
              <span key={name}>
                <i class={`dot tone-${tone}`} />
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div class="chart-plot">
        <span class="chart-ceiling" aria-hidden="true">
          {ceiling}
        </span>
        {children}
      </div>
      <div class="chart-feet" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </figure>
  );
}
