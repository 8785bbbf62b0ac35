/** Builds, checks and packs every published package into `dist`: `npm run packages`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { toolsOnDemand } from '../tools-on-demand.ts';
import { ROOT } from './compile.ts';
import { buildGatewayPackage } from './gateway.ts';
import { nameHome } from './home.ts';
import { buildContract, buildSandbox, buildSdk } from './libraries.ts';

export interface Packed {
  readonly name: string;
  readonly tarball: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
}

const BUILT = path.join(ROOT, 'dist');

/** Built inside the repository, where the compiler finds the types of dependencies. */
export async function packAll(into = BUILT): Promise<Packed[]> {
  rmSync(BUILT, { recursive: true, force: true });
  const folder = (name: string): string => path.join(BUILT, 'packages', name);
  mkdirSync(folder(''), { recursive: true });
  mkdirSync(into, { recursive: true });
  buildSdk(folder('sdk'));
  buildContract(folder('contract'));
  buildSandbox(folder('sandbox'), folder('contract'));
  buildGatewayPackage(folder('gateway'));
  const judges = await toolsOnDemand(path.join(import.meta.dirname, 'judges'));
  return ['sdk', 'contract', 'sandbox', 'gateway'].map((name) => {
    nameHome(name, folder(name), process.env);
    const packed = pack(folder(name), into);
    judge(judges, folder(name), packed.tarball);
    return packed;
  });
}

function pack(folder: string, into: string): Packed {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ name, filename, size, unpackedSize }] = JSON.parse(output);
  return { name, tarball: path.join(into, filename), bytes: size, unpackedBytes: unpackedSize };
}

/** Checks that package managers, bundlers and the compiler can resolve the package. */
function judge(judges: string, folder: string, tarball: string): void {
  run(path.join(judges, 'publint/src/cli.js'), [tarball, '--strict'], folder);
  const { exports } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  // A program has no types.
  if (exports !== undefined)
    run(path.join(judges, '@arethetypeswrong/cli/dist/index.js'), [tarball, '--profile', 'esm-only'], folder);
}

function run(program: string, args: readonly string[], cwd: string): void {
  if (!existsSync(program)) throw new Error(`there is no ${program}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${path.basename(path.dirname(program))} on ${cwd}:\n${stdout}${stderr}`);
}

if (import.meta.main) {
  for (const { name, tarball, bytes, unpackedBytes } of await packAll())
    console.log(
      `${name}: ${tarball}, ${Math.ceil(bytes / 1024)} KB (${Math.ceil(unpackedBytes / 1024)} KB unpacked)`,
    );
}
