import { Histogram, type Registry } from 'prom-client';

/** What one label of a histogram has counted so far, in plain numbers. */
export interface Timings {
  /** How many fell under each bound and not under the one before; the last counts what took longer than all. */
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
  /** All that it shows, with the labels of each. */
  readonly shown: () => Iterable<readonly [labels: Readonly<Record<string, string>>, timings: Timings]>;
}

/** A histogram that is counted elsewhere, in plain numbers: finding one by its labels in the library costs more than the counting. */
export class PlainHistogram extends Histogram<string> {
  readonly #options: PlainHistogramOptions;

  constructor(options: PlainHistogramOptions) {
    super({ name: options.name, help: options.help, registers: [] });
    this.#options = options;
  }

  /** What the library asks for whenever it shows a histogram; the rest of it goes unused. */
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

/** A histogram without labels; answers what to call with each time that was taken. */
export function registerTimings(
  registry: Registry,
  { bounds, ...named }: { name: string; help: string; bounds: readonly number[] },
): (seconds: number) => void {
  const timings = createTimings(bounds);
  registry.registerMetric(new PlainHistogram({ ...named, bounds, shown: () => [[{}, timings]] }));
  return (seconds) => addTiming(timings, bounds, seconds);
}
