import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, ROLES } from '../../packages/gateway/src/config/config.ts';
import { type ChartValues, renderChart } from './chart.ts';
import { renderTemplate } from './helm-template.ts';

const secrets = {
  PARLEY_DATABASE_URL: 'postgres://parley:secret@db/parley',
  PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  PARLEY_OPERATOR_TOKEN: 'a-token-that-is-long-enough',
  PARLEY_MEDIA_URL: 's3://key:secret@minio/parley',
};
const rendered = (values: ChartValues = {}) => renderChart('deploy/helm/parley', 'shop', values);
const named = (values: ChartValues = {}) =>
  rendered(values).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('the chart', () => {
  it('makes a deployment of each part, shared objects, and a bus', () => {
    expect(named().sort()).toEqual([
      'ConfigMap shop',
      'Deployment shop-api',
      'Deployment shop-nats',
      'Deployment shop-worker',
      'PodDisruptionBudget shop-api',
      'PodDisruptionBudget shop-worker',
      'Service shop',
      'Service shop-nats',
    ]);
    expect(named({ nats: { enabled: false } }).join()).not.toContain('nats');
    expect(named({ ingress: { enabled: true, tlsSecret: 'tls' } })).toContain('Ingress shop');
  });

  it('configures gateways that start and cover every role', () => {
    const all = rendered();
    const shared = all.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const roles = all.flatMap((each) => {
      const [container] = each.spec?.template?.spec?.containers ?? [];
      const own = container?.env?.find(({ name }) => name === 'PARLEY_ROLES')?.value;
      if (own === undefined) return [];
      expect(container?.image).toBe('registry.example.com/parley:0.1.0');
      return [...loadConfig({ ...shared, ...secrets, PARLEY_ROLES: own }).roles];
    });
    expect(roles.sort()).toEqual([...ROLES].sort());
    expect(shared.PARLEY_BUS_URL).toBe('nats://shop-nats:4222');
  });

  it('mounts a shared volume for files in each process, where one is named', () => {
    const { PARLEY_MEDIA_URL: _, ...others } = secrets;
    const all = rendered({ media: { existingClaim: 'parley-media' } });
    const shared = all.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    expect(loadConfig({ ...shared, ...others }).mediaUrl).toBe('file:/media');
    const parts = all.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name !== 'shop-nats');
    for (const { spec } of parts) {
      expect(spec?.template?.spec?.containers?.[0]?.volumeMounts).toContainEqual({
        name: 'media',
        mountPath: '/media',
      });
      expect(spec?.template?.spec?.volumes).toContainEqual({
        name: 'media',
        persistentVolumeClaim: { claimName: 'parley-media' },
      });
    }
    expect(parts).toHaveLength(2);
    expect(() =>
      loadConfig({ ...rendered().find(({ kind }) => kind === 'ConfigMap')?.data, ...others }),
    ).toThrow(/^PARLEY_BUS_URL needs PARLEY_MEDIA_URL /);
  });

  it('routes its service to the API, and has values that fit its schema', () => {
    const service = rendered().find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'shop');
    const deployment = rendered().find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'shop-api',
    );
    expect(deployment?.spec?.template?.metadata?.labels).toMatchObject(
      service?.spec?.selector ?? { none: 'there' },
    );
    const schema = JSON.parse(readFileSync('deploy/helm/parley/values.schema.json', 'utf8'));
    const values = parse(readFileSync('deploy/helm/parley/values.yaml', 'utf8'));
    expect(Object.keys(schema.properties).filter((name) => name !== 'global')).toEqual(Object.keys(values));
  });
});

describe('the renderer of templates', () => {
  it.each([
    ['a {{ .x }} b', 'a 1 b'],
    ['a\n{{- if .none }}\n  b\n{{- end }}\nc', 'a\nc'],
    ['{{- range $k, $v := .map }}\n{{ $k }}={{ $v | quote }} {{ $.x }}{{- end }}', '\np="q" 1'],
    ['x:{{ toYaml .map | nindent 2 }}', 'x:\n  p: q'],
    ['{{ .none | default .x }}', '1'],
  ])('makes of %j what helm makes of it', (template, wanted) => {
    expect(renderTemplate(template, { x: 1, none: '', map: { p: 'q' } })).toBe(wanted);
  });

  it('refuses unknown functions', () => {
    expect(() => renderTemplate('{{ lookup "v1" }}', {})).toThrow('unsupported');
    expect(() => renderTemplate('{{ if .x }}', { x: 1 })).toThrow('no end');
    expect(() => renderTemplate('{{ end }}', {})).toThrow('one end too many');
  });
});
