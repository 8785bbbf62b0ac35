import { Worker } from 'node:worker_threads';
import { StoreError } from '../errors.ts';
import { type Kind, OPENING, type Questions, type Reply, type ThreadData } from './protocol.ts';

/** The main thread's end of a database thread. */
export interface DatabaseThread {
  /** Resolves when its database is open, rejects with the reason why not. */
  readonly opened: Promise<void>;
  ask<K extends Kind>(kind: K, question: Questions[K]['ask']): Promise<Questions[K]['answer']>;
  close(): Promise<void>;
}

interface Asked {
  readonly kind: Kind | 'open';
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

const entry = new URL('./worker.ts', import.meta.url);

export function startThread(data: ThreadData): DatabaseThread {
  const worker = new Worker(entry, { workerData: data, name: `store-${data.role}`, execArgv: [] });
  const open = new Map<number, Asked>();
  let lastId = OPENING;
  let stopped = false;

  function expectAnswer<Answer>(id: number, kind: Asked['kind']): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      // The protocol pairs each kind of question with its answer.
      open.set(id, { kind, resolve: resolve as Asked['resolve'], reject });
    });
  }

  worker.on('message', (reply: Reply) => {
    const asked = open.get(reply.id);
    open.delete(reply.id);
    if ('error' in reply) asked?.reject(new StoreError(reply.error.code, reply.error.message));
    else asked?.resolve(reply.answer);
  });
  const exited = new Promise<void>((resolve) => {
    const stop = (): void => {
      stopped = true;
      for (const { kind, reject } of open.values()) reject(interrupted(kind));
      open.clear();
      resolve();
    };
    // The exit alone would do, but an uncaught error in the thread must also be heard, or it ends the process.
    worker.on('error', stop);
    worker.on('exit', stop);
  });

  function ask<K extends Kind>(kind: K, question: Questions[K]['ask']): Promise<Questions[K]['answer']> {
    if (stopped) return Promise.reject(new StoreError('unavailable', 'The database thread has stopped.'));
    lastId += 1;
    try {
      worker.postMessage({ id: lastId, kind, ...question });
    } catch {
      return Promise.reject(new StoreError('statement_failed', 'What was to be stored is not plain data.'));
    }
    return expectAnswer(lastId, kind);
  }

  return {
    opened: expectAnswer(OPENING, 'open'),
    ask,
    async close() {
      // A thread that could not open its database ends without an answer; only its end counts here.
      await ask('close', {}).catch(() => undefined);
      await exited;
    },
  };
}

function interrupted(kind: Asked['kind']): StoreError {
  return kind === 'batch' || kind === 'commit'
    ? new StoreError('commit_unknown', 'The database thread stopped while it was committing.')
    : new StoreError('unavailable', 'The database thread stopped before it answered.');
}
