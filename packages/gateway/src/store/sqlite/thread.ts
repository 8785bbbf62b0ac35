import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { settled } from '#kernel';
import { StoreError } from '../errors.ts';
import { type Kind, OPENING, type Questions, type Reply, type ThreadData } from './protocol.ts';

/** The way to a database thread. */
export interface DatabaseThread {
  ask<K extends Kind>(kind: K, question: Questions[K]['ask']): Promise<Questions[K]['answer']>;
  close(): Promise<void>;
}

/** The end of the thread that started it. */
export interface OwnDatabaseThread extends DatabaseThread {
  /** Resolves when its database is open, rejects with the reason why not. */
  readonly opened: Promise<void>;
  /** A way for one more thread. */
  connect(): MessagePort;
}

interface Asked {
  readonly kind: Kind | 'open';
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

const entry = new URL('./worker.ts', import.meta.url);

export function startThread(data: ThreadData): OwnDatabaseThread {
  const worker = new Worker(entry, { workerData: data, name: `store-${data.role}`, execArgv: [] });
  const questions = createQuestions(worker);
  const exited = new Promise<void>((resolve) => {
    const stop = (): void => {
      questions.stop();
      resolve();
    };
    // The exit alone would do, but an uncaught error in the thread must also be heard, or it ends the process.
    worker.on('error', stop);
    worker.on('exit', stop);
  });

  return {
    opened: questions.expectAnswer(OPENING, 'open'),
    ask: questions.ask,
    connect() {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ id: OPENING, kind: 'connect', port: port1 }, [port1]);
      return port2;
    },
    async close() {
      // A thread that could not open its database ends without an answer; only its end counts here.
      await settled(questions.ask('close', {}));
      await exited;
    },
  };
}

/** By the way that another thread has made to its database thread. */
export function reachThread(port: MessagePort): DatabaseThread {
  const questions = createQuestions(port);
  const closed = new Promise<void>((resolve) => {
    port.on('close', () => {
      questions.stop();
      resolve();
    });
  });
  return {
    ask: questions.ask,
    async close() {
      port.close();
      await closed;
    },
  };
}

interface Line {
  on(event: 'message', listener: (reply: Reply) => void): unknown;
  postMessage(message: unknown): void;
}

/** Questions that are under way, each with whoever waits for its answer. */
function createQuestions(line: Line) {
  const open = new Map<number, Asked>();
  let lastId = OPENING;
  let stopped = false;

  line.on('message', (reply) => {
    const asked = open.get(reply.id);
    open.delete(reply.id);
    if ('error' in reply) asked?.reject(new StoreError(reply.error.code, reply.error.message));
    else asked?.resolve(reply.answer);
  });

  function expectAnswer<Answer>(id: number, kind: Asked['kind']): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      // The protocol pairs each kind of question with its answer.
      open.set(id, { kind, resolve: resolve as Asked['resolve'], reject });
    });
  }

  return {
    expectAnswer,
    ask<K extends Kind>(kind: K, question: Questions[K]['ask']): Promise<Questions[K]['answer']> {
      if (stopped) return Promise.reject(new StoreError('unavailable', 'The database thread has stopped.'));
      lastId += 1;
      try {
        line.postMessage({ id: lastId, kind, ...question });
      } catch {
        return Promise.reject(new StoreError('statement_failed', 'What was to be stored is not plain data.'));
      }
      return expectAnswer(lastId, kind);
    },
    /** Nobody answers any more. */
    stop() {
      stopped = true;
      for (const { kind, reject } of open.values()) reject(interrupted(kind));
      open.clear();
    },
  };
}

function interrupted(kind: Asked['kind']): StoreError {
  return kind === 'batch' || kind === 'commit'
    ? new StoreError('commit_unknown', 'The database thread stopped while it was committing.')
    : new StoreError('unavailable', 'The database thread stopped before it answered.');
}
