import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { operations } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig, ROLES, SETTINGS } from '../../packages/gateway/src/config/config.ts';

/** Checks the manifests of Docker and Kubernetes against the gateway. */
const read = (file: string): string => readFileSync(file, 'utf8');
const MANIFESTS = globSync('deploy/kubernetes/*.yaml').sort();
const FILES = ['Dockerfile', 'compose.yaml', 'compose.dev.yaml', ...MANIFESTS];
const PORT = 8080;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Manifest {
  readonly kind: string;
  readonly metadata?: { readonly name: string };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec?: {
    readonly selector?: Record<string, unknown>;
    readonly template?: {
      readonly metadata: { readonly labels: Record<string, string> };
      readonly spec: { readonly containers: readonly Container[] };
    };
  };
}

function manifestsOf(file: string): Manifest[] {
  const documents = parseAllDocuments(read(file), { strict: true, uniqueKeys: true });
  return [...documents].map((document) => {
    expect(document.errors, file).toEqual([]);
    return document.toJS({ maxAliasCount: -1 });
  });
}

const kubernetes = MANIFESTS.flatMap(manifestsOf);
const ofKind = (kind: string): Manifest[] => kubernetes.filter((manifest) => manifest.kind === kind);
const gateways = ofKind('Deployment').filter(({ metadata }) => metadata?.name.startsWith('parley'));

function only<T>(items: readonly T[] | undefined): T {
  const [item] = items ?? [];
  if (item === undefined || items?.length !== 1)
    throw new Error(`one was expected, there are ${items?.length}`);
  return item;
}

/** Interpolates variables as compose does: the given value, or the default behind `:-`. */
function interpolated(text: string, given: Record<string, string>): string {
  return text.replace(
    /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (_whole, name, standard) => given[name] ?? standard ?? '',
  );
}

