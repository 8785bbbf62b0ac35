import { parentPort, workerData } from 'node:worker_threads';
import { describeFile } from './describe.ts';
import { type Answer, CodecError, type FileTraits, type Job, type ThreadOptions } from './job.ts';
import { squarePicture } from './pictures/pictures.ts';

/** Entry of the thread: one file at a time. */
parentPort?.on('message', (job: Job) => {
  answer(job).then((given) => parentPort?.postMessage(given), crash);
});

/** An error that is no refusal ends the thread, which rejects the job. */
function crash(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

async function answer(job: Job): Promise<Answer> {
  try {
    return { value: await work(job) };
  } catch (error) {
    if (error instanceof CodecError) return { failure: error.reason };
    throw error;
  }
}

async function work(job: Job): Promise<FileTraits | Uint8Array> {
  if (job.kind === 'square') return squarePicture(job.source, job.side);
  const { ffmpeg }: ThreadOptions = workerData;
  return describeFile(job.source, job.as, ffmpeg);
}
