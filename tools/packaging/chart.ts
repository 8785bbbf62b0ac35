import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderTemplate } from './helm-template.ts';

/** Fields of manifests that the tests use. */
export interface RenderedManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly template?: {
      readonly metadata?: { readonly labels: Readonly<Record<string, string>> };
      readonly spec?: {
        readonly containers: readonly {
          readonly image: string;
          readonly env?: readonly { readonly name: string; readonly value: string }[];
          readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}

/** Overrides of the chart's values, one level deep. */
export type ChartValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Manifests of the chart, as `helm template <release>` prints them. */
export function renderChart(folder: string, release: string, changes: ChartValues): RenderedManifest[] {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const chart = parse(read('Chart.yaml'));
  const values = parse(read('values.yaml'));
  for (const [name, change] of Object.entries(changes)) values[name] = { ...values[name], ...change };
  const root = { Values: values, Release: { Name: release }, Chart: { AppVersion: chart.appVersion } };
  return globSync('templates/*.yaml', { cwd: folder })
    .sort()
    .flatMap((file) =>
      [...parseAllDocuments(renderTemplate(read(file), root), { strict: true, uniqueKeys: true })].flatMap(
        (document) => {
          if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
          return document.contents === null ? [] : [document.toJS()];
        },
      ),
    );
}
