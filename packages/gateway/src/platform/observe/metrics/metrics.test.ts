import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createAnswerMetrics } from './metrics.ts';

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

it('renders the same values as the library’s own histogram, on each scrape', async () => {
  const ours = new Registry();
  const theirs = new Registry();
  const observe = createAnswerMetrics(ours);
  const model = new Histogram({
    name: 'parley_http_answer_seconds',
    help: 'Time to answer by operation',
    labelNames: ['operation'],
    buckets: BOUNDS,
    registers: [theirs],
  });
  for (const seconds of [0, 0.0009, 0.001, 0.0011, 0.3, 0.3, 20, 21, 400]) {
    for (const operation of ['sendMessage', 'listGroups']) {
      observe({ operation, status: seconds > 20 ? 502 : 200, seconds });
      model.observe({ operation }, seconds);
    }
    const [shown, expected] = await Promise.all(
      [ours, theirs].map((registry) => registry.getSingleMetricAsString('parley_http_answer_seconds')),
    );
    expect(shown).toBe(expected);
  }
  const counts = await ours.getSingleMetricAsString('parley_http_answers_total');
  expect(counts).toContain('parley_http_answers_total{operation="sendMessage",status="200"} 7');
  expect(counts).toContain('parley_http_answers_total{operation="listGroups",status="502"} 2');
});
