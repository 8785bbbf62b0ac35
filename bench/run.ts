import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs } from '../test/services/cleanup.ts';

/**
 * Runs benchmarks one after the other, all of them or those named: `npm run bench -- [name …] [options for each]`. A benchmark is
 * a folder here with a `run.ts` that prints one line per target, ending in `holds` or `MISSED`; the closing table collects these
 * lines.
 */
const all = readdirSync(import.meta.dirname)
  .filter((name) => existsSync(scriptOf(name)))
  .toSorted();

interface Result {
  readonly name: string;
  readonly verdicts: readonly string[];
  readonly passed: boolean;
}

function scriptOf(name: string): string {
  return join(import.meta.dirname, name, 'run.ts');
}

async function run(name: string): Promise<Result> {
  console.log(`\n── ${name}`);
  const child = endWithUs(
    spawn(process.execPath, [scriptOf(name), ...options], { stdio: ['ignore', 'pipe', 'inherit'] }),
    'SIGTERM',
  );
  const exited = once(child, 'exit');
  const verdicts: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    console.log(line);
    if (/ (?:holds|MISSED)$/.test(line)) verdicts.push(line);
  }
  const [code] = await exited;
  return { name, verdicts, passed: code === 0 };
}

const args = process.argv.slice(2);
const end = args.findIndex((arg) => arg.startsWith('-'));
const [names, options] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)];
const unknown = names.find((name) => !all.includes(name));
if (unknown) {
  console.error(`There is no benchmark ${unknown}; there are ${all.join(', ')}.`);
  process.exit(1);
}

const results: Result[] = [];
for (const name of names.length > 0 ? names : all) results.push(await run(name));

const width = Math.max(...results.map(({ name }) => name.length));
console.log('');
for (const { name, verdicts, passed } of results) {
  const lines = passed || verdicts.length > 0 ? verdicts : ['did not come to an end'];
  for (const line of lines) console.log(`${name.padEnd(width)}  ${line}`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
