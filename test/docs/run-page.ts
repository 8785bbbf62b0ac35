import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { moveTime, sharedDemo } from './demo.ts';
import { type Block, blocksOf, ROOT, read } from './markdown.ts';
import { differenceInShape } from './shape.ts';

const ADDRESS_IN_DOCS = 'http://127.0.0.1:8080';
const OPERATOR_TOKEN = 'the-operator-token-of-the-guides';
const LONGEST_MS = 60_000;
/** After this pause a number may send like a new one, whatever the previous page sent with it. */
const QUIET_SECONDS = 60;
const MARK = '\u001e';

export function isRunnable({ language, words }: Block): boolean {
  return words.includes('run') && (language === 'sh' || language === 'ts');
}

/**
 * Runs the blocks of a page that are marked with `run`, in order and in one shell, against a gateway of their own with a fresh
 * demo. A block of JSON marked with `answer` must have the shape of the previous block's output.
 */
export async function runPage(file: string): Promise<string> {
  const blocks = blocksOf(read(file));
  const runnable = blocks.filter(isRunnable);
  const asOperator = runnable.some(({ code }) => code.includes('PARLEY_OPERATOR_TOKEN'));
  const demo = await sharedDemo(asOperator ? { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN } : {});
  await moveTime(demo, QUIET_SECONDS, asOperator ? OPERATOR_TOKEN : undefined);
  const script = runnable.map(inShell).join('').replaceAll(ADDRESS_IN_DOCS, demo.url);
  const outputs = await runScript(script, {
    PARLEY: demo.url,
    PARLEY_URL: demo.url,
    PARLEY_API_KEY: demo.apiKey,
    SESSION_ID: demo.sessionId,
    PARLEY_DATA_DIR: demo.parley.dataDir,
    ...(asOperator && { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN }),
  });
  for (const [index, block] of runnable.entries()) {
    const answer = blocks[blocks.indexOf(block) + 1];
    if (!answer?.words.includes('answer')) continue;
    const difference = differenceInShape(JSON.parse(answer.code), JSON.parse(outputs[index] ?? ''));
    if (difference)
      throw new Error(`${file}:${answer.line} shows another answer: ${difference}\n${outputs[index]}`);
  }
  return `${runnable.length} blocks`;
}

function inShell({ language, code }: Block): string {
  const lines =
    language === 'sh'
      ? code
      : `node --input-type=module-typescript <<'END_OF_PROGRAM'\n${code}END_OF_PROGRAM\n`;
  return `${lines}printf '${MARK}'\n`;
}

/** The output of each block. */
async function runScript(script: string, env: Record<string, string>): Promise<string[]> {
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const shell = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { PATH: path, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const tooLate = setTimeout(() => shell.kill('SIGKILL'), LONGEST_MS);
  let output = '';
  let complaints = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const [code] = await once(shell, 'close');
  clearTimeout(tooLate);
  if (code !== 0) throw new Error(`a block ended with ${code}:\n${output}\n${complaints}`);
  return output.split(MARK);
}
