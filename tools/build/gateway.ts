import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { recordCode } from './code-cache.ts';
import { escapeNonAscii } from './escape-non-ascii.ts';
import { ROOT, refresh } from './sources.ts';

const GATEWAY = path.join(ROOT, 'packages/gateway');
const SOURCES = [
  'packages/{codecs,contract,gateway,sandbox,sdk,signal}/{package.json,src/**/*}',
  'package-lock.json',
  'packages/gateway/bin/*',
  'tools/build/{code-cache,gateway}.ts',
];
const THREADS = ['app/hosting/thread', 'platform/store/sqlite/worker'];
/** Its thread and its WebAssembly are loaded by their path. */
const CODECS = path.join(ROOT, 'packages/codecs/src');
/** Modules that are loaded by their path. */
const ENTRIES = ['main.ts', ...THREADS.map((name) => `${name}.ts`), '**/{write-commands,readings}.ts'];
/** Optional packages, loaded only where they are installed. */
const OPTIONAL = ['jimp', 'pg-native'];

/**
 * Bundles the gateway and all its packages into a few files of JavaScript in `packages/gateway/dist`: a start then loads some 50
 * files instead of 2,899. They are not minified, so that stack traces have the names of the sources; with `--enable-source-maps`
 * also their lines.
 */
export async function buildGateway(): Promise<void> {
  // A production install has no sources or no tools, and runs the bundle that it came with.
  if (!existsSync(path.join(GATEWAY, 'src')) || !existsSync(path.join(ROOT, 'node_modules/rolldown'))) return;
  await refresh(path.join(GATEWAY, 'dist'), SOURCES, async (aside) => {
    const { rolldown } = await import('rolldown');
    const files = globSync(ENTRIES, { cwd: path.join(GATEWAY, 'src'), exclude: ['**/testing/**'] });
    const binaries = new Map<string, string>();
    const bundle = await rolldown({
      cwd: GATEWAY,
      input: {
        ...Object.fromEntries(
          files.map((file) => [file.slice(0, -'.ts'.length), path.join(GATEWAY, 'src', file)]),
        ),
        'codecs-thread': path.join(CODECS, 'codecs-thread.ts'),
      },
      platform: 'node',
      external: OPTIONAL,
      plugins: [places(binaries)],
      onLog(level, log, report) {
        // Import cycles and generated code of packages are not caused by the bundle.
        if (log.code !== 'CIRCULAR_DEPENDENCY' && log.code !== 'EVAL') report(level, log);
      },
    });
    await bundle.write({
      dir: aside,
      // V8 caches called functions of scripts, but not of modules.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].[hash].cjs',
      sourcemap: true,
      banner: ({ name }) => (THREADS.includes(name) ? `require('${loaderFrom(name)}');` : ''),
    });
    escapeFolder(aside);
    leaveOutSourcesOfPackages(aside);
    const assets = 'surfaces/reference/assets';
    cpSync(path.join(GATEWAY, 'src', assets), path.join(aside, assets), { recursive: true });
    for (const [place, file] of binaries) cpSync(file, path.join(aside, place));
    await recordCode(aside);
  });
}

/** A thread starts with the loaders of Node.js only. */
function loaderFrom(entry: string): string {
  return path.posix.join(path.posix.relative(path.posix.dirname(entry), '.'), '../bin/code-cache.cjs');
}

/** One character outside ASCII makes V8 hold the whole file at two bytes per character: 37 MB of 223 in an idle gateway. */
function escapeFolder(folder: string): void {
  for (const file of globSync('**/*.cjs', { cwd: folder })) {
    const code = readFileSync(path.join(folder, file), 'utf8');
    const plain = escapeNonAscii(code);
    if (plain !== code) writeFileSync(path.join(folder, file), plain);
  }
}

/** Sources of packages are nine tenths of the maps, and are available from npm. */
function leaveOutSourcesOfPackages(folder: string): void {
  for (const file of globSync('**/*.map', { cwd: folder })) {
    const map = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    map.sourcesContent = map.sourcesContent.map((content: string, index: number) =>
      map.sources[index].includes('node_modules/') ? null : content,
    );
    writeFileSync(path.join(folder, file), JSON.stringify(map));
  }
}

/**
 * Modules find neighbouring files by their original path: all parts of the bundle are in one folder with the layout of `src`. Files
 * that they resolve in a package are put beside them, and noted in `binaries`.
 */
const places = (binaries: Map<string, string>): Plugin => ({
  name: 'places',
  transform(code, id) {
    const own = placeOf(id);
    if (own === undefined || !code.includes('import.meta')) return;
    const folder = path.posix.dirname(own);
    const placed = code
      .replace(/(new URL\((['"`])[^'"`]*)\.ts(\2, import\.meta\.url)/g, '$1.cjs$3')
      .replace(/import\.meta\.resolve\('([^']+)'\)/g, (_, name: string) => {
        const place = path.posix.join(folder, path.basename(name));
        binaries.set(place, fileURLToPath(import.meta.resolve(name, pathToFileURL(id).href)));
        return `new URL('./${path.basename(name)}', import.meta.url).href`;
      })
      .replaceAll('import.meta.url', `new URL('./${own}', import.meta.url)`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${folder}')`);
    return { code: placed, map: null };
  },
});

/** Path of a module inside the bundle's folder; undefined for packages. */
function placeOf(id: string): string | undefined {
  const inside = (folder: string) => {
    const relative = path.relative(folder, id);
    return relative.startsWith('..') ? undefined : relative.replaceAll(path.sep, '/');
  };
  // An entry keeps its own code in its own folder, so the codecs are on top.
  return inside(CODECS) ?? inside(path.join(GATEWAY, 'src'));
}
