import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile, ROOT } from './compile.ts';
import { withPublishedNames } from './names.ts';

const PACKAGES = path.join(ROOT, 'packages');

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(path.join(PACKAGES, name, 'package.json'), 'utf8'));
const sourcesOf = (name: string): string => path.join(PACKAGES, name, 'src');

/** For Node.js ≥ 20 and other platforms with `fetch`. */
export function buildSdk(into: string): void {
  rmSync(into, { recursive: true, force: true });
  const options = { target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], types: [] };
  compile({ sources: sourcesOf('sdk'), into, options });
  finish('sdk', into, { engines: { node: '>=20' } });
}

export function buildContract(into: string): void {
  rmSync(into, { recursive: true, force: true });
  compile({ sources: sourcesOf('contract'), into });
  finish('contract', into, { engines: { node: '>=24' } });
}

/** Packages that only the sandbox and the gateway use, which it contains. */
const INSIDE = ['codecs', 'signal'];

export function buildSandbox(into: string, contract: string): void {
  rmSync(into, { recursive: true, force: true });
  for (const name of INSIDE) compile({ sources: sourcesOf(name), into: path.join(into, name) });
  const paths = {
    '@parley/contract': [path.join(contract, 'index.d.ts')],
    '@parley/contract/plain': [path.join(contract, 'plain.d.ts')],
    ...Object.fromEntries(INSIDE.map((name) => [`@parley/${name}`, [path.join(into, name, 'index.d.ts')]])),
  };
  compile({ sources: sourcesOf('sandbox'), into, paths });
  const dependencies = [...INSIDE, 'sandbox'].flatMap((name) =>
    Object.entries(manifestOf(name).dependencies ?? {}),
  );
  finish('sandbox', into, {
    imports: Object.fromEntries(
      INSIDE.map((name) => [`#${name}`, { types: `./${name}/index.d.ts`, default: `./${name}/index.js` }]),
    ),
    dependencies: Object.fromEntries(
      dependencies.filter(([name]) => !INSIDE.includes(name.replace('@parley/', ''))),
    ),
  });
}

/** Published names, a manifest that points to the compiled files, licence and README. */
function finish(name: string, into: string, fields: Readonly<Record<string, unknown>>): void {
  // Only the workspace's manifest is private, against publishing the sources by mistake.
  const { private: _, scripts: __, exports, ...manifest } = manifestOf(name);
  const published = {
    ...manifest,
    ...fields,
    exports: publishedExports(exports),
    files: ['**/*.{js,js.map,d.ts}'],
  };
  writeFileSync(path.join(into, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  for (const file of ['LICENSE', 'README.md'])
    copyFileSync(path.join(PACKAGES, name, file), path.join(into, file));
  for (const file of globSync(path.join(into, '**/*.{js,d.ts,json,md}'))) {
    const text = readFileSync(file, 'utf8')
      .replaceAll(/(['"])@parley\/(codecs|signal)\1/g, '$1#$2$1')
      // The compiler rewrites imports only.
      .replaceAll(/(new URL\('[^']+)\.ts(', import\.meta\.url\))/g, '$1.js$2');
    writeFileSync(file, withPublishedNames(text));
  }
}

/** `./src/index.ts` in the workspace is `./index.js` in the package. */
function publishedExports(exports: Readonly<Record<string, string>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(exports).map(([name, source]) => {
      const module = source.replace('./src/', './').replace(/\.ts$/, '');
      return [name, { types: `${module}.d.ts`, default: `${module}.js` }];
    }),
  );
}
