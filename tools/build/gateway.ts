import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rolldown';
import { recordCode } from './code-cache.ts';
import { escapeNonAscii } from './escape-non-ascii.ts';
import { ROOT, refresh } from './sources.ts';

const GATEWAY = path.join(ROOT, 'packages/gateway');
const SOURCES = [
  'packages/{contract,gateway,sandbox,sdk,signal}/{package.json,src/**/*}',
  'package-lock.json',
  'packages/gateway/bin/*',
  'tools/build/{code-cache,gateway}.ts',
];
const THREADS = ['app/hosting/thread', 'platform/store/sqlite/worker'];
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
    const bundle = await rolldown({
      cwd: GATEWAY,
      input: Object.fromEntries(
        files.map((file) => [file.slice(0, -'.ts'.length), path.join(GATEWAY, 'src', file)]),
      ),
      platform: 'node',
      external: OPTIONAL,
      plugins: [places],
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

/** Modules find neighbouring files by their original path: all parts of the bundle are in one folder with the layout of `src`. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    const sources = path.join(GATEWAY, 'src') + path.sep;
    if (!id.startsWith(sources) || !code.includes('import.meta')) return;
    const own = id.slice(sources.length).replaceAll(path.sep, '/');
    const placed = code
      .replace(/(new URL\((['"`])[^'"`]*)\.ts(\2, import\.meta\.url)/g, '$1.cjs$3')
      .replaceAll('import.meta.url', `new URL('./${own}', import.meta.url)`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${path.posix.dirname(own)}')`);
    return { code: placed, map: null };
  },
};
