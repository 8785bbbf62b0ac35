import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What `/metrics` showed at one moment. */
export interface Scrape {
  /** By name and labels, as they are written. */
  readonly series: ReadonlyMap<string, number>;
  /** Names of series that only grow. */
  readonly growing: ReadonlySet<string>;
}

/** Two moments, and the alerts that follow when things go on from the first to the second and stay so. */
export interface Story {
  readonly name: string;
  readonly before: Scrape;
  readonly after: Scrape;
  /** Others may fire with them; where none is named, none may fire. */
  readonly fires: readonly string[];
  /** Where none is named: of no interest, such as those that only depend on how busy the machine is. */
  readonly ignores?: readonly string[];
}

const RULES = join(import.meta.dirname, '../../../../deploy/prometheus/alerts.yml');
/** Longer than any rule looks back, and longer than any waits before it fires. */
const QUIET_MINUTES = 40;
const BROKEN_MINUTES = 80;
/** Rules are asked as rarely as that, because it is all that its tool spends time on. */
const ASKED_EVERY_MINUTES = 5;

export function alertNames(): string[] {
  return [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
}

export function parseScrape(text: string): Scrape {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const series = new Map<string, number>([['up', 1]]);
  const growing = new Set<string>();
  for (const [, name = '', labels = '', value = ''] of text.matchAll(
    /^([a-z]\w*)(\{.*\})? ([-+.\deE]+|\+Inf)$/gm,
  )) {
    series.set(`${name}${labels}`, Number(value));
    const isOf = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (isOf === 'counter' || isOf === 'histogram') growing.add(`${name}${labels}`);
  }
  return { series, growing };
}

/** The same with other values: for what cannot be broken here. Only series that were scraped can be changed. */
export function changed({ series, growing }: Scrape, values: Readonly<Record<string, number>>): Scrape {
  const other = new Map(series);
  for (const [name, value] of Object.entries(values)) {
    if (!series.has(name)) throw new Error(`nothing called ${name} was scraped`);
    other.set(name, value);
  }
  return { series: other, growing };
}

/** Has Prometheus itself judge: by its own tool, on time that it makes up. */
export async function judgeAlerts(promtool: string, stories: readonly Story[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-alerts-'));
  const file = join(folder, 'test.json');
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      rule_files: [RULES],
      evaluation_interval: `${ASKED_EVERY_MINUTES}m`,
      tests: stories.map(testOf),
    }),
  );
  try {
    await promisify(execFile)(promtool, ['check', 'rules', RULES]);
    await promisify(execFile)(promtool, ['test', 'rules', file]);
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function testOf({ name, before, after, fires, ignores = [] }: Story) {
  const asked = fires.length > 0 ? `alertname=~"${fires.join('|')}"` : `alertname!~"${ignores.join('|')}"`;
  const judged = `sum by (alertname) (ALERTS{alertstate="firing", ${asked}}) > bool 0`;
  const sample = (alert: string) => ({ labels: `{alertname="${alert}"}`, value: 1 });
  return {
    name,
    interval: '1m',
    input_series: [...new Set([...before.series.keys(), ...after.series.keys()])].map((series) => ({
      series: labelled(series),
      values: valuesOf(series, before, after),
    })),
    promql_expr_test: [
      {
        expr: judged,
        // For what fires while something happens, and for what fires when it has lasted.
        eval_time: `${QUIET_MINUTES + BROKEN_MINUTES - ASKED_EVERY_MINUTES}m`,
        exp_samples: [...fires].sort().map(sample),
      },
    ],
  };
}

function labelled(series: string): string {
  const [, name, labels] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${name}{${[labels, 'job="parley"', 'instance="here:8080"'].filter(Boolean).join(',')}}`;
}

/** A counter goes on growing every minute by what the breakage added to it; anything else stays as it was found. */
function valuesOf(series: string, before: Scrape, after: Scrape): string {
  const [first, then] = [before.series.get(series), after.series.get(series)];
  const isGrowing = before.growing.has(series) || after.growing.has(series);
  if (isGrowing && then !== undefined) {
    const from = first ?? 0;
    const more = Math.max(then - from, 0);
    return `${from}+0x${QUIET_MINUTES} ${from + more}+${more}x${BROKEN_MINUTES}`;
  }
  const held = (value: number | undefined, minutes: number): string =>
    value === undefined ? `_x${minutes}` : `${value}+0x${minutes}`;
  return `${held(first, QUIET_MINUTES)} ${held(then, BROKEN_MINUTES)}`;
}
