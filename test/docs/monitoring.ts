import { strict as assert } from 'node:assert';
import { sharedDemo } from './demo.ts';
import { read } from './markdown.ts';

const PROMETHEUS_ITSELF = new Set(['up']);
const SUFFIXES = /_(?:bucket|sum|count)$/;

/** Checks that every metric of the dashboard and the alerts exists in a gateway with some traffic. */
export async function monitoringCase(): Promise<string> {
  const demo = await sharedDemo();
  const metrics = await (await fetch(`${demo.url}/metrics`)).text();
  const known = new Set([...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const expressions = [
    ...dashboardExpressions(JSON.parse(read('deploy/grafana/dashboard.json'))),
    ...alertExpressions(read('deploy/prometheus/alerts.yml')),
  ];
  const asked = new Set(expressions.flatMap(metricsIn));
  assert.ok(asked.size >= 8, `only ${asked.size} metrics were found in ${expressions.length} expressions`);
  const unknown = [...asked].filter((name) => !known.has(name) && !known.has(name.replace(SUFFIXES, '')));
  assert.deepEqual(unknown, []);
  return `${asked.size} metrics in ${expressions.length} expressions`;
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

function dashboardExpressions({ panels }: Dashboard): string[] {
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

function alertExpressions(rules: string): string[] {
  return [...rules.matchAll(/expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)/g)].map(
    ([, block, line]) => block ?? line ?? '',
  );
}

/** A metric has an underscore and is not a function, label or variable; `up` is the only one without. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) \([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-z]+(?:_[a-z0-9]+)+(?!\w*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !PROMETHEUS_ITSELF.has(name));
}
