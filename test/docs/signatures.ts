import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clock } from '../process/parley.ts';
import { newFolder } from '../process/surroundings.ts';
import { findProgram } from '../services/processes.ts';
import { blocksOf, read } from './markdown.ts';

const run = promisify(execFile);

/** How a sample becomes a program that reads header, secret and body from its arguments and prints whether it believes them. */
interface Toolchain {
  readonly program: string;
  readonly file: string;
  readonly args: readonly string[];
  complete(sample: string): string;
}

const TOOLCHAINS: Readonly<Record<string, Toolchain>> = {
  ts: {
    program: 'node',
    file: 'sample.mts',
    args: [],
    complete: (sample) =>
      `${sample}\nconst [header = '', secret = '', body = ''] = process.argv.slice(2);\nconsole.log(isGenuine(Buffer.from(body), header, secret));\n`,
  },
  python: {
    program: 'python3',
    file: 'sample.py',
    args: [],
    complete: (sample) =>
      `${sample}\nimport sys\nprint(str(is_genuine(sys.argv[3].encode(), sys.argv[1], sys.argv[2])).lower())\n`,
  },
  go: {
    program: 'go',
    file: 'sample.go',
    args: ['run'],
    complete: (sample) =>
      `package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\n${sample}\nfunc main() {\n\tfmt.Println(IsGenuine([]byte(os.Args[3]), os.Args[1], os.Args[2]))\n}\n`,
  },
  php: {
    program: 'php',
    file: 'sample.php',
    args: [],
    complete: (sample) =>
      `<?php\n${sample}\necho isGenuine($argv[3], $argv[1], $argv[2]) ? "true\\n" : "false\\n";\n`,
  },
  java: {
    program: 'java',
    file: 'Sample.java',
    args: ['-Xshare:auto', '-XX:TieredStopAtLevel=1'],
    // The launcher starts the first class of the file, which must stand behind the imports.
    complete: (sample) =>
      sample.replace(
        /\nclass /,
        '\npublic class Sample { public static void main(String[] a) throws Exception { System.out.println(ParleySignature.isGenuine(a[2].getBytes(), a[0], a[1])); } }\nclass ',
      ),
  },
};

const SECRET = 'whsec_of_the_guides';
const BODY = '{"kind":"message","text":"Grüße & 👋"}';

/** What a receiver may be sent, and whether it must believe it. */
function attempts(): [name: string, header: string, body: string, genuine: boolean][] {
  const now = Math.floor(clock.now() / 1000);
  const sign = (t: number, secret = SECRET) =>
    createHmac('sha256', secret).update(`${t}.${BODY}`).digest('hex');
  return [
    ['genuine', `t=${now},v1=${sign(now)}`, BODY, true],
    ['while the secret is rotated', `t=${now},v1=${sign(now, 'whsec_new')},v1=${sign(now)}`, BODY, true],
    ['another secret', `t=${now},v1=${sign(now, 'whsec_other')}`, BODY, false],
    ['another body', `t=${now},v1=${sign(now)}`, `${BODY} `, false],
    ['six minutes old', `t=${now - 360},v1=${sign(now - 360)}`, BODY, false],
    ['no signature', `t=${now}`, BODY, false],
    ['nonsense', 'v1=zz,=,t', BODY, false],
  ];
}

/** Runs the verification of each language that this machine has, and says which ones it has not. */
export async function signaturesCase(): Promise<string> {
  const samples = blocksOf(read('docs/webhooks.md')).filter(({ words }) => words.includes('tab'));
  assert.deepEqual(
    samples.map(({ language }) => language),
    Object.keys(TOOLCHAINS),
  );
  const folder = newFolder();
  const tried: string[] = [];
  for (const { language, code } of samples) {
    const { program, file, args, complete } = TOOLCHAINS[language] as Toolchain;
    const found = program === 'node' ? process.execPath : findProgram(program);
    if (found === undefined) {
      console.log(`    ${language} is not tried: this machine has no ${program}`);
      continue;
    }
    const path = join(folder, file);
    writeFileSync(path, complete(code));
    const judge = async (header: string, body: string) =>
      (await run(found, [...args, path, header, SECRET, body])).stdout.trim();
    await Promise.all(
      attempts().map(async ([name, header, body, genuine]) =>
        assert.equal(await judge(header, body), `${genuine}`, `${language}: ${name}`),
      ),
    );
    tried.push(language);
  }
  return tried.join(', ');
}