describe('every setting that is named anywhere', () => {
  const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));
  it.each(FILES)('in %s exists', (file) => {
    const named = new Set(read(file).match(/\bPARLEY_\w+/g));
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const secrets = {
    POSTGRES_PASSWORD: 'secret',
    PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PARLEY_OPERATOR_TOKEN: 'a token that is long enough'.replaceAll(' ', '-'),
  };
  const parsed = (given: Record<string, string>) => {
    const document = only([...parseAllDocuments(interpolated(read('compose.yaml'), given), { merge: true })]);
    expect(document.errors).toEqual([]);
    return document.toJS() as {
      services: Record<
        string,
        { environment?: Record<string, string>; ports?: string[]; volumes?: string[] }
      >;
      volumes: Record<string, null>;
    };
  };

  it.each([
    ['the real network', {}],
    ['virtual phones', { PARLEY_NETWORK: 'sandbox', PARLEY_SANDBOX_URL: 'http://sandbox:8080' }],
  ])('configures gateways that start, on %s', (_title, given) => {
    const { services } = parsed({ ...secrets, ...given });
    for (const name of ['gateway-a', 'gateway-b']) {
      const config = loadConfig(services[name]?.environment ?? {});
      expect(config.mode).toBe('production');
      expect(new URL(config.databaseUrl).hostname in services).toBe(true);
      expect(new URL(config.busUrls[0] ?? '').hostname in services).toBe(true);
    }
    loadConfig(services.sandbox?.environment ?? {});
  });

  it('maps ports and volumes to those of the image', () => {
    const { services, volumes } = parsed(secrets);
    for (const name of ['gateway-a', 'gateway-b']) {
      expect(only(services[name]?.ports)).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+:${PORT}$`));
      expect(services[name]?.volumes).toEqual([`${name}:/data`, 'media:/media']);
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining([name, 'media']));
    }
  });

  it('takes from every service of ours what it does not need, and bounds its log', () => {
    const { services } = parsed(secrets);
    for (const name of ['gateway-a', 'gateway-b', 'sandbox', 'nats'])
      expect(services[name], name).toMatchObject({
        init: true,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { options: { 'max-size': expect.any(String) } },
      });
  });
});

describe('compose.dev.yaml', () => {
  it('configures a gateway that starts on virtual phones and takes webhooks by plain http', () => {
    const { services } = parse(interpolated(read('compose.dev.yaml'), {}));
    expect(loadConfig(services.parley.environment)).toMatchObject({
      mode: 'development',
      network: 'sandbox',
    });
    expect(only(services.parley.ports as string[])).toBe(`127.0.0.1:${PORT}:${PORT}`);
  });
});

describe('the Kubernetes manifests', () => {
  const config = only(ofKind('ConfigMap')).data ?? {};
  const secret = only(ofKind('Secret')).stringData ?? {};
  const fromImage = { PARLEY_HOST: '0.0.0.0', PARLEY_PORT: `${PORT}` };

  it('configure processes that start and together cover every role', () => {
    const roles = gateways.flatMap(({ spec }) => {
      const { env = [] } = only(spec?.template?.spec.containers);
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      return [...loadConfig({ ...fromImage, ...config, ...secret, ...own }).roles];
    });
    expect(roles.sort()).toEqual([...ROLES].sort());
  });

  it('probe the health endpoint on the open port', () => {
    const paths = Object.values(operations).map(({ path }) => path);
    for (const { spec } of gateways) {
      const container = only(spec?.template?.spec.containers);
      expect(only(container.ports)).toEqual({ name: 'http', containerPort: PORT });
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
        const { path, port } = container[probe].httpGet;
        expect(paths).toContain(path);
        expect(port).toBe('http');
      }
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(config.PARLEY_DATA_DIR);
    }
  });

  it('are all applied, and select pods that exist', () => {
    const listed = ofKind('Kustomization').flatMap(
      (each) => (each as unknown as { resources: string[] }).resources,
    );
    const files = MANIFESTS.map((file) => file.split('/').at(-1));
    const applied = files.filter((file) => file !== 'kustomization.yaml' && file !== 'secret.example.yaml');
    expect(listed.sort()).toEqual(applied.sort());
    const labels = ofKind('Deployment').map(({ spec }) => spec?.template?.metadata.labels);
    for (const { spec, metadata } of ofKind('Service')) {
      const wanted = Object.entries(spec?.selector ?? {});
      const found = labels.filter((each) => wanted.every(([name, value]) => each?.[name] === value));
      expect(found, metadata?.name).toHaveLength(1);
    }
  });
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const copies = lines.flatMap((line) => /^COPY (?!--from)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? []);

  it('runs as an unprivileged user, on its declared port and folder', () => {
    const text = lines.join('\n');
    expect(text).toMatch(/^USER node$/m);
    expect(text.indexOf('USER node')).toBeLessThan(text.indexOf('ENTRYPOINT'));
    expect(text).toMatch(new RegExp(`^ENV PARLEY_PORT=${PORT}$`, 'm'));
    expect(text).toMatch(new RegExp(`^EXPOSE ${PORT}$`, 'm'));
    expect(text).toMatch(/^ENV PARLEY_DATA_DIR=\/data$/m);
    expect(text).toMatch(/^VOLUME \/data$/m);
  });

  it('runs the same Node.js as the rest of Parley', () => {
    const { version } = JSON.parse(read('tools/node-runtime/package.json'));
    const images = new Set(lines.flatMap((line) => /^FROM (node:\S+)/.exec(line)?.[1] ?? []));
    expect([...images]).toEqual([`node:${version}-bookworm-slim`]);
  });

  it('has every file that it copies in its build context', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .flatMap((line) => /^!(.*)/.exec(line)?.[1] ?? []);
    const isGiven = (file: string): boolean =>
      allowed.some((each) => file === each || matchesGlob(file, `${each}/**`));
    expect(copies.filter((file) => !isGiven(file))).toEqual([]);
    expect(copies.filter((file) => globSync(file).length === 0)).toEqual([]);
  });
});
