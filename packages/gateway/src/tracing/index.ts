export { startTraceRetention } from './retention.ts';
export type { Spans } from './spans.ts';
export { traceBus } from './traced-bus.ts';
export { createTraces } from './traces.ts';
