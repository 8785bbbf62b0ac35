import { Counter, Histogram, type Registry } from 'prom-client';
import type { Answered } from '#http';

const UPPER_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** What one operation has answered so far. */
interface AnswerCounter {
  readonly byStatus: Map<number, number>;
  /** How many answers fell under each bound and not under the one before; the last counts what took longer than all. */
  readonly inBucket: number[];
  seconds: number;
}

/**
 * The answers by operation. Counted in plain numbers and handed to the library when somebody asks for them: finding a metric by its
 * labels costs a twentieth of a whole request, and every request would pay it twice.
 */
export function createAnswerMetrics(registry: Registry): (answered: Answered) => void {
  const counters = new Map<string, AnswerCounter>();

  registry.registerMetric(
    new Counter({
      name: 'parley_http_answers_total',
      help: 'HTTP answers by operation and status',
      labelNames: ['operation', 'status'],
      registers: [],
      collect() {
        this.reset();
        for (const [operation, { byStatus }] of counters) {
          for (const [status, count] of byStatus) this.inc({ operation, status }, count);
        }
      },
    }),
  );
  registry.registerMetric(new AnswerSeconds(counters));

  return ({ operation, status, seconds }) => {
    let counter = counters.get(operation);
    if (!counter) {
      counter = { byStatus: new Map(), inBucket: new Array(UPPER_BOUNDS.length + 1).fill(0), seconds: 0 };
      counters.set(operation, counter);
    }
    counter.byStatus.set(status, (counter.byStatus.get(status) ?? 0) + 1);
    const bucket = UPPER_BOUNDS.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? UPPER_BOUNDS.length : bucket;
    counter.inBucket[index] = (counter.inBucket[index] ?? 0) + 1;
    counter.seconds += seconds;
  };
}

const name = 'parley_http_answer_seconds';
const help = 'Time to answer by operation';

class AnswerSeconds extends Histogram<'operation'> {
  readonly #counters: ReadonlyMap<string, AnswerCounter>;

  constructor(counters: ReadonlyMap<string, AnswerCounter>) {
    super({ name, help, labelNames: ['operation'], registers: [] });
    this.#counters = counters;
  }

  /** What the library asks for whenever it shows a histogram; the rest of it goes unused. */
  async getForPromString() {
    const values = [...this.#counters].flatMap(([operation, { inBucket, seconds }]) => {
      let count = 0;
      const buckets = inBucket.map((more, index) => {
        count += more;
        return {
          metricName: `${name}_bucket`,
          labels: { le: UPPER_BOUNDS[index] ?? '+Inf', operation },
          value: count,
        };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels: { operation }, value: seconds },
        { metricName: `${name}_count`, labels: { operation }, value: count },
      ];
    });
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }
}
