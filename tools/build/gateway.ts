import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rolldown';
import { recordCode } from './code-cache.ts';
import { inPlainLetters } from './plain-letters.ts';
import { ROOT, refresh } from './sources.ts';

const GATEWAY = path.join(ROOT, 'packages/gateway');
const SOURCES = [
  'packages/{contract,gateway,sandbox,sdk,signal}/{package.json,src/**/*}',
  'package-lock.json',
  'packages/gateway/bin/*',
  'tools/build/{code-cache,gateway}.ts',
];
const THREADS = ['hosting/thread', 'store/sqlite/worker'];
/** What is loaded by its place. */
const ENTRIES = ['main.ts', ...THREADS.map((name) => `${name}.ts`), '*/{write-commands,readings}.ts'];
/** Are there where somebody has installed them, and missed by nobody else. */
const OPTIONAL = ['jimp', 'pg-native'];

/**
 * Puts the gateway and all its packages into a few files of JavaScript in `packages/gateway/dist`: a start then loads some 50 files instead
 * of 2,899. Nothing in them is shortened, so that a stack trace names what the sources name; with `--enable-source-maps` also their lines.
 */
export async function buildGateway(): Promise<void> {
  // An install for production has no sources or no tools: what it was given is run.
  if (!existsSync(path.join(GATEWAY, 'src')) || !existsSync(path.join(ROOT, 'node_modules/rolldown'))) return;
  await refresh(path.join(GATEWAY, 'dist'), SOURCES, async (aside) => {
    const { rolldown } = await import('rolldown');
    const files = globSync(ENTRIES, { cwd: path.join(GATEWAY, 'src') });
    const bundle = await rolldown({
      cwd: GATEWAY,
      input: Object.fromEntries(
        files.map((file) => [file.slice(0, -'.ts'.length), path.join(GATEWAY, 'src', file)]),
      ),
      platform: 'node',
      external: OPTIONAL,
      plugins: [places],
      onLog(level, log, tell) {
        // Packages that import in circles, or evaluate what they made themselves, do so unbundled too.
        if (log.code !== 'CIRCULAR_DEPENDENCY' && log.code !== 'EVAL') tell(level, log);
      },
    });
    await bundle.write({
      dir: aside,
      // V8 keeps what it makes of functions that were called for scripts, and not for modules.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].[hash].cjs',
      sourcemap: true,
      banner: ({ name }) => (THREADS.includes(name) ? `require('${loaderFrom(name)}');` : ''),
    });
    writePlainLetters(aside);
    leaveOutSourcesOfPackages(aside);
    const assets = 'reference/assets';
    cpSync(path.join(GATEWAY, 'src', assets), path.join(aside, assets), { recursive: true });
    await recordCode(aside);
  });
}

/** A thread begins anew with the loaders of Node.js alone. */
function loaderFrom(entry: string): string {
  return path.posix.join(path.posix.relative(path.posix.dirname(entry), '.'), '../bin/code-cache.cjs');
}

/** With a single letter outside of ASCII a whole file is held in memory at two bytes for each letter: 37 MB of 223 in an idle gateway. */
function writePlainLetters(folder: string): void {
  for (const file of globSync('**/*.cjs', { cwd: folder })) {
    const code = readFileSync(path.join(folder, file), 'utf8');
    const plain = inPlainLetters(code);
    if (plain !== code) writeFileSync(path.join(folder, file), plain);
  }
}

/** They are nine tenths of what the maps hold, and whoever wants to read them has them from npm. */
function leaveOutSourcesOfPackages(folder: string): void {
  for (const file of globSync('**/*.map', { cwd: folder })) {
    const map = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    map.sourcesContent = map.sourcesContent.map((content: string, index: number) =>
      map.sources[index].includes('node_modules/') ? null : content,
    );
    writeFileSync(path.join(folder, file), JSON.stringify(map));
  }
}

/** Files that a module finds beside itself are found from where it lay: all parts of the bundle are in one folder, laid out as `src` is. */
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
