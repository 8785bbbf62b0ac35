import { Histogram, type Registry } from 'prom-client';

/** Counts of one label set of a histogram, in plain numbers. */
export interface Timings {
  /** Non-cumulative counts per bucket; the last one counts values above all bounds. */
  readonly inBucket: number[];
  sum: number;
}

export function createTimings(bounds: readonly number[]): Timings {
  return { inBucket: new Array(bounds.length + 1).fill(0), sum: 0 };
}

export function addTiming(timings: Timings, bounds: readonly number[], seconds: number): void {
  const found = bounds.findIndex((bound) => seconds <= bound);
  const index = found === -1 ? bounds.length : found;
  timings.inBucket[index] = (timings.inBucket[index] ?? 0) + 1;
  timings.sum += seconds;
}

interface PlainHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly bounds: readonly number[];
  /** All label sets with their counts. */
  readonly shown: () => Iterable<readonly [labels: Readonly<Record<string, string>>, timings: Timings]>;
}

/** A histogram counted in plain numbers: finding one by its labels in the library costs more than counting. */
export class PlainHistogram extends Histogram<string> {
  readonly #options: PlainHistogramOptions;

  constructor(options: PlainHistogramOptions) {
    super({ name: options.name, help: options.help, registers: [] });
    this.#options = options;
  }

  /** The method that the library calls to render a histogram; the rest of the class goes unused. */
  async getForPromString() {
    const { name, help, bounds, shown } = this.#options;
    const values = [...shown()].flatMap(([labels, { inBucket, sum }]) => {
      let count = 0;
      const buckets = inBucket.map((more, index) => {
        count += more;
        return {
          metricName: `${name}_bucket`,
          labels: { le: bounds[index] ?? '+Inf', ...labels },
          value: count,
        };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }
}

/** Registers a histogram without labels; returns the function that records a duration. */
export function registerTimings(
  registry: Registry,
  { bounds, ...named }: { name: string; help: string; bounds: readonly number[] },
): (seconds: number) => void {
  const timings = createTimings(bounds);
  registry.registerMetric(new PlainHistogram({ ...named, bounds, shown: () => [[{}, timings]] }));
  return (seconds) => addTiming(timings, bounds, seconds);
}
