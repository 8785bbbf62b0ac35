import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../process/environment.ts';
import { clock } from '../process/parley.ts';
import { findProgram } from '../services/processes.ts';
import { blocksOf, read } from './markdown.ts';

const run = promisify(execFile);

/**
 * Turns a sample into a program that gets the secret, then alternating headers and bodies, and prints for each pair whether it
 * verifies.
 */
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
      `${sample}\nconst [secret = '', ...pairs] = process.argv.slice(2);\nfor (let i = 0; i < pairs.length; i += 2) console.log(isGenuine(Buffer.from(pairs[i + 1]), pairs[i], secret));\n`,
  },
  python: {
    program: 'python3',
    file: 'sample.py',
    args: [],
    complete: (sample) =>
      `${sample}\nimport sys\nsecret, *pairs = sys.argv[1:]\nfor header, body in zip(pairs[::2], pairs[1::2]):\n    print(str(is_genuine(body.encode(), header, secret)).lower())\n`,
  },
  go: {
    program: 'go',
    file: 'sample.go',
    args: ['run'],
    complete: (sample) =>
      `package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\n${sample}\nfunc main() {\n\tfor i := 2; i < len(os.Args); i += 2 {\n\t\tfmt.Println(IsGenuine([]byte(os.Args[i+1]), os.Args[i], os.Args[1]))\n\t}\n}\n`,
  },
  php: {
    program: 'php',
    file: 'sample.php',
    args: [],
    complete: (sample) =>
      `<?php\n${sample}\nfor ($i = 2; $i < $argc; $i += 2) echo isGenuine($argv[$i + 1], $argv[$i], $argv[1]) ? "true\\n" : "false\\n";\n`,
  },
  java: {
    program: 'java',
    file: 'Sample.java',
    args: ['-Xshare:auto', '-XX:TieredStopAtLevel=1'],
    // The launcher starts the first class of the file, which must come after the imports.
    complete: (sample) =>
      sample.replace(
        /\nclass /,
        '\npublic class Sample { public static void main(String[] a) throws Exception { for (int i = 1; i < a.length; i += 2) System.out.println(ParleySignature.isGenuine(a[i + 1].getBytes(), a[i], a[0])); } }\nclass ',
      ),
  },
};

const SECRET = 'whsec_of_the_guides';
const BODY = '{"kind":"message","text":"Grüße & 👋"}';

/** Requests to a receiver, with the expected result of their verification. */
function attempts(): { name: string; header: string; body: string; genuine: boolean }[] {
  const now = Math.floor(clock.now() / 1000);
  const sign = (t: number, secret = SECRET) =>
    createHmac('sha256', secret).update(`${t}.${BODY}`).digest('hex');
  const good = `t=${now},v1=${sign(now)}`;
  const old = now - 360;
  return [
    { name: 'genuine', header: good, body: BODY, genuine: true },
    {
      name: 'while the secret is rotated',
      header: `t=${now},v1=${sign(now, 'whsec_new')},v1=${sign(now)}`,
      body: BODY,
      genuine: true,
    },
    { name: 'another secret', header: `t=${now},v1=${sign(now, 'whsec_other')}`, body: BODY, genuine: false },
    { name: 'another body', header: good, body: `${BODY} `, genuine: false },
    { name: 'six minutes old', header: `t=${old},v1=${sign(old)}`, body: BODY, genuine: false },
    { name: 'no signature', header: `t=${now}`, body: BODY, genuine: false },
    { name: 'nonsense', header: 'v1=zz,=,t', body: BODY, genuine: false },
  ];
}

/** Runs the verification in each language that this machine has, and reports the missing ones. */
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
    const all = attempts();
    const words = [...args, path, SECRET, ...all.flatMap(({ header, body }) => [header, body])];
    // Java decodes its arguments by the locale of the machine, which may be unset.
    const { stdout } = await run(found, words, { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    const believed = stdout.trim().split('\n');
    assert.deepEqual(
      Object.fromEntries(all.map(({ name }, index) => [name, believed[index]])),
      Object.fromEntries(all.map(({ name, genuine }) => [name, `${genuine}`])),
      language,
    );
    tried.push(language);
  }
  return tried.join(', ');
}
