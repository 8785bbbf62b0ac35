import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { createSystemClock, neverRejects, settled, waitAtMost, warnOf, watchThread } from '#kernel';
import type { StoreLog } from '../types.ts';
import { type Kind, OPENING, type Questions, type ThreadData } from './protocol.ts';
import { createQuestions, type QuestionsOnLine } from './questions.ts';

type Ask = <K extends Kind>(kind: K, question: Questions[K]['ask']) => Promise<Questions[K]['answer']>;

/** The way to a database thread. Another one takes the place of one that has ended. */
export interface DatabaseThread {
  readonly ask: Ask;
  /** The one that there is now, and none that comes after it: nobody goes on in another with what was begun in this. */
  current(): { readonly ask: Ask };
  close(): Promise<void>;
}

/** The end of the thread that started it. */
export interface OwnDatabaseThread extends DatabaseThread {
  /** Resolves when its database is open, rejects with the reason why not. */
  readonly opened: Promise<void>;
  /** From now on it is ended when it hangs, and replaced when it has ended. */
  keepAlive(): void;
  /** A way for one more thread: a port by which it is given one to each database thread that there is. */
  connect(): MessagePort;
}

interface ThreadParts {
  readonly log: StoreLog | undefined;
  /** How large its heap may grow. */
  readonly heapMb: number | undefined;
}

const entry = new URL('./worker.ts', import.meta.url);
/** Longer than any statement takes that looks at a bounded number of rows. */
const HUNG_AFTER_MS = 20_000;
const CLOSE_MS = 10_000;
/** The file may need a moment; who ends again and again must not keep the processor busy. */
const PAUSE = { firstMs: 50, longestMs: 5_000 };

export function startThread(data: ThreadData, { log, heapMb }: ThreadParts): OwnDatabaseThread {
  // A thread lives in the machine's time, whatever clock its store is given.
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
    // The exit alone would do, but an uncaught error in the thread must also be heard, or it ends the process.
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
      // Pages were looked through when the first one opened the file.
      running = start({ ...data, checkedUpToBytes: -1 });
      for (const way of ways) join(way);
      watch();
      running.opened.then(
        () => {
          failures = 0;
          log?.info({ thread: `store-${data.role}` }, 'another database thread has taken its place');
        },
        // It has ended by then, or does at once.
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
      // A thread that could not open its database ends without an answer; only its end counts here.
      const ended = settled(questions.ask('close', {})).then(() => exited);
      if (!(await waitAtMost(clock, CLOSE_MS, ended))) await worker.terminate();
    },
  };
}

/** By the way that another thread has made to its database thread. */
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
