/**
 * Applies each recipe of CONTRIBUTING.md to one copy of the sources and counts the files that were edited by hand. By name and
 * at night it also checks types and tests of the copy, with all recipes applied.
 *
 *     npm test -- recipes -- [name …]      only these
 *     npm test -- recipes -- --write       writes their lists of files into CONTRIBUTING.md
 */
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cases, runCases } from '../../test/process/run-cases.ts';
import { isNightly } from '../../test/runner/nightly.ts';
import { makeScratchCopy } from '../scratch-copy.ts';
import { type Applied, applyRecipe, withList } from './apply.ts';
import { RECIPES } from './recipes.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'CONTRIBUTING.md');
/** Incremental state of the compiler, in a cache shared by copies, whose sources are mostly the same. */
const TYPES = 'node_modules/.cache/recipes.tsbuildinfo';
const OUTPUT_MAX_BYTES = 2 ** 26;

const args = process.argv.slice(2);
const isWriting = args.includes('--write');
const names = args.filter((arg) => arg !== '--write');
const recipes = RECIPES.filter(({ name }) => names.length === 0 || names.includes(name));
using copy = makeScratchCopy(ROOT);
const applied: Applied[] = [];

/** Runs Node in the copy; a failure's error contains its output. */
async function run(...words: string[]): Promise<string> {
  // Paths are relative to the copy, not to npm's working directory.
  const env = { ...process.env, INIT_CWD: copy.path };
  const node = promisify(execFile)(process.execPath, words, {
    cwd: copy.path,
    env,
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  const { stdout } = await node.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${words.join(' ')}\n${stdout}${stderr}`);
  });
  return stdout;
}

async function checkTypes(): Promise<void> {
  const compiler = 'node_modules/typescript/bin/tsc';
  await run(compiler, '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', TYPES);
  if (applied.some(({ edited }) => edited.some((file) => file.startsWith('packages/portal/'))))
    await run(compiler, '-p', 'packages/portal');
}

async function runTests(): Promise<string> {
  const tests = [...new Set(['tools/gen', ...recipes.flatMap((recipe) => recipe.tests)])];
  const printed = await run('test/run.ts', ...tests);
  return printed.trimEnd().split('\n').at(-1) ?? '';
}

function cases(): Cases {
  const each = recipes.map((recipe): [string, () => Promise<string>] => [
    `${recipe.heading}: takes ${recipe.mostFiles} files at most, and CONTRIBUTING.md lists them`,
    async () => {
      const result = applyRecipe(recipe, copy.path);
      applied.push(result);
      const { edited, generated } = result;
      const page = readFileSync(PAGE, 'utf8');
      const wanted = withList(page, result);
      if (isWriting) writeFileSync(PAGE, wanted);
      else assert.equal(page, wanted, 'npm test -- recipes -- --write');
      assert.ok(edited.length <= recipe.mostFiles, `${edited.length} files:\n${edited.join('\n')}`);
      return `${edited.length} edited, ${generated.length} generated`;
    },
  ]);
  return {
    ...Object.fromEntries(each),
    ...(isNightly && {
      'the types hold with all of them': checkTypes,
      'the tests hold with all of them': runTests,
    }),
  };
}

await runCases(cases());
