import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Functions that a process offers to its parent; arguments and results are copied. */
export type Calls = Record<string, (...args: never[]) => unknown>;

export interface Remote<C extends Calls> {
  call<K extends keyof C & string>(name: K, ...args: Parameters<C[K]>): Promise<Awaited<ReturnType<C[K]>>>;
  stop(): Promise<void>;
}

interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: never[];
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Starts `file` as a process of its own, which offers its functions with `offer`. */
export function startRemote<C extends Calls>(
  file: URL,
  { args = [], nodeFlags = [] }: { args?: readonly string[]; nodeFlags?: readonly string[] } = {},
): Remote<C> {
  const child = fork(file, [...args], { serialization: 'advanced', execArgv: [...nodeFlags] });
  const exited = once(child, 'exit');
  const waiting = new Map<number, (answer: Answer) => void>();
  let calls = 0;
  child.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer));
  child.once('exit', (code, signal) => {
    for (const [id, settle] of waiting) settle({ id, error: `the process has ended: ${signal ?? code}` });
  });

  return {
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        const id = calls++;
        waiting.set(id, ({ error, value }) => {
          waiting.delete(id);
          if (error !== undefined) reject(new Error(`${name}: ${error}`));
          // The other side is our own code and answers by its type.
          else resolve(value as never);
        });
        child.send({ id, name, args });
      }),
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** The child side: answers every call, and exits with its parent. */
export function offer(calls: Calls): void {
  process.once('disconnect', () => process.exit());
  process.on('message', async ({ id, name, args }: Call) => {
    try {
      process.send?.({ id, value: await calls[name]?.(...args) } satisfies Answer);
    } catch (error) {
      process.send?.({ id, error: String(error) } satisfies Answer);
    }
  });
}
