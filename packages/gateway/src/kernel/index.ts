export {
  coalesce,
  createKeyedQueue,
  decoded,
  decodedComponent,
  type KeyedQueue,
  parsedJson,
} from '@parley/contract/plain';
export * from './api-error.ts';
export * from './canonical-lines.ts';
export * from './concurrency/background.ts';
export * from './concurrency/coordination.ts';
export * from './concurrency/thread-watch.ts';
export * from './file-labels.ts';
export { collectGarbageWhenIdle } from './idle-memory.ts';
export * from './ids.ts';
export * from './pages.ts';
export * from './random.ts';
export * from './sealing/sealed-box.ts';
export * from './sealing/sealed-file.ts';
export * from './text.ts';
export * from './time/clock.ts';
export * from './time/periodic-job.ts';
export * from './time/rate.ts';
export * from './time/retry.ts';
export type * from './tracing.ts';
