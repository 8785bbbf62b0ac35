export { endOnCrash } from './crash.ts';
export { createLog, type Log, logAgain, startQuietly } from './log.ts';
export { registerBacklogMetrics } from './metrics/backlog.ts';
export { registerBodyMetrics } from './metrics/bodies.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export {
  type ClientVersionFigures,
  type HostingFigures,
  registerClientVersionMetrics,
  registerHealthMetrics,
  registerHostingMetrics,
} from './metrics/numbers.ts';
export { countReported, reportWork, type WorkReport } from './metrics/reported-work.ts';
export { registerPausedEndpoints, type WorkMetrics } from './metrics/work.ts';
export type { Part } from './routes.ts';
export { opsRoutes } from './routes.ts';
export { logFailureWarnings } from './warnings.ts';
