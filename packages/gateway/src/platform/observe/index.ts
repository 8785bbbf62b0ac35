export { endOnCrash } from './crash.ts';
export { createLog, type Log, logAgain, logFailureWarnings, startQuietly } from './log.ts';
export { registerBacklogMetrics } from './metrics/backlog.ts';
export { createMetrics, type Metrics, registerBodyMetrics, registerDiskMetrics } from './metrics/metrics.ts';
export {
  type ClientVersionFigures,
  type HostingFigures,
  registerClientVersionMetrics,
  registerHealthMetrics,
  registerHostingMetrics,
} from './metrics/numbers.ts';
export {
  countReported,
  registerPausedEndpoints,
  reportWork,
  type WorkMetrics,
  type WorkReport,
} from './metrics/work.ts';
export type { Part } from './routes.ts';
export { opsRoutes } from './routes.ts';
export { createThroughput, throughputRoutes } from './throughput/throughput.ts';
export { createTraces, startTraceRetention, traceBus } from './tracing/traces.ts';
