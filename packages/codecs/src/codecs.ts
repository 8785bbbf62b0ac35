import { Worker } from 'node:worker_threads';
import {
  type Answer,
  CodecError,
  type CodecFailure,
  type FileKind,
  type FileSource,
  type FileTraits,
  type Job,
  type ThreadOptions,
} from './job.ts';

/** Decodes files in one thread, which starts with the first file and ends after a pause. */
export interface Codecs {
  /** Resolves to what the file says, without the parts that cannot be decoded. */
  describe(source: FileSource, kind: FileKind): Promise<FileTraits>;
  /** A square JPEG from the middle of the picture. */
  square(source: FileSource, side: number): Promise<Uint8Array>;
  /** Rejects what is queued, and ends the thread. */
  close(): Promise<void>;
}

interface Timers {
  after(delayMs: number, action: () => void): { cancel(): void };
}

interface Queued {
  readonly job: Job;
  readonly result: PromiseWithResolvers<FileTraits | Uint8Array>;
}

/** A busy machine takes about 7 s for the largest picture. */
const LONGEST_JOB_MS = 20_000;
const IDLE_MS = 5_000;
const LONGEST_QUEUE = 32;
/** Bounds JavaScript only: pictures are in array buffers, and bounded by their pixels. */
const HEAP_MB = 128;

/** Files take the machine's time, whatever clock the rest is given. */
const machineTimers: Timers = {
  after(delayMs, action) {
    const signal = AbortSignal.timeout(delayMs);
    signal.addEventListener('abort', action);
    return { cancel: () => signal.removeEventListener('abort', action) };
  },
};

export function createCodecs({
  clock = machineTimers,
  ...options
}: { readonly clock?: Timers } & ThreadOptions = {}): Codecs {
  const queue: Queued[] = [];
  let running: Queued | undefined;
  let thread: Worker | undefined;
  let limit: { cancel(): void } | undefined;
  let isClosed = false;

  function run<T extends FileTraits | Uint8Array>(job: Job): Promise<T>;
  async function run(job: Job): Promise<FileTraits | Uint8Array> {
    if (isClosed) throw new CodecError('closed');
    if (queue.length >= LONGEST_QUEUE) throw new CodecError('busy');
    const result = Promise.withResolvers<FileTraits | Uint8Array>();
    queue.push({ job, result });
    next();
    return result.promise;
  }

  function next(): void {
    if (running) return;
    running = queue.shift();
    limit?.cancel();
    if (!running) {
      limit = thread && clock.after(IDLE_MS, () => endThread());
      return;
    }
    thread ??= startThread();
    limit = clock.after(LONGEST_JOB_MS, () => fail('timeout'));
    thread.postMessage(running.job);
  }

  function startThread(): Worker {
    const started = new Worker(new URL('./codecs-thread.ts', import.meta.url), {
      ...{ name: 'codecs', execArgv: [], workerData: options },
      // A decoder writes there what it finds in damaged files; the errors of the thread come as events.
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    started.unref();
    started.stderr.resume();
    started.on('message', (answer: Answer) => {
      if (thread !== started) return;
      if ('value' in answer) settle(({ resolve }) => resolve(answer.value));
      else settle(({ reject }) => reject(new CodecError(answer.failure)));
    });
    started.on('error', () => thread === started && fail('crashed'));
    started.on('exit', () => thread === started && fail('crashed'));
    return started;
  }

  function settle(use: (result: Queued['result']) => void): void {
    const settled = running;
    running = undefined;
    if (settled) use(settled.result);
    next();
  }

  function fail(reason: CodecFailure): void {
    endThread();
    settle(({ reject }) => reject(new CodecError(reason)));
  }

  let ending: Promise<unknown> = Promise.resolve();

  function endThread(): void {
    const ended = thread;
    thread = undefined;
    limit?.cancel();
    // Ending never fails; what is lost with the thread is rejected by its limit.
    if (ended) ending = Promise.all([ending, ended.terminate()]);
  }

  return {
    describe: (source, as) => run({ kind: 'describe', source, as }),
    square: (source, side) => run({ kind: 'square', source, side }),
    async close() {
      isClosed = true;
      for (const { result } of queue.splice(0)) result.reject(new CodecError('closed'));
      if (running) fail('closed');
      endThread();
      await ending;
    },
  };
}
