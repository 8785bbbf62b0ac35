import { spawn } from 'node:child_process';
import { stopProcess } from '../../test/services/processes.ts';
import { until } from './until.ts';

/** An example, running in a process of its own. */
export interface Program {
  /** Waits until it has printed that line, so many times. */
  prints(line: string, times?: number): Promise<void>;
  /** Waits for its first line. */
  speaks(): Promise<void>;
  stop(): Promise<void>;
}

export function startProgram(file: string, env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
    process.stdout.write(chunk);
  });

  function look(isDone: () => boolean): true | undefined {
    if (isDone()) return true;
    if (child.exitCode !== null) throw new Error(`The example ended with ${child.exitCode}.`);
    return undefined;
  }

  return {
    async prints(line, times = 1) {
      const count = () => printed.split('\n').filter((each) => each === line).length;
      await until(`it prints “${line}”`, () => look(() => count() >= times));
    },
    async speaks() {
      await until('it prints something', () => look(() => printed.includes('\n')));
    },
    stop: () => stopProcess(child, 'SIGTERM'),
  };
}
