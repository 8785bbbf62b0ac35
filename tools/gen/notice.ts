import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Packages whose code is in the bundle of the gateway and in the pages of the portal. */
const SHIPPED = ['packages/gateway', 'packages/portal'];
/** Makes the pages, and is not in them. */
const TOOLS: ReadonlySet<string> = new Set(['vite']);
const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:[-.].*)?$/i;
const COPYRIGHT = /^\W*(?:Copyright\b|©)(?!.*\[yyyy\])/;

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

interface Library {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly copyright: readonly string[];
  /** Without the lines of copyright, so that equal licences are equal texts. */
  readonly text: string;
}

/** The licences of everything that is shipped, each text once. */
export function noticeOf(): Record<string, string> {
  const libraries = shippedLibraries();
  const byText = Map.groupBy(libraries, ({ license, text }) => `${license}\n${text}`);
  const lines = libraries.map(
    ({ name, version, license, copyright }) =>
      `${name} ${version} (${license})${copyright.map((line) => `\n    ${line}`).join('')}`,
  );
  const texts = [...byText.values()].map((those) => {
    const [first] = those;
    return `${'-'.repeat(78)}\n${first?.license}: ${those.map(({ name }) => name).join(', ')}\n\n${first?.text || 'The package names this licence and comes without its text.'}\n`;
  });
  return {
    NOTICE: `Parley ships the code of these libraries. Made by \`npm run gen\`.\n\n${lines.join('\n')}\n\n${texts.join('\n')}`,
  };
}

function shippedLibraries(): Library[] {
  const found = new Map<string, Library>();
  const visited = new Set<string>();
  const visit = (name: string, from: string): void => {
    if (TOOLS.has(name)) return;
    const folder = folderOf(name, from);
    if (!folder || visited.has(folder)) return;
    visited.add(folder);
    const manifest = manifestIn(folder);
    // Our own packages are in workspaces.
    if (!folder.startsWith(join(ROOT, 'packages')) && !isOurs(name)) {
      const library = describe(name, folder, manifest);
      found.set(`${name} ${library.version}`, library);
    }
    for (const each of Object.keys(manifest.dependencies ?? {})) visit(each, folder);
  };
  for (const path of SHIPPED) {
    const folder = join(ROOT, path);
    const { dependencies, devDependencies } = manifestIn(folder);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) visit(name, folder);
  }
  return [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, library]) => library);
}

const isOurs = (name: string): boolean => name.startsWith('@parley/') || name === 'parley-sdk';

/** As Node.js finds it: in the nearest folder of packages. */
function folderOf(name: string, from: string): string | undefined {
  for (let folder = from; folder.startsWith(ROOT); folder = join(folder, '..')) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function describe(
  name: string,
  folder: string,
  { version, license = 'no licence named' }: Manifest,
): Library {
  const file = readdirSync(folder).find((each) => LICENSE_FILE.test(each));
  const lines = (file ? readFileSync(join(folder, file), 'utf8') : '').replaceAll('\r', '').split('\n');
  const copyright = lines.map((line) => line.trim()).filter((line) => COPYRIGHT.test(line));
  const text = lines.filter((line) => !COPYRIGHT.test(line)).map((line) => line.trim());
  return { name, version, license, copyright, text: joined(text) };
}

/** Paragraphs on one line each, because packages wrap the same text differently. */
function joined(lines: readonly string[]): string {
  return lines
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').trim())
    .filter(Boolean)
    .join('\n\n');
}
