export {
  coalesce,
  createKeyedQueue,
  decoded,
  decodedComponent,
  type KeyedQueue,
  parsedJson,
} from '@parley/contract/plain';
export * from './canonical-lines.ts';
export * from './concurrency/background.ts';
export * from './concurrency/batcher.ts';
export * from './concurrency/each-in-turn.ts';
export * from './concurrency/semaphore.ts';
export * from './concurrency/thread-watch.ts';
export * from './concurrency/wait-group.ts';
export * from './csv.ts';
export * from './faults.ts';
export * from './file-labels.ts';
export { giveBackMemoryWhenIdle } from './idle-memory.ts';
export * from './ids.ts';
export * from './latin1.ts';
export * from './pages.ts';
export * from './random.ts';
export * from './sealing/sealed-box.ts';
export * from './sealing/sealed-file.ts';
export * from './time/clock.ts';
export * from './time/periodic-job.ts';
export * from './time/rate.ts';
export * from './time/retry.ts';
export * from './time/within.ts';
export type * from './tracing.ts';
