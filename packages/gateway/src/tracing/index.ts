export { startTraceRetention } from './retention.ts';
export { traceBus } from './traced-bus.ts';
export { createTraces } from './traces.ts';
