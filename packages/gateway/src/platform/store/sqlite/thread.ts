import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { createSystemClock, neverRejects, settled, waitAtMost, warnOf, watchThread } from '#kernel';
import { StoreError } from '../errors.ts';
import type { StoreLog } from '../types.ts';
import { isNotPlain, type Kind, OPENING, type Questions, type Reply, type ThreadData } from './protocol.ts';

type Ask = <K extends Kind>(kind: K, question: Questions[K]['ask']) => Promise<Questions[K]['answer']>;

/** Access to a database thread. A replacement takes over when one has ended. */
export interface DatabaseThread {
  readonly ask: Ask;
  /** The current thread only: a transaction begun in it cannot continue in its replacement. */
  current(): { readonly ask: Ask };
  close(): Promise<void>;
}

/** A database thread, as seen by the thread that started it. */
interface OwnDatabaseThread extends DatabaseThread {
  /** Resolves when its database is open, rejects with the reason otherwise. */
  readonly opened: Promise<void>;
  /** Terminates the thread when it hangs and replaces it when it has ended, from now on. */
  keepAlive(): void;
  /** A port for one more thread, through which it gets a port to each current database thread. */
  connect(): MessagePort;
}

interface ThreadParts {
  readonly log: StoreLog | undefined;
  /** Heap limit. */
  readonly heapMb: number | undefined;
}

const entry = new URL('./worker.ts', import.meta.url);
/** Longer than any statement over a bounded number of rows takes. */
const HUNG_AFTER_MS = 20_000;
const CLOSE_MS = 10_000;
/** The file may need a moment; a thread that keeps ending must not keep the processor busy. */
const PAUSE = { firstMs: 50, longestMs: 5_000 };

export function startThread(data: ThreadData, { log, heapMb }: ThreadParts): OwnDatabaseThread {
  // Threads run on the machine's clock, whatever clock their store is given.
  const clock = createSystemClock();
  const ways = new Set<MessagePort>();
  let isKept = false;
  let isClosing = false;
  let failures = 0;
  let running = start(data);

  function start(given: ThreadData) {
    const worker = new Worker(entry, {
      ...{ workerData: given, name: `store-${data.role}`, execArgv: [] },
      ...(heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
    });
    const questions = createQuestions(worker);
    const opened = questions.expectAnswer<undefined>(OPENING, 'open');
    const exited = Promise.withResolvers<void>();
    let failure: Error | undefined;
    // The exit event would suffice, but an unhandled error of a worker ends the process.
    worker.on('error', (error) => {
      failure = error;
      questions.stop();
    });
    worker.on('exit', (code) => {
      questions.stop();
      exited.resolve();
      if (isKept && !isClosing) replace(failure ?? new Error(`it ended with code ${code}`));
    });
    return { worker, questions, opened, exited: exited.promise };
  }

  function replace(failure: Error): void {
    const againInMs = Math.min(PAUSE.firstMs * 2 ** failures, PAUSE.longestMs);
    failures++;
    log?.warn({ thread: `store-${data.role}`, err: failure, againInMs }, 'a database thread has ended');
    clock.after(againInMs, () => {
      if (isClosing) return;
      // The first thread that opened the file has checked its pages.
      running = start({ ...data, checkedUpToBytes: -1 });
      for (const way of ways) join(way);
      watch();
      running.opened.then(
        () => {
          failures = 0;
          log?.info({ thread: `store-${data.role}` }, 'another database thread has taken its place');
        },
        // It has ended by then, or is about to.
        (error: unknown) => log?.warn({ thread: `store-${data.role}`, err: error }, 'could not be replaced'),
      );
    });
  }

  function watch(): void {
    const { worker, questions, exited } = running;
    const watching = watchThread({
      ask: () => questions.ask('answer', {}),
      clock,
      hungAfterMs: HUNG_AFTER_MS,
      onHang() {
        log?.warn(
          { thread: `store-${data.role}`, afterMs: HUNG_AFTER_MS },
          'a database thread hangs; it is ended',
        );
        worker.terminate().catch(warnOf('a thread of the database could not be ended'));
      },
    });
    neverRejects(exited.then(() => watching.stop()));
  }

  function join(way: MessagePort): void {
    const { port1, port2 } = new MessageChannel();
    running.worker.postMessage({ id: OPENING, kind: 'connect', port: port1 }, [port1]);
    way.postMessage(port2, [port2]);
  }

  return {
    opened: running.opened,
    ask: (kind, question) => running.questions.ask(kind, question),
    current: () => running.questions,
    keepAlive() {
      isKept = true;
      watch();
    },
    connect() {
      const { port1, port2 } = new MessageChannel();
      ways.add(port1);
      port1.on('close', () => ways.delete(port1));
      join(port1);
      return port2;
    },
    async close() {
      isClosing = true;
      for (const way of ways) way.close();
      const { worker, questions, exited } = running;
      // A thread that failed to open its database ends without an answer; only its exit counts here.
      const ended = settled(questions.ask('close', {})).then(() => exited);
      if (!(await waitAtMost(clock, CLOSE_MS, ended))) await worker.terminate();
    },
  };
}

/** Accesses a database thread through the port that another thread has made. */
export function reachThread(way: MessagePort): DatabaseThread {
  const closed = new Promise<void>((resolve) => way.on('close', resolve));
  const first = Promise.withResolvers<QuestionsOnLine>();
  let line: Promise<QuestionsOnLine> = first.promise;
  let port: MessagePort | undefined;
  way.on('message', (given: MessagePort) => {
    const questions = createQuestions(given);
    given.on('close', () => questions.stop());
    port = given;
    line = Promise.resolve(questions);
    first.resolve(questions);
  });
  const askOn =
    (on: () => Promise<QuestionsOnLine>): Ask =>
    async (kind, question) =>
      (await on()).ask(kind, question);
  return {
    ask: askOn(() => line),
    current() {
      const now = line;
      return { ask: askOn(() => now) };
    },
    async close() {
      way.close();
      port?.close();
      await closed;
    },
  };
}

interface Asked {
  readonly kind: Kind | 'open';
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

interface Line {
  on(event: 'message', listener: (reply: Reply) => void): unknown;
  postMessage(message: unknown): void;
}

type QuestionsOnLine = ReturnType<typeof createQuestions>;

/** Open requests on one line to a database thread, each with its caller. */
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
      // The protocol pairs each kind of request with its answer.
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
      } catch (error) {
        if (!isNotPlain(error)) return Promise.reject(error);
        return Promise.reject(new StoreError('statement_failed', 'Only plain data can be stored.'));
      }
      return expectAnswer(lastId, kind);
    },
    /** No answers follow. */
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
